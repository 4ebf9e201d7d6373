// What the editor knows of a text without an engine: where the cursor is, what can stand there, and which partials can be left out.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { gallery, program, root, scenes } from "./browser.js";

const from = (name) => import(join(root, "crates/ictus-live/page", name));
const [{ pieces, survey }, { Schema }, { affordable, lightened }] = await Promise.all([from("toml.js"), from("schema.js"), from("lighter.js")]);
const schema = new Schema(JSON.parse(readFileSync(join(root, "docs/scene.schema.json"), "utf8")));
const texts = new Map(gallery.map((name) => [name, readFileSync(join(scenes, `${name}.toml`), "utf8")]));
const STRING = texts.get("hammered-string");
const MARIMBA = texts.get("marimba");

/** What is offered where a text has a bar. */
function offered(marked) {
  const cursor = marked.indexOf("|");
  const text = marked.replace("|", "");
  const { tables, at } = survey(text, cursor);
  const typed = text.slice(at.from, cursor);
  const found = { header: () => schema.headers(typed, at.isArray), key: () => schema.keys(at.table, typed), value: () => (at.key === null ? [] : schema.values(at.table, at.key, tables)), none: () => [] };
  return found[at.mode]().map(({ label }) => label);
}

test("the cursor finds keys, values and headers wherever it is", () => {
  for (const [marked, has, hasNot] of [
    [`${STRING}\n[|`, ["objects.", "output", "sets."], ["events", "title"]],
    [`${STRING}\n[[|`, ["events"], ["objects."]],
    [`|${STRING}`, ["seed", "tuning"], ["objects", "title"]],
    [`${STRING}\n[objects.x]\n|`, ["kind", "length", "sides"], []],
    [`${STRING}\n[objects.x]\nkind = |`, ["string", "plate", "barrier"], []],
    [`${STRING}\n[objects.x]\nkind = "plate"\n|`, ["sides", "thickness", "highest"], ["kind", "tension", "length"]],
    [`${STRING}\n[objects.x]\nkind = "plate"\nmaterial = "|"\nthickness = 3`, ["steel", "spruce"], ["plate"]],
    [`${STRING}\n[objects.x]\nkind = "plate"\nlossless = |`, ["true", "false"], []],
    [`${STRING}\n[objects.x]\nkind = "plate"\nedges = ["|`, ["free", "clamped", "supported"], []],
    [`${STRING}\n[contacts.x]\nfrom = "|"\nlaw = ""`, ["string@0.5"], ["hammer"]],
    [`${STRING}\n[contacts.x]\nlaw = "|"`, ["hunt-crossley", "odd-power"], []],
    [`${STRING}\n[exciters.x]\nkind = "hammer"\nlaw = "hunt-crossley"\n|`, ["dissipation", "on"], ["kind", "law"]],
    [`${STRING}\n[[events]]\nstrike = "|"`, ["hammer", "finger"], ["string@0.5"]],
    [`${STRING}\n[controls.x]\nparameter = "|"`, ["hammer.stiffness", "finger.damping"], ["hammer.kind"]],
    [`${MARIMBA}\n[sets.bars.|]`, ["sets.bars.exciters.", "sets.bars.object"], ["sets.bars.notes"]],
    [`${MARIMBA}\n[sets.bars.exciters.y]\non = "|"`, ["each@0.5", "rail"], []],
    [MARIMBA.replace('{ time = "4.90 s", note', '{ time = "4.90 s", |note'), ["strike", "over"], ["time", "velocity", "every"]],
    [`${STRING}\n[objects.x]\nkind = "plate"|\n`, [], ["string", "kind", "sides"]],
    [`${STRING}\n[objects.x]\nkind = "plate"\nedges = ["free"|]`, [], ["clamped"]],
    [`${STRING}\n[objects.x]\nkind = "plate"\nedges = ["free", |]`, ["clamped"], []],
    ["# a | comment", [], ["title"]],
  ]) {
    const labels = offered(marked);
    for (const label of has) assert.ok(labels.includes(label), `${label} in ${labels.join(" ")} of …${marked.slice(-70)}`);
    for (const label of hasNot) assert.ok(!labels.includes(label), `no ${label} in ${labels.join(" ")} of …${marked.slice(-70)}`);
  }
});

test("every key says what it is for, with unit, range and default where it has them", () => {
  const keys = schema.keys({ path: ["objects", "x"], keys: new Map([["kind", "string"]]) });
  assert.ok(keys.length > 15 && keys.every(({ about }) => about.length > 8));
  assert.match(keys.find(({ label }) => label === "length").about, /From 0\.0001 to 10000 m\. Default: 0\.65 m/);
});

test("no text breaks the reading of it, and its pieces are the text", () => {
  let seed = 1;
  const dice = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const letters = ["[", "]", "{", "}", '"', "'", '"""', "=", ",", "\n", "#", ".", " ", "kind", "objects", "string", "1e9", "\\", "é", "𝄞", "\t"];
  for (let n = 0; n < 3000; n++) {
    const source = [...texts.values()][dice(texts.size)];
    const at = dice(source.length);
    const text = n % 3 ? source.slice(0, at) + letters[dice(letters.length)] + source.slice(at + dice(9)) : Array.from({ length: dice(60) }, () => letters[dice(letters.length)]).join("");
    const cursor = dice(text.length + 1);
    const { at: where, tables } = survey(text, cursor);
    assert.ok(where && where.from <= Math.max(cursor, where.from) && tables.length > 0, JSON.stringify(text));
    let open = null;
    for (const line of text.split("\n")) {
      const found = pieces(line, open);
      assert.equal(found.found.map(([, piece]) => piece).join(""), line);
      open = found.open;
    }
  }
});

test("a long text is read in no time", () => {
  const long = MARIMBA.repeat(60).slice(0, 256 << 10);
  const begun = performance.now();
  survey(long, long.length);
  assert.ok(performance.now() - begun < 500, `${performance.now() - begun} ms`);
});

test("what is offered of a heavy scene leaves something out, the more the heavier it is", () => {
  for (const [name, text] of texts) {
    let before = Infinity;
    for (const load of [0.96, 1.3, 2, 3.5, 8, 100]) {
      const highest = affordable(text, schema, load);
      assert.equal(highest === null, lightened(text, schema, 1) === null, name);
      if (highest === null) break;
      assert.notEqual(lightened(text, schema, highest), null, `${name} up to ${highest} Hz is what it was`);
      assert.ok(highest <= before, `${name}: ${highest} Hz at ${load}, ${before} Hz at less`);
      before = highest;
    }
  }
  // Linear in the frequency, and where modes drive each other by its square root: 20 kHz · 0.8/2, 10 kHz · √(0.8/2.12).
  assert.equal(affordable(texts.get("harp"), schema, 2), 8000);
  assert.equal(affordable(texts.get("gong"), schema, 2.12), 6000);
  assert.equal(affordable(texts.get("tam-tam"), schema, 3.42), 4000);
});

test("what others named is never a part of the browser's own tables", async () => {
  const { readPreset, Presets } = await from("saved.js");
  const { parsed, table } = await from("kept.js");
  const preset = readPreset('{"kind":"ictus-preset","scene":"__proto__","name":"polluted","controls":{"__proto__":1,"constructor":2}}');
  assert.deepEqual(Object.keys(preset.controls), ["__proto__", "constructor"]);
  assert.ok(!("toString" in preset.parameters));
  const kept = { all: { presets: parsed('{"a":{}}') }, changed() {} };
  const presets = Object.assign(Object.create(Presets.prototype), { kept, scene: "a", tell() {} });
  const file = { name: "bad.json", size: 10, text: async () => JSON.stringify({ kind: "ictus-preset", scene: "__proto__", name: "polluted" }) };
  await presets.import(file);
  assert.equal({}.polluted, undefined);
  assert.ok("polluted" in kept.all.presets.__proto__);
  assert.ok(!("constructor" in table()));
});

test("partials are left out of everything that has them, and what remains is a scene", () => {
  const folder = mkdtempSync(join(tmpdir(), "ictus-lighter-"));
  try {
    const changed = gallery.filter((name) => {
      const text = lightened(texts.get(name), schema, 2000);
      if (text === null) return false;
      assert.ok(text.includes('highest = "2 kHz"'), name);
      assert.equal(lightened(text, schema, 4000), null, `${name}: what is lower stays`);
      writeFileSync(join(folder, `${name}.toml`), text);
      return true;
    });
    assert.ok(changed.length >= 15, changed.join(" "));
    for (const name of ["harp", "guitar-fret-buzz", "tromba-marina"]) execFileSync(program, ["check", join(folder, `${name}.toml`)], { stdio: "pipe" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
