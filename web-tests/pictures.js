// Renews the documentation's pictures of the page, from the page itself: `npm run pictures`. Look at them before you keep them.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { browse, play, ready, root, sounds, spot } from "./browser.js";

const [server, shapes] = [await play(), await play(join(root, "web-tests/scenes/shapes.toml"))];

/** Opens a page, does something, and keeps what is then seen as a picture of the documentation. */
async function picture(name, address, options, act) {
  const { page, close } = await browse(options);
  await page.goto(address);
  await act(page);
  const file = join(root, "docs", `${name}.png`);
  await page.screenshot({ path: file });
  process.stdout.write(`${file}, ${readFileSync(file).length} bytes\n`);
  await close();
}

/** The tromba marina, bowed by its score. */
async function bowed(page) {
  await ready(page, "tromba-marina");
  await page.locator("#score").click();
  await sounds(page, 1e-2);
  await page.waitForTimeout(1500);
}

/** Bodies of all kinds, each struck. */
async function struck(page) {
  await ready(page, "shapes");
  const { objects } = await page.evaluate(() => globalThis.ictus.measured.instrument);
  for (const [name, at] of [["gong", [0.85, 0.6]], ["head", [0.4, 0.4]], ["glass", [0.2, 0.3]], ["board", [0.4, 0.4]], ["bar", [0.5]], ["tine", [0.7]]]) {
    const { x, y } = await spot(page, objects.findIndex((object) => object.name === name), at);
    await page.mouse.click(x, y);
  }
  await page.waitForTimeout(300);
}

/** A scene with two mistakes. */
async function wrong(page) {
  await ready(page, "hammered-string");
  await page.locator("#edit").click();
  await page.waitForFunction(() => document.querySelector(".editor .text")?.value.includes("ictus = 1"));
  const area = page.locator(".editor .text");
  const text = (await area.inputValue()).replace('kind = "string"', 'kind = "strang"').replace("stiffness = 4e8", "stifness = 4e8");
  await area.focus();
  await area.press("Control+a");
  await page.keyboard.insertText(text);
  await page.locator(".wrongs li").nth(1).waitFor();
  await page.locator(".wrongs li button").first().click();
}

const desk = { width: 1400, height: 900 };
await picture("play-light", `${server.url}?scene=tromba-marina`, desk, bowed);
await picture("play-dark", `${server.url}?scene=tromba-marina`, { ...desk, colorScheme: "dark" }, bowed);
await picture("play-phone", `${server.url}?scene=tromba-marina`, { width: 390, height: 844 }, bowed);
await picture("play-shapes", `${shapes.url}?scene=shapes`, desk, struck);
await picture("editor-error", `${server.url}?scene=hammered-string`, { width: 1500, height: 950 }, wrong);
await picture("lab", `${server.url}lab.html?phase=0.3&scheme=am1,heun,rk4,secant`, { width: 1400, height: 950 }, (page) => page.waitForFunction(() => globalThis.lab?.answers > 0));
await Promise.all([server.stop(), shapes.stop()]);
