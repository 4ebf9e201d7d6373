// FLAC, lossless: whole numbers of 24 bits, in blocks of two channels, each predicted from its last samples by the polynomial that fits best
// and the rest written by Rice's code (RFC 9639).

const BLOCK = 4096; // samples of a channel
const BITS = 24;
const MOST_ORDER = 4; // of a polynomial
const PARTITIONS = 3; // 2 to the power of it
const LARGEST = 24; // parameter of Rice's code, which has five bits here

/** Bits, most significant first, into bytes. */
class Bits {
  constructor(bytes) {
    [this.bytes, this.at, this.held, this.count] = [new Uint8Array(bytes), 0, 0, 0];
  }

  /** At most 24 bits of a number. */
  put(value, bits) {
    this.held = ((this.held << bits) | (value & ((1 << bits) - 1))) >>> 0;
    this.count += bits;
    while (this.count >= 8) {
      this.count -= 8;
      this.byte((this.held >>> this.count) & 0xff);
    }
    this.held &= (1 << this.count) - 1;
  }

  byte(value) {
    if (this.at === this.bytes.length) {
      const longer = new Uint8Array(2 * this.bytes.length);
      longer.set(this.bytes);
      this.bytes = longer;
    }
    this.bytes[this.at++] = value;
  }

  unary(zeros) {
    for (; zeros >= 16; zeros -= 16) this.put(0, 16);
    this.put(1, zeros + 1);
  }

  align() {
    if (this.count) this.put(0, 8 - this.count);
  }
}

const table = (bits, polynomial) => Uint32Array.from({ length: 256 }, (_, n) => {
  let rest = n << (bits - 8);
  for (let k = 0; k < 8; k++) rest = rest & (1 << (bits - 1)) ? (rest << 1) ^ polynomial : rest << 1;
  return rest & ((1 << bits) - 1);
});
const [CRC8, CRC16] = [table(8, 0x07), table(16, 0x8005)];
const crc8 = (bytes) => bytes.reduce((rest, byte) => CRC8[rest ^ byte], 0);
const crc16 = (bytes) => bytes.reduce((rest, byte) => ((rest << 8) & 0xffff) ^ CRC16[(rest >> 8) ^ byte], 0);

/** What is left of samples when a polynomial through the last few has been taken off. */
function residual(samples, order) {
  const rest = Int32Array.from(samples);
  for (let n = 0; n < order; n++) for (let k = rest.length - 1; k > n; k--) rest[k] -= rest[k - 1];
  return rest;
}

const folded = (value) => (value < 0 ? -2 * value - 1 : 2 * value); // signs last, so that small numbers are short

/** The parameter of Rice's code for numbers with this sum, and the bits that it takes, about. */
function rice(sum, count) {
  const parameter = Math.max(0, Math.min(LARGEST, Math.floor(Math.log2(Math.max(1, sum / count)))));
  return { parameter, bits: count * (parameter + 1) + sum / 2 ** parameter };
}

/** The order whose rest is shortest. */
function predict(samples) {
  let best = null;
  for (let order = 0; order <= Math.min(MOST_ORDER, samples.length - 1); order++) {
    const rest = residual(samples, order);
    let sum = 0;
    for (let k = order; k < rest.length; k++) sum += folded(rest[k]);
    const { bits } = rice(sum, rest.length - order);
    if (!best || bits + order * BITS < best.bits) best = { order, rest, bits: bits + order * BITS };
  }
  return best;
}

function putChannel(out, samples, bits) {
  if (samples.every((sample) => sample === samples[0])) {
    out.put(0, 8);
    putSample(out, samples[0], bits);
    return;
  }
  const { order, rest, bits: size } = predict(samples);
  // The longest number of an escape would be longer than Rice's code takes: then the samples stand as they are.
  if (size > samples.length * bits) {
    out.put(1 << 1, 8);
    for (const sample of samples) putSample(out, sample, bits);
    return;
  }
  out.put((8 | order) << 1, 8);
  for (let k = 0; k < order; k++) putSample(out, samples[k], bits);
  const power = samples.length === BLOCK ? PARTITIONS : 0;
  out.put(1, 2);
  out.put(power, 4);
  const length = samples.length >> power;
  for (let part = 0; part < 1 << power; part++) {
    const from = part === 0 ? order : part * length;
    const to = (part + 1) * length;
    let sum = 0;
    for (let k = from; k < to; k++) sum += folded(rest[k]);
    const { parameter } = rice(sum, to - from);
    out.put(parameter, 5);
    for (let k = from; k < to; k++) {
      const value = folded(rest[k]);
      out.unary(Math.floor(value / 2 ** parameter));
      if (parameter) out.put(value, parameter);
    }
  }
}

function putSample(out, sample, bits) {
  if (bits > 24) out.put(sample >> 24, bits - 24);
  out.put(sample, Math.min(bits, 24));
}

/** The number of a block as in UTF-8. */
function putNumber(out, number) {
  if (number < 0x80) return out.put(number, 8);
  let bytes = 2;
  while (number >= 2 ** (5 * bytes + 1)) bytes += 1;
  out.put((0xff << (8 - bytes)) | Math.floor(number / 64 ** (bytes - 1)), 8);
  for (let n = bytes - 2; n >= 0; n--) out.put(0x80 | (Math.floor(number / 64 ** n) & 0x3f), 8);
  return undefined;
}

function putBlock(out, [left, right], number) {
  const start = out.at;
  const length = left.length;
  // As two channels, or as one and the difference to the other.
  const difference = left.map((sample, k) => sample - right[k]);
  const alone = predict(right).bits;
  const apart = predict(difference).bits < alone ? 8 : 1;
  out.put(0xfff8, 16);
  out.put(0x7, 4); // the length stands at the end of the head
  out.put(0, 4); // the rate is that of the stream
  out.put(apart, 4);
  out.put(6, 3); // 24 bits
  out.put(0, 1);
  putNumber(out, number);
  out.put(length - 1, 16);
  out.put(crc8(out.bytes.subarray(start, out.at)), 8);
  putChannel(out, left, BITS);
  if (apart === 8) putChannel(out, difference, BITS + 1);
  else putChannel(out, right, BITS);
  out.align();
  out.put(crc16(out.bytes.subarray(start, out.at)), 16);
}

/** The file of two channels, interleaved, of numbers within ±1: rounded to 24 bits, and from there on to the bit. */
export function flac(samples, rate) {
  const frames = samples.length / 2;
  const out = new Bits(1 << 16);
  for (const letter of "fLaC") out.put(letter.charCodeAt(0), 8);
  out.put(0x80, 8); // the only block of the head
  out.put(34, 24);
  out.put(BLOCK, 16);
  out.put(BLOCK, 16);
  out.put(0, 24); // sizes of the blocks are not told
  out.put(0, 24);
  out.put(rate >> 4, 16);
  out.put(rate & 15, 4);
  out.put(1, 3); // two channels
  out.put(BITS - 1, 5);
  out.put(Math.floor(frames / 2 ** 32), 4);
  out.put(Math.floor(frames / 2 ** 16) & 0xffff, 16);
  out.put(frames & 0xffff, 16);
  for (let n = 0; n < 16; n++) out.put(0, 8); // no sum of the samples
  const most = 2 ** (BITS - 1);
  const whole = (value) => Math.max(-most, Math.min(most - 1, Math.round(most * value)));
  for (let from = 0, number = 0; from < frames; from += BLOCK, number++) {
    const length = Math.min(BLOCK, frames - from);
    const channel = (side) => Int32Array.from({ length }, (_, k) => whole(samples[2 * (from + k) + side]));
    putBlock(out, [channel(0), channel(1)], number);
  }
  return out.bytes.slice(0, out.at).buffer;
}
