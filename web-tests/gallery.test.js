// Every scene of the gallery draws and sounds, and falls silent again.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browse, falls, gallery, measured, picture, play, ready, sounds } from "./browser.js";

let server, browser;
before(async () => {
  server = await play();
  browser = await browse();
  await browser.page.goto(server.url);
  await ready(browser.page);
});
after(async () => {
  await browser.close();
  await server.stop();
});

/** How many different colours a part of the stage has: an empty one has few. */
const colours = (page) => page.evaluate(() => {
  const canvas = document.getElementById("stage");
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4 * 7) if (data[at + 3] > 0) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  return seen.size;
});

/** The farthest that anything is drawn from where it rests, of the room it has, in some pictures. */
const moved = (page) => page.evaluate(async () => {
  const { stage } = globalThis.ictus;
  let most = 0;
  stage.items.forEach((item) => {
    if (!item) return;
    const { point } = Object.getPrototypeOf(item);
    item.point = function watched(at, u = 0) {
      most = Math.max(most, Math.abs(u) / item.amplitude || 0);
      return point.call(this, at, u);
    };
  });
  for (let n = 0; n < 600 && most < 1e-3; n++) await new Promise(requestAnimationFrame);
  for (const item of stage.items) delete item?.point;
  return most;
});

for (const scene of gallery) {
  test(`${scene} draws, sounds when struck, and decays`, async (t) => {
    const { page, complaints } = browser;
    await page.selectOption("#scenes", scene);
    await ready(page, scene);
    // Everything that can be played is on the stage.
    const missing = await page.evaluate(() => {
      const { stage, measured: { instrument } } = globalThis.ictus;
      return instrument.objects.filter(({ playable }, index) => playable && !stage.items[index]).map(({ name }) => name);
    });
    assert.deepEqual(missing, []);
    const strike = page.getByRole("button", { name: /^Strike / }).first();
    const moving = moved(page);
    await strike.click();
    const struck = await sounds(page, 1e-4);
    assert.ok(struck <= 1, `struck: ${struck}`);
    assert.ok((await colours(page)) > 3);
    assert.ok((await moving) > 1e-3, "what is struck moves on the stage");
    await picture(page, `scene-${scene}`);
    await page.getByRole("button", { name: "Rest" }).click();
    await falls(page, Math.max(0.02 * struck, 1e-5));
    const { load } = await measured(page);
    t.diagnostic(`peak ${struck.toFixed(4)}, load ${(100 * load).toFixed(0)} %`);
    assert.deepEqual(complaints.splice(0), []);
  });
}

test("a struck string falls silent when it is damped", async () => {
  const { page } = browser;
  await page.selectOption("#scenes", "hammered-string");
  await ready(page, "hammered-string");
  await page.getByRole("button", { name: /^Strike / }).first().click();
  const struck = await sounds(page, 1e-3);
  for (let n = 0; n < 4; n++) {
    await page.getByRole("button", { name: /^Damp / }).first().click();
    await page.waitForTimeout(700);
  }
  await falls(page, 0.02 * struck);
});
