// What is set: kept, undone, learned, saved as presets; the stream that comes back; other devices; and what is recorded.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { browse, measured, play, program, ready, record, scenes, sounds } from "./browser.js";
import { serve, site } from "./static.js";

async function visit(t, parameters = [], options = {}, start = () => play(...parameters)) {
  const server = await start();
  const { page, complaints, close } = await browse(options);
  t.after(async () => {
    await close();
    await server.stop();
  });
  return { server, page, complaints };
}

const folder = mkdtempSync(join(tmpdir(), "ictus-settings-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let copy = null;

/** A test with either engine: `act` takes the test and how to visit the page. */
function set(what, act) {
  test(`${what} (the engine of the program)`, (t) => act(t, () => visit(t)));
  test(`${what} (the engine of the page)`, (t) => act(t, () => visit(t, [], {}, () => serve((copy ??= site(join(folder, "site")))))));
}

const turn = (page, name, position) => page.locator(`input[data-control="${name}"]`).evaluate((input, position) => {
  input.value = position;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}, position);

/** Where a control of the engine stands. */
const standing = (page, name) => page.evaluate((name) => {
  const { instrument, state } = globalThis.ictus.measured;
  return state.controls[instrument.controls.findIndex((control) => control.name === name)];
}, name);

async function stands(page, name, value) {
  const there = ([name, value]) => {
    const { instrument, state } = globalThis.ictus.measured;
    const found = state?.controls[instrument.controls.findIndex((control) => control.name === name)];
    return Math.abs(found / value - 1) < 1e-3;
  };
  await page.waitForFunction(there, [name, value], { timeout: 20000 });
}

test("what is turned stays when the file is saved, when the program starts anew and when the page is loaded again", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "ictus-kept-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "mine.toml");
  copyFileSync(join(scenes, "hammered-string.toml"), file);
  let server = await play("--port", "18431", file);
  const { page, complaints, close } = await browse();
  t.after(async () => {
    await close();
    await server.stop();
  });
  await page.goto(server.url);
  await ready(page, "mine");
  await turn(page, "felt", 0.9);
  await page.locator("#theme").click();
  await page.waitForTimeout(300);
  const felt = await standing(page, "felt");
  assert.ok(felt > 1e10, `${felt}`);
  // Saved.
  const { generation } = (await measured(page)).instrument;
  writeFileSync(file, readFileSync(file, "utf8").replace('title = "', 'title = "New: '));
  await page.waitForFunction((old) => globalThis.ictus.measured.instrument.generation !== old, generation, { timeout: 10000 });
  await stands(page, "felt", felt);
  assert.match(await page.locator("#title").innerText(), /^New: /);
  // The program ends, and comes back.
  await server.stop();
  await page.locator("#problems").waitFor({ state: "visible", timeout: 8000 });
  assert.match(await page.locator("#problems").innerText(), /goes on by itself/);
  const begun = Date.now();
  server = await play("--port", "18431", file);
  await page.locator("#problems").waitFor({ state: "hidden", timeout: 15000 });
  t.diagnostic(`back ${Date.now() - begun} ms after the program was started`);
  await stands(page, "felt", felt);
  await page.keyboard.press("KeyN");
  await sounds(page, 1e-3);
  // The page is loaded again.
  await page.reload();
  await ready(page, "mine");
  await stands(page, "felt", felt);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.locator("#restore").click();
  await page.waitForFunction(() => !document.getElementById("undo").disabled);
  assert.ok((await standing(page, "felt")) !== felt || (await page.waitForTimeout(400), await standing(page, "felt")) < 0.5 * felt);
  assert.deepEqual(complaints.filter((one) => !/WebSocket|ERR_CONNECTION/.test(one)), []);
});

set("what was turned is undone and done again; presets are kept, exported, read back, and refused with a reason", async (t, visit) => {
  const { server, page } = await visit();
  await page.goto(`${server.url}?scene=hammered-string`);
  await ready(page, "hammered-string");
  const first = await standing(page, "felt");
  await turn(page, "felt", 0.2);
  await page.waitForTimeout(900);
  await turn(page, "felt", 0.8);
  await page.waitForTimeout(300);
  const hard = await standing(page, "felt");
  await page.locator("#preset-name").fill("Hard & <b>fast</b>");
  await page.keyboard.press("KeyZ"); // typed, not played
  await page.locator("#preset-save").click();
  await page.keyboard.press("Control+KeyZ");
  await page.waitForFunction((hard) => Math.abs(globalThis.ictus.measured.state.controls[0] / hard - 1) > 0.5, hard);
  await page.keyboard.press("Control+KeyZ");
  await stands(page, "felt", first);
  await page.keyboard.press("Control+Shift+KeyZ");
  await page.keyboard.press("Control+Shift+KeyZ");
  await stands(page, "felt", hard);
  await page.keyboard.press("Control+KeyZ");
  await page.locator("#presets").selectOption({ index: 1 });
  await stands(page, "felt", hard);
  assert.equal(await page.locator("#presets option").nth(1).innerText(), "Hard & <b>fast</b>z");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#preset-export").click()]);
  const text = readFileSync(await download.path(), "utf8");
  const preset = JSON.parse(text);
  assert.deepEqual([preset.kind, preset.scene], ["ictus-preset", "hammered-string"]);
  assert.ok(Math.abs(preset.controls.felt / hard - 1) < 1e-6);
  const give = (name, content) => page.locator("#preset-file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
  await give("other.json", JSON.stringify({ ...preset, name: "Soft", controls: { felt: 2e7, unheard: 3 } }));
  await stands(page, "felt", 2e7);
  for (const [content, reason] of [
    ["{", /it is no JSON/],
    ['{"kind":"song"}', /its `kind` is not/],
    [JSON.stringify({ ...preset, controls: { felt: "loud" } }), /`controls.felt` must be a number/],
    [JSON.stringify({ ...preset, scene: "gong" }), /is a preset of “gong”/],
    [" ".repeat(1 << 19), /at most 256 KiB/],
  ]) {
    await give("bad.json", content);
    await page.locator("#notices p", { hasText: reason }).waitFor({ state: "visible", timeout: 4000 });
  }
  await stands(page, "felt", 2e7);
});

set("controllers are learned, and MPE plays every note by itself", async (t, visit) => {
  const { server, page } = await visit();
  await page.goto(`${server.url}?scene=bowed-bar`);
  await ready(page, "bowed-bar");
  await page.evaluate(() => {
    const input = { name: "Keys" };
    globalThis.sends = (...bytes) => input.onmidimessage({ data: Uint8Array.from(bytes) });
    Object.defineProperty(navigator, "requestMIDIAccess", { value: async () => ({ inputs: new Map([["1", input]]) }) });
    const { engine } = globalThis.ictus.link;
    const say = engine.say.bind(engine);
    globalThis.said = [];
    engine.say = (message) => (globalThis.said.push(message), say(message));
  });
  await page.locator("#midi").click();
  await page.locator("#notices p", { hasText: "Listening to Keys" }).waitFor();
  await page.locator("#learn").click();
  await page.locator('input[data-control="rosin"]').focus();
  await page.evaluate(() => globalThis.sends(0xb0, 21, 0));
  await page.locator("#notices p", { hasText: "Controller 21 turns rosin" }).waitFor();
  await page.evaluate(() => globalThis.sends(0xb3, 21, 127));
  await stands(page, "rosin", 500);
  const said = (type) => page.evaluate((type) => globalThis.said.splice(0).filter((message) => message.type === type), type);
  // A zone of two members; their wheels reach 48 semitones.
  await page.evaluate(() => [[0xb0, 101, 0], [0xb0, 100, 6], [0xb0, 6, 2]].forEach((bytes) => globalThis.sends(...bytes)));
  await page.evaluate(() => [[0x91, 60, 100], [0x92, 64, 100]].forEach((bytes) => globalThis.sends(...bytes)));
  await said("");
  await page.evaluate(() => globalThis.sends(0xe2, 0, 96));
  assert.deepEqual(await said("bend-note"), [{ type: "bend-note", key: 64, semitones: 24 }]);
  await page.evaluate(() => globalThis.sends(0xd1, 127));
  const [{ key, control, value }] = await said("express");
  const { controls } = (await measured(page)).instrument;
  assert.deepEqual([key, controls[control].midi, value], [60, 11, controls[control].range[1]]);
  assert.equal(await page.locator("#notices p", { hasText: "there is no" }).count(), 0);
  // What a channel says before its note is meant for that note.
  await page.evaluate(() => [[0xd2, 64], [0x82, 64, 0], [0xd2, 32], [0x92, 65, 90]].forEach((bytes) => globalThis.sends(...bytes)));
  const [, next] = await said("express");
  const [low, high] = controls[control].range;
  const at = controls[control].logarithmic ? low * (high / low) ** (32 / 127) : low + (32 / 127) * (high - low);
  assert.equal(next.key, 65);
  assert.ok(Math.abs(next.value / at - 1) < 1e-9, `${next.value}, ${at}`);
  // The pressure of one key, of instruments without MPE.
  await page.evaluate(() => [[0x90, 61, 90], [0xa0, 61, 127]].forEach((bytes) => globalThis.sends(...bytes)));
  assert.deepEqual(await said("express"), [{ type: "express", key: 61, control, value: high }]);
  // Bars do not bend: the page says so, once.
  await page.evaluate(() => [[0xe2, 0, 70], [0xe0, 0, 90]].forEach((bytes) => globalThis.sends(...bytes)));
  assert.equal(await page.locator("#notices p", { hasText: "Nothing in this scene bends" }).count(), 1);
});

set("the meter shows the peak of what is heard, and a click forgets it", async (t, visit) => {
  const { server, page, complaints } = await visit();
  await page.goto(`${server.url}?scene=hammered-string`);
  await ready(page, "hammered-string");
  const meter = page.locator("#meter");
  assert.equal(await meter.getAttribute("aria-valuenow"), "-60");
  assert.equal(await page.locator("#peak").innerText(), "–");
  let shown = [];
  const { samples } = await record(page, async () => {
    await page.evaluate(() => globalThis.ictus.say({ type: "note-on", key: 45, velocity: 0.2 }));
    await sounds(page, 1e-3);
    // The highest is held for two seconds.
    for (let n = 0; n < 12; n++) {
      await page.waitForTimeout(100);
      shown.push([await page.locator("#peak").innerText(), Number(await meter.getAttribute("aria-valuenow"))]);
    }
  });
  const peak = 20 * Math.log10(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
  const highest = Math.max(...shown.map(([text]) => parseFloat(text)));
  t.diagnostic(`${peak.toFixed(2)} dB recorded on the left, ${highest} dB shown`);
  // It shows the larger one of both channels, to a tenth.
  assert.ok(peak < -3 && highest >= peak - 0.06 && highest < peak + 3, `${highest} dB shown, ${peak} dB recorded`);
  assert.ok(shown.some(([, level]) => level > highest - 12));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.getElementById("meter").getAttribute("aria-valuenow") === "-60", null, { timeout: 10000 });
  await page.locator("#peak").click();
  await page.waitForFunction(() => document.getElementById("peak").textContent === "–", null, { timeout: 5000 });
  assert.deepEqual(complaints, []);
});

set("refusals and what the browser cannot do are seen", async (t, visit) => {
  const { server, page } = await visit();
  await page.goto(server.url);
  await ready(page);
  await page.evaluate(() => globalThis.ictus.say({ type: "set", parameter: "hammer.stifness", value: 1 }));
  await page.locator("#notices p", { hasText: "there is no parameter `hammer.stifness`" }).waitFor({ state: "visible" });
  await page.evaluate(() => Object.defineProperty(navigator, "requestMIDIAccess", { value: undefined }));
  await page.locator("#midi").click();
  const line = page.locator("#notices p", { hasText: "MIDI is not available in this browser" });
  await line.waitFor({ state: "visible" });
  await line.getByRole("button").click();
  await line.waitFor({ state: "detached" });
});

test("after dropouts the buffer shrinks within ten seconds, and a click takes it back at once", async (t) => {
  const child = spawn(program, ["play", "--no-open", "hammered-string"], { stdio: ["ignore", "pipe", "inherit"] });
  const { page, close } = await browse();
  t.after(async () => {
    await close();
    child.kill("SIGKILL");
  });
  const url = await new Promise((resolve) => child.stdout.on("data", (data) => resolve(String(data).match(/http:\/\/\S+/)[0])));
  await page.goto(url);
  await ready(page);
  await page.waitForTimeout(2500);
  const stall = async () => {
    child.kill("SIGSTOP");
    await page.waitForTimeout(600);
    child.kill("SIGCONT");
    await page.waitForFunction(() => globalThis.ictus.measured.stream.flowing && globalThis.ictus.measured.stream.ahead > 0.25, null, { timeout: 8000 });
  };
  await stall();
  const begun = Date.now();
  await page.waitForFunction(() => globalThis.ictus.measured.stream.ahead < 0.06, null, { timeout: 30000 });
  const took = (Date.now() - begun) / 1000;
  t.diagnostic(`from 0.3 s to less than 0.06 s in ${took.toFixed(1)} s`);
  assert.ok(took < 10, `${took} s`);
  await stall();
  assert.notEqual(await page.locator("#dropouts").innerText(), "0");
  await page.locator("#dropouts").click();
  await page.waitForFunction(() => globalThis.ictus.measured.stream.ahead < 0.06, null, { timeout: 1000 });
});

set("FLAC is what WAV is, by another decoder", async (t, visit) => {
  const { server, page } = await visit();
  await page.goto(`${server.url}?scene=hammered-string`);
  await ready(page, "hammered-string");
  const record = async (format) => {
    await page.locator("#format").selectOption(format);
    await page.evaluate(() => globalThis.ictus.say({ type: "reset" }));
    await page.locator("#record").click();
    await page.evaluate(() => globalThis.ictus.say({ type: "note-on", key: 45, velocity: 0.8 }));
    await page.waitForTimeout(900);
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#record").click()]);
    return { name: download.suggestedFilename(), file: readFileSync(await download.path()) };
  };
  const { name, file } = await record("flac");
  assert.equal(name, "hammered-string.flac");
  assert.equal(file.toString("latin1", 0, 4), "fLaC");
  // The browser decodes it; what it heard, quantised to 24 bits, is encoded again by the page's own module and compared.
  const compared = await page.evaluate(async (bytes) => {
    const rate = globalThis.ictus.link.context.sampleRate;
    const decode = async (file) => {
      const { numberOfChannels, length, sampleRate, ...rest } = await new OfflineAudioContext(2, 128, rate).decodeAudioData(file).then((buffer) => ({
        numberOfChannels: buffer.numberOfChannels, length: buffer.length, sampleRate: buffer.sampleRate, left: buffer.getChannelData(0), right: buffer.getChannelData(1),
      }));
      return { numberOfChannels, length, sampleRate, ...rest };
    };
    const recorded = await decode(Uint8Array.from(bytes).buffer);
    const { flac } = await import("./flac.js");
    // Silence, noise at full scale, a swept tone, and lengths that fill no block.
    const length = 3 * 4096 + 777;
    const samples = new Float32Array(2 * length);
    let seed = 1;
    for (let n = 0; n < length; n++) {
      seed = (1103515245 * seed + 12345) % 2147483648;
      samples[2 * n] = n < 5000 ? 0 : 0.7 * Math.sin(1e-5 * n * n);
      samples[2 * n + 1] = n < 9000 ? 0.3 * Math.sin(0.03 * n) : seed / 1073741824 - 1;
    }
    samples[100] = 1;
    samples[101] = -1;
    const made = await decode(flac(samples, rate));
    let worst = made.length === length ? 0 : Infinity;
    for (let n = 0; n < length; n++) {
      worst = Math.max(worst, Math.abs(made.left[n] - samples[2 * n]), Math.abs(made.right[n] - samples[2 * n + 1]));
    }
    return { recorded: { length: recorded.length, rate: recorded.sampleRate, peak: recorded.left.reduce((most, x) => Math.max(most, Math.abs(x)), 0) }, rate, worst };
  }, [...file]);
  t.diagnostic(`${file.length} bytes for ${compared.recorded.length} frames, largest difference ${compared.worst.toExponential(1)}`);
  assert.ok(compared.worst <= 2 ** -23, `${compared.worst}`);
  assert.ok(compared.recorded.peak > 1e-3 && compared.recorded.length > 0.5 * compared.rate);
  const wav = await record("wav");
  assert.equal(wav.name, "hammered-string.wav");
});

test("a page without an audio thread plays too, as on a phone in the network", async (t) => {
  const { server, page, complaints } = await visit(t, [], { width: 390, height: 844 });
  await page.addInitScript(() => Object.defineProperty(BaseAudioContext.prototype, "audioWorklet", { value: undefined }));
  await page.goto(`${server.url}?scene=harp`);
  await ready(page, "harp");
  await page.keyboard.press("KeyV");
  await sounds(page, 1e-3);
  const { latency, stream } = await measured(page);
  t.diagnostic(`latency ${(1000 * latency).toFixed(0)} ms, ahead ${(1000 * stream.ahead).toFixed(0)} ms`);
  assert.deepEqual(complaints.filter((one) => !/ScriptProcessor|deprecated/i.test(one)), []);
});

test("other devices are invited by an address with a token, and its QR code", async (t) => {
  const child = spawn(program, ["play", "--no-open", "--lan", "hammered-string"], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  let text = "";
  child.stdout.on("data", (data) => (text += data));
  for (let n = 0; n < 100 && !/until the program ends|in no network/.test(text); n++) await new Promise((done) => setTimeout(done, 100));
  const port = text.match(/127\.0\.0\.1:(\d+)/)[1];
  const invited = text.match(/http:\/\/([\d.]+):(\d+)\/\?token=([0-9a-f]{32})/);
  if (!invited) {
    assert.match(text, /in no network/);
    return;
  }
  assert.equal(invited[2], port);
  assert.ok(/[▀▄█]/.test(text), "a QR code");
  const { page, close } = await browse();
  t.after(close);
  // Another address of this machine stands for that of the network.
  const other = `http://127.0.0.2:${port}/`;
  assert.equal((await page.goto(other)).status(), 403);
  await page.goto(`${other}?token=${invited[3]}`);
  await ready(page, "hammered-string");
  assert.ok(!page.url().includes("token"), page.url());
  await page.keyboard.press("KeyN");
  await sounds(page, 1e-3);
});

set("a scale of Scala tunes the keys, in every scene, and stays; what is no scale is refused with its line", async (t, visit) => {
  const { server, page } = await visit();
  await page.goto(`${server.url}?scene=music-box`);
  await ready(page, "music-box");
  const pitches = () => page.evaluate(() => Object.fromEntries(globalThis.ictus.measured.instrument.objects.map(({ name, pitch }) => [name, pitch])));
  const equal = await pitches();
  const again = async (act, scene = "music-box") => {
    const { generation } = (await measured(page)).instrument;
    await act();
    await page.waitForFunction((old) => globalThis.ictus.measured.instrument.generation !== old && globalThis.ictus.measured.states > 3, generation, { timeout: 20000 });
    await ready(page, scene);
  };
  const give = (...files) => page.locator("#tuning-file").setInputFiles(files.map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })));
  const just = "! just.scl\n!\nJust\n 12\n!\n16/15\n9/8\n6/5\n5/4\n4/3\n45/32\n3/2\n8/5\n5/3\n9/5\n15/8\n2/1\n";
  await again(() => give(["just.scl", just]));
  const tuned = await pitches();
  const cents = (one, other) => 1200 * Math.log2(one / other);
  const ratio = (high, low) => tuned[`comb.${high}`] / tuned[`comb.${low}`];
  // A4 stays, and the intervals are the scale's, from C on.
  assert.ok(Math.abs(cents(tuned["comb.A4"], equal["comb.A4"])) < 1e-3);
  for (const [high, low, expected] of [["G4", "C4", 3 / 2], ["E4", "C4", 5 / 4], ["A4", "C4", 5 / 3], ["C5", "C4", 2]]) {
    assert.ok(Math.abs(cents(ratio(high, low), expected)) < 0.01, `${low} to ${high}: ${cents(ratio(high, low), expected)} cents`);
  }
  // Ten equal steps for the octave, from middle C at 256 Hz: keys repeat after ten.
  const ten = `ten\n10\n${Array.from({ length: 10 }, (_, n) => `${120 * (n + 1)}.`).join("\n")}\n`;
  await again(() => give(["ten.scl", ten], ["c256.kbm", "0\n0\n127\n60\n60\n256.0\n0\n"]));
  const decimal = await pitches();
  assert.ok(Math.abs(decimal["comb.C4"] - 256) < 1e-3 && Math.abs(cents(decimal["comb.A#4"] , 512)) < 0.01, JSON.stringify(decimal));
  await page.reload();
  await ready(page, "music-box");
  await page.waitForFunction(() => Math.abs(globalThis.ictus.measured.instrument.objects.find(({ name }) => name === "comb.C4").pitch - 256) < 1e-3);
  await again(() => page.locator("#tuning-equal").click());
  assert.deepEqual(await pitches(), equal);
  for (const [name, text, reason] of [
    ["bad.scl", "x\n2\nfifth\n2/1\n", /bad\.scl: line 3: a pitch is cents/],
    ["short.scl", "x\n12\n2/1\n", /1 pitches of the 12/],
    ["bad.kbm", "12\n0\n", /no keyboard map/],
    ["song.mid", "x", /must end in/],
  ]) {
    await give([name, text]);
    await page.locator("#notices p", { hasText: reason }).waitFor({ state: "visible", timeout: 4000 });
  }
});
