// A microphone drives the instrument, whichever engine plays it.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browse, falls, loudest, measured, pitch, play, ready, record, scenes, sounds } from "./browser.js";
import { serve, site } from "./static.js";

const engines = {};
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "ictus-microphone-"));
  engines.program = await play();
  engines.page = await serve(site(join(folder, "site")));
});
after(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const DRIVEN = `${readFileSync(join(scenes, "hammered-string.toml"), "utf8")}
[exciters.input]
kind = "signal"
on = "string@0.3"
level = "20 N"
`;

// In place of a microphone: a tone on the second partial of the string, faint as a voice across a room; or whatever a browser refuses.
const INSTEAD = () => {
  navigator.mediaDevices.getUserMedia = async ({ audio }) => {
    globalThis.wanted = audio;
    if (globalThis.refuses) throw new DOMException("no", globalThis.refuses);
    const context = new AudioContext();
    const tone = new OscillatorNode(context, { frequency: 220 });
    const faint = new GainNode(context, { gain: 0.05 });
    const to = new MediaStreamAudioDestinationNode(context);
    tone.connect(faint).connect(to);
    tone.start();
    return to.stream;
  };
};

for (const name of ["program", "page"]) {
  test(`what a microphone hears drives the string (the engine of the ${name})`, async (t) => {
    const { page, complaints, close } = await browse();
    t.after(close);
    await page.addInitScript(INSTEAD);
    await page.goto(`${engines[name].url}?scene=hammered-string`);
    await ready(page, "hammered-string");
    const button = page.locator("#microphone");
    await button.click();
    await page.locator("#notices p", { hasText: "Nothing in this scene hears" }).waitFor({ state: "visible" });
    await page.evaluate((text) => globalThis.ictus.say({ type: "choose", scene: "driven", text }), DRIVEN);
    await ready(page, "driven");
    for (const [why, expected] of [["NotAllowedError", /was not allowed to use the microphone/], ["NotFoundError", /There is no microphone/]]) {
      await page.evaluate((why) => (globalThis.refuses = why), why);
      await button.click();
      await page.locator("#notices p", { hasText: expected }).waitFor({ state: "visible" });
      assert.equal(await button.getAttribute("aria-pressed"), "false");
    }
    assert.equal(await loudest(page, 500), 0, "it is at rest");
    await page.evaluate(() => (globalThis.refuses = null));
    await button.click();
    await page.locator("#notices p", { hasText: "Wear headphones" }).waitFor({ state: "visible" });
    assert.equal(await page.evaluate(() => globalThis.wanted.echoCancellation), false);
    const peak = await sounds(page, 1e-3);
    await page.waitForTimeout(1500);
    const { samples, rate } = await record(page, () => page.waitForTimeout(1500));
    const { cents, clarity } = pitch(samples.subarray(-rate), rate, 220);
    t.diagnostic(`peak ${peak.toFixed(4)}, ${cents} cents from 220 Hz, ${clarity.toFixed(0)} times its surroundings`);
    assert.ok(Math.abs(cents) <= 4 && clarity > 3, `${cents} cents, ${clarity}`);
    await button.click();
    assert.equal(await button.getAttribute("aria-pressed"), "false");
    await page.waitForTimeout(300);
    await page.keyboard.press("Escape");
    await falls(page, 1e-6);
    assert.equal((await measured(page)).closed, null);
    assert.deepEqual(complaints, []);
  });
}
