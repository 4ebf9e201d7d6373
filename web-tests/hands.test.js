// The page played as a musician would: keys, hands, silence; with the program's engine and with the one inside the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browse, loudest, measured, picture, play, program, ready, sounds, spot } from "./browser.js";
import { serve } from "./static.js";

const folder = mkdtempSync(join(tmpdir(), "ictus-site-"));
let server, site;
before(async () => (server = await play()));
after(async () => {
  await server.stop();
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The page with the engine inside it. */
async function written() {
  if (!site) {
    execFileSync(program, ["site", "-o", join(folder, "site")]);
    site = await serve(join(folder, "site"));
  }
  return site.url;
}

/** A test with either engine. */
function played(what, act) {
  for (const engine of ["program", "page"]) {
    test(`${what} (the engine of the ${engine})`, async (t) => {
      const { page, complaints, close } = await browse();
      t.after(close);
      const address = engine === "program" ? server.url : await written();
      const open = async (scene) => {
        await page.goto(`${address}?scene=${scene}`);
        await ready(page, scene);
        await listen(page);
      };
      await act({ page, open, t, engine });
      assert.deepEqual(complaints, []);
    });
  }
}

/** Keeps what the page says to its engine. */
const listen = (page) => page.evaluate(() => {
  const { engine } = globalThis.ictus.link;
  const say = engine.say.bind(engine);
  globalThis.said = [];
  engine.say = (message) => {
    globalThis.said.push(message);
    say(message);
  };
});

/** What the page has said since the last time, of some types. */
const said = (page, ...types) => page.evaluate((types) => globalThis.said.splice(0).filter(({ type }) => types.includes(type)), types);

const object = async (page, fits) => (await measured(page)).instrument.objects.findIndex(fits);

played("keys play whatever has the focus, and Space presses no button that a pointer pressed", async ({ page, open }) => {
  await open("marimba");
  await page.locator("#scenes").selectOption("piano");
  await ready(page, "piano");
  await page.locator("#scenes").focus();
  await said(page);
  await page.keyboard.press("KeyV");
  await page.keyboard.press("KeyM");
  const notes = await said(page, "note-on", "note-off", "choose");
  assert.deepEqual(notes.map(({ type }) => type), ["note-on", "note-off", "note-on", "note-off"]);
  assert.equal(await page.locator("#scenes").inputValue(), "piano");
  await page.locator("#mute").click();
  await page.keyboard.press("Space");
  assert.equal(await page.locator("#mute").getAttribute("aria-pressed"), "true");
  assert.deepEqual((await said(page, "sustain")).map(({ on }) => on), [true, false]);
  // Reached by Tab, a button is pressed by Space.
  await page.locator("#scenes").focus();
  for (let n = 0; n < 3 && (await page.evaluate(() => document.activeElement.closest("#sound"))) === null; n++) await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  const focused = await page.evaluate(() => document.activeElement.id);
  await page.keyboard.press("Space");
  assert.deepEqual([focused, await said(page, "sustain")], ["peak", []]);
});

played("every key of the computer ends the note that it began, and none hangs", async ({ page, open }) => {
  await open("piano");
  await page.keyboard.down("KeyZ");
  await page.keyboard.down("KeyQ");
  const begun = (await said(page, "note-on")).map(({ key }) => key);
  assert.equal(begun[1] - begun[0], 12);
  await page.keyboard.press("BracketRight");
  await page.keyboard.up("KeyZ");
  assert.deepEqual((await said(page, "note-off")).map(({ key }) => key), [begun[0]], "one of two, an octave apart, is let go");
  await page.keyboard.down("Space");
  await page.evaluate(() => dispatchEvent(new Event("blur")));
  assert.deepEqual(await said(page, "note-off", "sustain"), [{ type: "sustain", on: true }, { type: "note-off", key: begun[1] }, { type: "sustain", on: false }]);
});

played("in Auto a press strikes, at once; along it bows, across it plucks", async ({ page, open }) => {
  await open("hammered-string");
  const string = await object(page, ({ kind }) => kind === "string");
  const at = await spot(page, string, [0.437]);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  assert.deepEqual((await said(page, "strike", "bow", "pull")).map(({ type }) => type), ["strike"]);
  await sounds(page, 1e-3);
  for (let n = 1; n < 8; n++) await page.mouse.move(at.x + 6 * n, at.y + 1);
  await page.waitForTimeout(100);
  await page.mouse.up();
  const bowed = await said(page, "strike", "bow", "pull", "release");
  assert.ok(bowed.length > 1 && bowed.slice(0, -1).every(({ type }) => type === "bow"), JSON.stringify(bowed));
  assert.deepEqual(bowed.at(-1), { type: "release", object: string, hand: "bow" });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let n = 1; n < 8; n++) await page.mouse.move(at.x, at.y - 5 * n);
  await page.mouse.up();
  const pulled = (await said(page, "strike", "bow", "pull", "release")).map(({ type, hand }) => hand ?? type);
  assert.equal(pulled.filter((type) => type === "bow").length, 0);
  assert.deepEqual([pulled[0], pulled.at(-2), pulled.at(-1)], ["strike", "pull", "pull"]);
});

played("a sweep over the harp plucks its strings in turn, one over the marimba strikes its bars", async ({ page, open, t }) => {
  await open("harp");
  const sweep = async (kind) => {
    const { objects } = (await measured(page)).instrument;
    const lines = objects.flatMap((one, index) => (one.kind === kind ? [index] : []));
    const ends = [await spot(page, lines[0], [0.5]), await spot(page, lines.at(-1), [0.5])];
    const from = { x: ends[0].x - 12, y: ends[0].y };
    await page.mouse.move(from.x, from.y);
    await said(page);
    await page.mouse.down();
    await page.mouse.move(ends[1].x + 8, ends[1].y, { steps: 12 });
    await page.mouse.up();
    return { lines, messages: await said(page, "strike", "pluck", "pull") };
  };
  const harp = await sweep("string");
  assert.deepEqual(harp.messages.filter(({ type }) => type === "pluck").map(({ object }) => object).filter((one, n, all) => all.indexOf(one) === n).slice(-harp.lines.length + 1), harp.lines.slice(1));
  // A busy machine takes its time to pluck them all.
  await page.waitForFunction((lines) => lines.filter((index) => globalThis.ictus.measured.state.objects[index].energy > 1e-9).length >= lines.length - 1, harp.lines, { timeout: 5000 });
  await picture(page, "sweep");
  await open("marimba");
  const marimba = await sweep("bar");
  const struck = new Set(marimba.messages.filter(({ type }) => type === "strike").map(({ object }) => object));
  t.diagnostic(`${harp.lines.length} strings, ${struck.size} of ${marimba.lines.length} bars`);
  assert.ok(struck.size >= marimba.lines.length - 1, `${struck.size} of ${marimba.lines.length}`);
});

played("every finger plays; a second one on a string that is held damps it", async ({ page, open }) => {
  await open("harp");
  const { objects } = (await measured(page)).instrument;
  const [one, other] = objects.flatMap(({ kind }, index) => (kind === "string" ? [index] : [])).slice(1, 3);
  const [a, b] = [await spot(page, one, [0.4]), await spot(page, other, [0.4])];
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  await page.locator("#hands label", { hasText: "Bow" }).click();
  await said(page);
  await touch("touchStart", a);
  await touch("touchStart", a, b);
  for (let n = 1; n < 6; n++) {
    await touch("touchMove", { x: a.x, y: a.y + 8 * n }, { x: b.x, y: b.y + 8 * n });
    await page.waitForTimeout(20);
  }
  const bowed = new Set((await said(page, "bow")).map(({ object }) => object));
  assert.deepEqual([...bowed].sort((x, y) => x - y), [one, other]);
  await touch("touchEnd");
  assert.deepEqual((await said(page, "release")).map(({ object, hand }) => [object, hand]).sort(), [[one, "bow"], [other, "bow"]]);
  await touch("touchStart", a);
  await touch("touchStart", a, { x: a.x, y: a.y + 50 });
  assert.ok((await said(page, "damp")).some(({ object }) => object === one));
  await touch("touchEnd");
});

played("every gesture is there by keyboard, at any place", async ({ page, open }) => {
  await open("harp");
  await page.locator("#stage").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const [struck] = await said(page, "strike");
  const { objects } = (await measured(page)).instrument;
  assert.equal(objects[struck.object].kind, "string");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Shift+Enter");
  assert.deepEqual((await said(page, "damp", "release")).map(({ type, object }) => [type, object - struck.object]), [["damp", 1], ["release", 1]]);
  for (const [name, kind] of [["Bow", "bow"], ["Pluck", "pull"]]) {
    await page.locator("#hands label", { hasText: name }).click();
    await page.locator("#stage").focus();
    await page.keyboard.down("Enter");
    await page.waitForTimeout(120);
    await page.keyboard.up("Enter");
    const messages = await said(page, kind, "release");
    assert.equal(messages[0].type, kind);
    assert.deepEqual(messages.at(-1), { type: "release", object: messages[0].object, hand: kind });
  }
});

played("volume and mute change what is heard, Esc is silence, and nothing starts by itself", async ({ page, open }) => {
  await open("bouncing-ball");
  const gain = () => page.evaluate(() => globalThis.ictus.link.volume.gain.value);
  assert.ok(Math.abs((await gain()) - 1) < 0.01);
  await page.locator("#mute").click();
  await page.waitForFunction(() => globalThis.ictus.link.volume.gain.value < 1e-3);
  await page.locator("#mute").click();
  await page.locator("#volume").fill("0.5");
  await page.waitForFunction(() => Math.abs(20 * Math.log10(globalThis.ictus.link.volume.gain.value) + 30) < 0.5);
  for (const rest of [() => page.keyboard.press("Escape"), () => page.getByRole("button", { name: "Rest" }).click()]) {
    const plate = await object(page, ({ playable, shape }) => playable && shape);
    await page.evaluate((plate) => globalThis.ictus.say({ type: "strike", object: plate, at: [0.4, 0.4], velocity: 3 }), plate);
    await sounds(page, 1e-4);
    await rest();
    await page.waitForTimeout(500);
    assert.ok((await loudest(page, 2000)) < 1e-5, "the ball does not fall");
  }
});

played("the keys that are drawn are those that sound, with their names", async ({ page, open }) => {
  const drawn = () => page.evaluate(() => [...document.querySelectorAll("#keys [data-key]")].map((key) => [Number(key.dataset.key), key.querySelector("span").textContent, key.querySelector("kbd").textContent]));
  for (const [scene, names] of [["tanpura", ["C2", "G2", "C3"]], ["tromba-marina", ["C2", "C3", "G3", "C4", "E4", "C5"]], ["gong", ["Play"]], ["hinge", ["Play"]]]) {
    await open(scene);
    const keys = await drawn();
    assert.deepEqual(keys.map(([, name]) => name), names, scene);
    await picture(page, `keys-${scene}`);
  }
  for (const [scene, count, low] of [["guitar-fret-buzz", 37, "E2"], ["harp", 17, "C3"], ["marimba", 30, "G2"]]) {
    await open(scene);
    const keys = await drawn();
    assert.deepEqual([keys.length, keys[0][1]], [count, low], scene);
    assert.ok(keys.filter(([, , letter]) => letter).length >= Math.min(count, 17), scene);
    const wide = await page.evaluate(() => document.getElementById("keys").scrollWidth - document.getElementById("keys").clientWidth);
    assert.ok(wide <= 1, `${scene}: cut off by ${wide} px`);
    await picture(page, `keys-${scene}`);
  }
});
