// A scene with fewer partials: `highest` is written into every table that may have it.

import { survey } from "./toml.js";

const OFFERS = [16000, 12000, 10000, 8000, 6000, 5000, 4000, 3000, 2000, 1500, 1000, 500]; // Hz
const USUAL = 20000; // Hz, where a table does not say
const ROOM = 0.8; // of the time there is: a scene that takes all of it stutters

/** A frequency as scenes write it, in Hz; NaN for anything else. */
function hertz(text) {
  const [, number, prefix] = text.match(/^([\d.eE+]+)\s*(k?)(?:Hz)?$/) ?? [];
  return Number(number) * (prefix ? 1000 : 1);
}

/** The tables of a text that have partials, and the highest of them in Hz. */
function partials(text, schema) {
  const { tables } = survey(text, 0);
  const mayHaveIt = ({ path, keys, body }) => body !== null && keys.has("kind") && keys.get("method") !== "grid" && schema.fitting(path, keys).every(({ properties }) => properties?.highest);
  return tables.filter(mayHaveIt).map((table) => ({ table, top: table.places.has("highest") ? hertz(table.keys.get("highest")) : USUAL }));
}

/** The text with no partial above so many Hz; null if nothing in it has such partials. */
export function lightened(text, schema, highest) {
  const value = `"${highest / 1000} kHz"`;
  const edits = partials(text, schema).filter(({ top }) => !(top <= highest)).map(({ table: { body, places } }) => {
    const place = places.get("highest");
    return place ? [...place, value] : [body, body, `highest = ${value}\n`];
  });
  if (!edits.length) return null;
  edits.sort((a, b) => b[0] - a[0]);
  return edits.reduce((so, [from, to, by]) => so.slice(0, from) + by + so.slice(to), text);
}

/**
 * Up to how many Hz the partials of a scene can be played that takes `load` of the time there is; null if it has none to leave out.
 *
 * What a body costs grows with the number of its modes, and that of a plate with the frequency; where all modes of a plate drive each
 * other, with the square of that.
 */
export function affordable(text, schema, load) {
  const found = partials(text, schema);
  const top = Math.max(0, ...found.map(({ top }) => top).filter(Number.isFinite));
  const power = found.some(({ table }) => table.keys.get("amplitude") === "von-karman") ? 2 : 1;
  const lower = OFFERS.filter((offer) => offer < top);
  return lower.find((offer) => offer <= top * (ROOM / load) ** (1 / power)) ?? lower.at(-1) ?? null;
}
