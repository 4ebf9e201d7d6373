// Numbers for people: three digits and a prefix.

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
const PREFIXED = new Set(["m", "N", "J", "Hz", "s", "m/s", "N/m", "Pa", "W"]);

/** A value with its unit: 0.0123 m as 12.3 mm. */
export function quantity(value, unit) {
  if (!Number.isFinite(value)) return "–";
  const label = unit === "1" ? "" : unit;
  if (value === 0) return `0 ${label}`.trim();
  if (PREFIXED.has(unit)) {
    const size = Math.abs(value);
    const [scale, prefix] = PREFIXES.find(([scale]) => size >= scale) ?? PREFIXES.at(-1);
    return `${digits(value / scale)} ${prefix}${unit}`;
  }
  return `${digits(value)} ${label}`.trim();
}

function digits(value) {
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-2) return value.toExponential(1).replace("e+", "e");
  return String(Number(value.toPrecision(3)));
}

const NAMES = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"];

/** Name of a MIDI key: 69 is A4. */
export function keyName(key) {
  return NAMES[key % 12] + (Math.floor(key / 12) - 1);
}
