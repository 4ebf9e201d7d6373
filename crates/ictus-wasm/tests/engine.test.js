// The engine in WebAssembly: it imports nothing, plays what the program plays to the bit, and says what is wrong.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Engine, RATE, folder, gallery, module, rendered } from "./engine.js";

const LOOK_AHEAD = 63; // frames that the limiter holds a sound back
const CEILING = 0.89; // below this the limiter changes nothing
// ICTUS_WHOLE_SCORES=1 compares every score from its beginning to its end, some minutes of sound.
const SECONDS = process.env.ICTUS_WHOLE_SCORES ? Infinity : 1;
const FADE = 2; // s at the end of a rendered file in which a scene may fade out

test("the module imports nothing, so that any thread can make an instance of it", () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

for (const scene of gallery) {
  test(`${scene} is to the bit what the program renders`, (t) => {
    const engine = new Engine([scene]);
    const [, instrument] = engine.hello(scene);
    assert.equal(instrument.type, "instrument");
    // What falls by itself has no score.
    const seconds = Math.min(SECONDS, instrument.score || 1);
    const { samples, channels } = rendered(scene, seconds + FADE);
    engine.say({ type: "score", play: true });
    const frames = Math.floor(seconds * RATE);
    const begun = performance.now();
    const heard = engine.frames(frames + LOOK_AHEAD);
    t.diagnostic(`${((1000 * frames) / RATE / (performance.now() - begun)).toFixed(1)} times real time, ${channels} channels`);
    let [peak, different] = [0, 0];
    for (let n = 0; n < frames; n++) {
      for (const side of [0, 1]) {
        const expected = samples[channels * n + Math.min(side, channels - 1)];
        peak = Math.max(peak, Math.abs(expected));
        if (!Object.is(heard[2 * (n + LOOK_AHEAD) + side] + 0, expected + 0)) different += 1;
      }
    }
    assert.ok(channels <= 2 && peak < CEILING, `${channels} channels, peak ${peak}`);
    assert.ok(peak > 0, "it sounds");
    assert.equal(different, 0, `${different} of ${2 * frames} samples differ`);
  });
}

test("without vector instructions the samples are the same", () => {
  const plain = new WebAssembly.Module(readFileSync(join(folder, "engine-plain.wasm")));
  assert.deepEqual(WebAssembly.Module.imports(plain), []);
  for (const scene of ["tromba-marina", "bronze-plate"]) {
    const [expected, heard] = [module, plain].map((code) => {
      const engine = new Engine([scene], code);
      engine.hello(scene);
      engine.say({ type: "score", play: true });
      return engine.frames(RATE / 4);
    });
    assert.ok(expected.some((sample) => sample !== 0));
    assert.deepEqual(heard, expected, scene);
  }
});

test("a strike sounds, and a state with the description's numbers comes with it", () => {
  const engine = new Engine(["hammered-string"]);
  const [welcome, instrument] = engine.hello();
  assert.deepEqual(welcome.scenes.map(({ name }) => name), ["hammered-string"]);
  assert.ok(engine.frames(4800).every((sample) => sample === 0), "silent before");
  const string = instrument.objects.findIndex(({ kind }) => kind === "string");
  assert.deepEqual(engine.say({ type: "strike", object: string, at: [0.3], velocity: 2 }), []);
  assert.ok(engine.frames(9600).some((sample) => Math.abs(sample) > 1e-3));
  const length = engine.calls.state();
  const numbers = instrument.objects.reduce((sum, { points }) => sum + 2 + points[0] * points[1], instrument.contacts.length + instrument.controls.length);
  assert.equal(length, 32 + 4 * numbers);
  assert.equal(engine.calls.state(), 0, "the next state comes with later audio");
});

test("the page is welcomed with the list, and the tromba marina comes first", () => {
  const [welcome, instrument] = new Engine().hello();
  assert.deepEqual(welcome.scenes.map(({ name }) => name), gallery);
  assert.ok(welcome.scenes.every(({ name, title }) => title && title !== name));
  assert.equal(instrument.scene, "tromba-marina");
  assert.equal(new Engine(["snare", "gong"]).hello()[1].scene, "gong", "without it, the first by name");
  assert.equal(new Engine([]).hello()[1].type, "problems", "without any, it says so");
});

test("what a server ends a connection for ends this conversation too", () => {
  const hello = JSON.stringify({ type: "hello", version: 2, rate: RATE });
  for (const [code, ...messages] of [
    ["malformed", ""],
    ["malformed", "{}"],
    ["malformed", "\ud800"],
    ["oversized", "x".repeat(1 << 20)],
    ["hello", '{"type":"reset"}'],
    ["hello", '{"type":"hello","version":2,"rate":1}'],
    ["hello", hello, hello],
    ["version", '{"type":"hello","version":1,"rate":48000}'],
  ]) {
    const engine = new Engine(["hammered-string"]);
    const replies = messages.flatMap((message) => engine.say(message));
    assert.deepEqual([replies.at(-1).type, replies.at(-1).code], ["error", code], messages[0]);
    assert.deepEqual(engine.hello(), [], "it has ended");
    assert.equal(engine.calls.audio(), 0);
  }
});

test("a text of the page's own fades in for what plays, and errors of it are told with their places", () => {
  const engine = new Engine(["hammered-string"]);
  const { text } = engine.ask({ type: "read", scene: "hammered-string" });
  engine.hello();
  engine.say({ type: "score", play: true });
  assert.ok(engine.frames(9600).some((sample) => Math.abs(sample) > 1e-3));
  engine.say({ type: "choose", scene: "mine", text: text.replace('kind = "string"', 'kind = "strang"') });
  engine.fade();
  const [problems] = engine.replies();
  assert.deepEqual([problems.type, problems.scene], ["problems", "mine"]);
  assert.ok(problems.problems[0].line > 0 && problems.problems[0].length > 0);
  assert.ok(engine.frames(4800).some((sample) => Math.abs(sample) > 1e-3), "what played goes on");
  engine.say({ type: "choose", scene: "mine", text });
  engine.fade();
  assert.deepEqual(engine.replies().map(({ type, scene }) => [type, scene]), [["instrument", "mine"]]);
  assert.ok(engine.frames(4800).every((sample) => sample === 0), "it is at rest");
  // While a page is silent, nothing fades: what it chooses is built at once.
  assert.deepEqual(engine.say({ type: "choose", scene: "hammered-string" }), []);
  engine.calls.settle();
  assert.equal(engine.replies()[0].scene, "hammered-string");
});

test("questions are answered beside what plays", () => {
  const engine = new Engine(["hammered-string"]);
  const held = engine.ask({ type: "read", scene: "hammered-string" });
  assert.equal(held.type, "text");
  assert.match(held.text, /title = "/);
  assert.equal(held.writable, false);
  assert.deepEqual(engine.ask({ type: "check", text: held.text, rate: RATE }), { type: "checked", problems: [] });
  const { problems } = engine.ask({ type: "check", text: "ictus = 1\ntitle = 3\nnonsense = 1\n", rate: RATE });
  assert.ok(problems.length >= 2, JSON.stringify(problems));
  assert.equal(engine.ask({ type: "check", text: "#".repeat(5 << 20), rate: RATE }).type, "refused");
  assert.equal(engine.ask({ type: "save", scene: "hammered-string", text: "", version: held.version }).type, "refused");
  assert.match(engine.ask({ type: "nonsense" }).message, /no question/);
});

test("a list that is none is told", () => {
  const engine = new Engine([]);
  engine.shelve("<!doctype html>");
  const [{ type, message }] = engine.replies();
  assert.equal(type, "error");
  assert.match(message, /the list of scenes cannot be read/);
});

test("a scene in error and a refused gesture leave what plays alone", () => {
  const engine = new Engine(["hammered-string"]);
  engine.hello();
  assert.deepEqual(engine.say({ type: "choose", scene: "<b>" }), [], "first it fades out");
  engine.fade();
  assert.equal(engine.replies()[0].type, "problems");
  assert.equal(engine.say({ type: "strike", object: 999, at: [0.5], velocity: 1 })[0].type, "refused");
  engine.calls.took(NaN);
  engine.say({ type: "strike", object: 0, at: [0.5], velocity: 1 });
  assert.ok(engine.frames(4800).some((sample) => sample !== 0), "it plays on");
});
