// A scene with fewer partials: `highest` is written into every table that may have it.

import { survey } from "./toml.js";

/** A frequency as scenes write it, in Hz; NaN for anything else. */
function hertz(text) {
  const [, number, prefix] = text.match(/^([\d.eE+]+)\s*(k?)(?:Hz)?$/) ?? [];
  return Number(number) * (prefix ? 1000 : 1);
}

/** The text with no partial above so many Hz; null if nothing in it has partials. */
export function lightened(text, schema, highest) {
  const { tables } = survey(text, 0);
  const edits = [];
  for (const table of tables) {
    const mayHaveIt = table.body !== null && table.keys.has("kind") && schema.fitting(table.path, table.keys).every(({ properties }) => properties?.highest);
    if (!mayHaveIt || table.keys.get("method") === "grid") continue;
    const place = table.places.get("highest");
    const value = `"${highest / 1000} kHz"`;
    if (!place) edits.push([table.body, table.body, `highest = ${value}\n`]);
    else if (!(hertz(table.keys.get("highest")) <= highest)) edits.push([...place, value]);
  }
  if (!edits.length) return null;
  edits.sort((a, b) => b[0] - a[0]);
  return edits.reduce((so, [from, to, by]) => so.slice(0, from) + by + so.slice(to), text);
}
