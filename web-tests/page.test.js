// The page in a real browser: it loads, plays, is played, and says what is wrong.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { brightness, browse, falls, measured, picture, pitch, play, ready, record, scenes, sounds, spot } from "./browser.js";

let server;
before(async () => (server = await play()));
after(async () => assert.equal(await server.stop(), 0, "Ctrl-C ends it cleanly"));

async function visit(t, scene, options) {
  const { page, complaints, close } = await browse(options);
  t.after(close);
  await page.goto(`${server.url}${scene ? `?scene=${scene}` : ""}`);
  await ready(page, scene);
  return { page, complaints };
}

test("the page loads without a complaint and begins with the tromba marina", async (t) => {
  const { page, complaints } = await visit(t);
  assert.equal((await measured(page)).instrument.scene, "tromba-marina");
  assert.equal(await page.title(), "Tromba marina · ictus");
  await page.waitForTimeout(1000);
  assert.deepEqual(complaints, []);
});

test("a bow drawn by pointer sounds on at the string's pitch", async (t) => {
  const { page } = await visit(t, "hammered-string");
  const { instrument } = await measured(page);
  const string = instrument.objects.findIndex(({ kind }) => kind === "string");
  const { pitch: expected } = instrument.objects[string];
  const [from, to] = [await spot(page, string, [0.12]), await spot(page, string, [0.95])];
  const { samples, rate } = await record(page, async () => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    const begun = Date.now();
    for (let time = 0; time < 2400; time = Date.now() - begun) {
      await page.mouse.move(from.x + (time / 2400) * (to.x - from.x), from.y);
      await page.waitForTimeout(12);
    }
    await picture(page, "bowing");
    await page.mouse.up();
  });
  // Past the start, before the bow leaves.
  const begun = samples.findIndex((sample) => Math.abs(sample) > 1e-4);
  const bowed = samples.subarray(begun + 0.8 * rate, begun + 1.8 * rate);
  const level = Math.sqrt(bowed.reduce((sum, sample) => sum + sample * sample, 0) / bowed.length);
  assert.ok(bowed.length > 0.9 * rate && level > 1e-2, `level ${level} over ${bowed.length} samples`);
  const { cents, clarity } = pitch(bowed, rate, expected);
  t.diagnostic(`${expected.toFixed(2)} Hz bowed ${cents} cents off, line ${clarity.toFixed(1)} times its surroundings`);
  assert.ok(clarity > 3, `a line ${clarity} times its surroundings`);
  assert.ok(Math.abs(cents) < 20, `${cents} cents`);
});

test("click, pull and second touch strike, pluck and damp", async (t) => {
  const { page } = await visit(t, "hammered-string");
  const { instrument } = await measured(page);
  const string = instrument.objects.findIndex(({ kind }) => kind === "string");
  const at = await spot(page, string, [0.437]);
  await page.mouse.click(at.x, at.y);
  const struck = await sounds(page, 1e-3);
  await page.keyboard.down("Shift");
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await falls(page, 0.1 * struck);
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let n = 1; n <= 10; n++) await page.mouse.move(at.x, at.y - 5 * n);
  await page.waitForTimeout(150);
  await picture(page, "plucking");
  await page.mouse.up();
  await sounds(page, Math.max(1e-3, 0.2 * struck));
});

test("sliders change what is heard", async (t) => {
  const { page } = await visit(t, "hammered-string");
  const slider = page.locator('input[data-parameter$=".stiffness"]').first();
  const struck = async (position) => {
    await slider.evaluate((input, position) => {
      input.closest("details").open = true;
      input.value = position;
      input.dispatchEvent(new Event("input"));
    }, position);
    await page.getByRole("button", { name: "Rest" }).click();
    const { samples, rate } = await record(page, async () => {
      await page.locator("#score").click();
      await page.waitForTimeout(1200);
      await page.locator("#score").click();
    });
    assert.ok(samples.some((sample) => Math.abs(sample) > 1e-3));
    return brightness(samples, rate);
  };
  const soft = await struck(0.2);
  const hard = await struck(0.8);
  t.diagnostic(`brightness ${soft.toFixed(0)} Hz with soft felt, ${hard.toFixed(0)} Hz with hard`);
  assert.ok(hard > 1.2 * soft, `${soft} ${hard}`);
});

test("an error of a scene's file is shown with line and column, and goes when it is mended", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "ictus-scene-"));
  const file = join(folder, "mine.toml");
  copyFileSync(join(scenes, "hammered-string.toml"), file);
  const own = await play(file);
  const { page, close } = await browse();
  t.after(async () => {
    await close();
    await own.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await page.goto(own.url);
  await ready(page, "mine");
  const text = readFileSync(file, "utf8");
  const line = text.split("\n").findIndex((one) => one.startsWith("kind")) + 1;
  writeFileSync(file, text.replace(/^kind = .*$/m, 'kind = "strang"'));
  const problems = page.locator("#problems");
  await problems.waitFor({ state: "visible", timeout: 8000 });
  assert.match(await problems.innerText(), new RegExp(`line ${line}, column \\d+`));
  await picture(page, "scene-error");
  writeFileSync(file, text);
  await problems.waitFor({ state: "hidden", timeout: 8000 });
});

test("keys, rules and recording do what they say", async (t) => {
  const { page } = await visit(t, "marimba");
  await page.keyboard.down("KeyB");
  await sounds(page, 1e-3);
  await page.keyboard.up("KeyB");
  await page.locator("#rule-b").click();
  assert.equal(await page.locator("#rule-b").getAttribute("aria-pressed"), "true");
  const { file, samples } = await record(page, async () => {
    await page.keyboard.press("KeyV");
    await page.waitForTimeout(600);
  });
  assert.equal(file.toString("latin1", 0, 4) + file.toString("latin1", 8, 12), "RIFFWAVE");
  assert.equal(file.readUInt32LE(54), file.length - 58);
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  assert.ok(peak > 1e-3 && peak <= 1, `recorded ${peak}`);
});

test("a MIDI instrument plays notes and turns controls", async (t) => {
  const { page } = await visit(t, "hammered-string");
  // An instrument as the browser would show it; what it plays is what a keyboard sends.
  await page.evaluate(() => {
    const input = { name: "Keys" };
    globalThis.sends = (...bytes) => input.onmidimessage({ data: Uint8Array.from(bytes) });
    Object.defineProperty(navigator, "requestMIDIAccess", { value: async () => ({ inputs: new Map([["1", input]]) }) });
  });
  await page.locator("#midi").click();
  await page.waitForFunction(() => document.getElementById("midi").getAttribute("aria-pressed") === "true");
  const controls = (await measured(page)).instrument.controls;
  const turned = controls.findIndex(({ midi }) => midi !== null);
  const value = () => page.evaluate((n) => globalThis.ictus.measured.state.controls[n], turned);
  const before = await value();
  await page.evaluate(() => globalThis.sends(0x90, 45, 110));
  await sounds(page, 1e-3);
  await page.evaluate(() => globalThis.sends(0x80, 45, 0));
  await page.evaluate((number) => globalThis.sends(0xb0, number, 127), controls[turned].midi);
  await page.waitForTimeout(400);
  assert.ok((await value()) > before);
});

test("it looks right in the light, in the dark, on a phone, and everything has a name", async (t) => {
  for (const [name, options] of [
    ["light", { width: 1400, height: 900 }],
    ["dark", { width: 1400, height: 900, colorScheme: "dark" }],
    ["phone", { width: 390, height: 844 }],
  ]) {
    const { page } = await visit(t, "tromba-marina", options);
    const string = (await measured(page)).instrument.objects.findIndex(({ kind }) => kind === "string");
    const at = await spot(page, string, [0.12]);
    await page.mouse.click(at.x, at.y);
    await page.waitForTimeout(350);
    await picture(page, name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name} scrolls sideways by ${wide}`);
    const nameless = await page.$$eval("button, input, select", (all) =>
      all.filter((one) => one.checkVisibility() && !one.labels?.length && !one.textContent.trim() && !one.getAttribute("aria-label") && !one.title).map((one) => one.outerHTML));
    assert.deepEqual(nameless, []);
  }
});
