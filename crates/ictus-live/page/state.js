// States as the engine sends them, read into numbers (docs/protocol.md).

const HEADER = 32;

/** Reads a state of the described instrument; null if it is of another one. */
export function readState(buffer, { generation, objects, contacts, controls }) {
  const head = new DataView(buffer);
  if (head.getUint16(2, true) !== generation) return null;
  const flags = head.getUint8(1);
  const numbers = new Float32Array(buffer, HEADER);
  let at = 0;
  const state = {
    accountKept: (flags & 1) !== 0,
    wasBroken: (flags & 2) !== 0,
    frame: head.getFloat64(8, true),
    load: head.getFloat32(16, true),
    limiter: head.getFloat32(20, true),
    residual: head.getFloat32(24, true),
    stored: head.getFloat32(28, true),
    objects: [],
  };
  for (const { points } of objects) {
    const count = points[0] * points[1];
    state.objects.push({ energy: numbers[at], touch: numbers[at + 1], shape: numbers.subarray(at + 2, at + 2 + count) });
    at += 2 + count;
  }
  state.forces = numbers.subarray(at, at + contacts.length);
  state.controls = numbers.subarray(at + contacts.length, at + contacts.length + controls.length);
  return state;
}
