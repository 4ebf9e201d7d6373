// Scala's files of tunings: scales (.scl) and maps of the keyboard (.kbm), read into cents by which keys differ from equal temperament.

const KEYS = 128;
const MOST = 1024; // notes of a scale
const A4 = [69, 440];

/** Lines without comments, each with its number in the file. */
function linesOf(text) {
  return text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/).map((line, n) => ({ line: line.trim(), number: n + 1 })).filter(({ line }) => !line.startsWith("!"));
}

const wrong = (number, what) => new Error(number ? `line ${number}: ${what}` : what);

function count({ line, number } = {}, what, least, most) {
  const value = /^[+-]?\d+/.exec(line ?? "") ? parseInt(line, 10) : NaN;
  if (!(value >= least && value <= most)) throw wrong(number, `${what} must be a whole number from ${least} to ${most}, not “${(line ?? "").slice(0, 40)}”`);
  return value;
}

/** Cents of a pitch: with a point in cents, without one a ratio. */
function cents({ line, number }) {
  const [text] = line.split(/\s+/);
  if (/^[+-]?(\d+\.\d*|\.\d+)$/.test(text)) return Number(text);
  const [, above, , below] = /^(\d+)(\/(\d+))?$/.exec(text) ?? [];
  const ratio = above === undefined ? NaN : Number(above) / (below === undefined ? 1 : Number(below));
  if (!(ratio > 0 && Number.isFinite(ratio))) throw wrong(number, `a pitch is cents with a point, or a ratio as 3/2, not “${text.slice(0, 40)}”`);
  return 1200 * Math.log2(ratio);
}

/** A scale: its name, and the cents of its notes above the first, the last of which is the interval of repetition. */
export function readScale(text) {
  const lines = linesOf(text);
  if (lines.length < 2) throw new Error("this is no scale: it ends before the number of its notes");
  const notes = count(lines[1], "the number of notes", 1, MOST);
  const pitches = lines.slice(2).filter(({ line }) => line);
  if (pitches.length < notes) throw new Error(`the scale has ${pitches.length} pitches of the ${notes} that it announces`);
  const name = lines[0].line.slice(0, 80);
  return { name, cents: pitches.slice(0, notes).map(cents) };
}

/** A map: which degree of a scale the keys play, and what is tuned to what. */
export function readMap(text) {
  const lines = linesOf(text).filter(({ line }) => line);
  if (lines.length < 7) throw new Error(`this is no keyboard map: it has ${lines.length} of its first seven numbers`);
  const key = (n, what) => count(lines[n], what, 0, KEYS - 1);
  const size = count(lines[0], "the size of the map", 0, KEYS);
  const frequency = Number(lines[5].line.split(/\s+/)[0]);
  if (!(frequency > 0 && frequency < 1e5)) throw wrong(lines[5].number, "the frequency of the reference must be above 0 and below 100000 Hz");
  const map = {
    size, first: key(1, "the first key"), last: key(2, "the last key"), middle: key(3, "the middle key"), reference: key(4, "the reference key"),
    frequency, octave: count(lines[6], "the degree of the repetition", 0, MOST), degrees: [],
  };
  for (let n = 0; n < size; n++) {
    const one = lines[7 + n];
    if (!one || /^x/i.test(one.line)) map.degrees.push(null);
    else map.degrees.push(count(one, "a degree", 0, MOST));
  }
  return map;
}

/** The map that a scale has without one: its first note on middle C, A4 at 440 Hz. */
const plain = () => ({ size: 0, first: 0, last: KEYS - 1, middle: 60, reference: A4[0], frequency: A4[1], octave: 0, degrees: [] });

/** Cents by which every key differs from equal temperament at 440 Hz. Keys that the map leaves out stay as they are. */
export function tuning(scale, map = plain()) {
  const period = scale.cents.at(-1);
  const above = [0, ...scale.cents.slice(0, -1)];
  const degree = (number) => {
    const [turns, step] = [Math.floor(number / above.length), ((number % above.length) + above.length) % above.length];
    return turns * period + above[step];
  };
  const pitch = (key) => {
    if (map.size === 0) return degree(key - map.middle);
    const [turns, place] = [Math.floor((key - map.middle) / map.size), (((key - map.middle) % map.size) + map.size) % map.size];
    const step = map.degrees[place];
    return step === null ? null : degree(step) + turns * (map.octave ? degree(map.octave) : period);
  };
  const base = pitch(map.reference);
  if (base === null) throw new Error("the reference key of the map plays no note");
  const at = 1200 * Math.log2(map.frequency / A4[1]);
  return Array.from({ length: KEYS }, (_, key) => {
    const cents = key < map.first || key > map.last ? null : pitch(key);
    if (cents === null) return 0;
    return Math.round(1e6 * (at + cents - base - 100 * (key - A4[0]))) / 1e6;
  });
}
