// The text of a scene in the page: completed, checked, played, shared and kept, with either engine.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browse, measured, picture, play, ready, root, scenes, sounds } from "./browser.js";
import { serve, site } from "./static.js";

const HAMMERED = readFileSync(join(scenes, "hammered-string.toml"), "utf8");
const HOSTILE = `<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`;

const engines = {};
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "ictus-editor-"));
  engines.served = await play();
  engines.inside = await serve(site(join(folder, "site")));
});
after(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function visit(t, address, options) {
  const browser = await browse(options);
  t.after(browser.close);
  await browser.page.goto(address);
  return browser;
}

async function edit(t, url, scene = "hammered-string", options) {
  const visited = await visit(t, `${url}?scene=${scene}`, options);
  await ready(visited.page, scene);
  await visited.page.locator("#edit").click();
  const { area } = parts(visited.page);
  await area.waitFor();
  await visited.page.waitForFunction(() => document.querySelector(".editor .text").value.includes("ictus = 1"));
  return { ...visited, ...parts(visited.page) };
}

const parts = (page) => ({ area: page.locator(".editor .text"), wrongs: page.locator(".wrongs li"), said: page.locator(".workshop .said"), offer: page.locator(".offer li") });

/** Puts a text in place of the whole. */
async function write(area, text) {
  await area.focus();
  await area.press("Control+a");
  await area.page().keyboard.insertText(text);
}

/** Puts the cursor behind a part of the text. */
const behind = (area, part) => area.evaluate((area, part) => {
  const at = area.value.indexOf(part) + part.length;
  area.focus();
  area.setSelectionRange(at, at);
}, part);

for (const name of ["served", "inside"]) {
  test(`${name}: errors are underlined as they are typed, all of them, and lead to their places`, async (t) => {
    const { page, area, wrongs, complaints } = await edit(t, engines[name].url);
    assert.equal(await area.inputValue(), HAMMERED);
    assert.equal(await wrongs.count(), 0);
    await write(area, HAMMERED.replace('kind = "string"', 'kind = "strang"').replace("stiffness = 8e8", "stifness = 8e8").replace('mass = "8 g"', 'mass = "8 s"'));
    await wrongs.nth(2).waitFor();
    const said = await wrongs.allInnerTexts();
    assert.ok(said.some((one) => /strang/.test(one) && /string/.test(one)), said.join("\n"));
    assert.ok(said.some((one) => /stifness/.test(one)), said.join("\n"));
    const line = HAMMERED.split("\n").findIndex((one) => one === 'kind = "string"') + 1;
    assert.ok(said.some((one) => one.startsWith(`${line}:`)), `${line} in ${said.join("\n")}`);
    await wrongs.first().locator("button").click();
    assert.equal(await page.locator(".row .wrong").first().innerText(), '"strang"');
    const at = await area.evaluate((area) => area.value.slice(0, area.selectionStart).split("\n").length);
    assert.equal(`${at}:`, said[0].match(/^\d+:/)[0]);
    await picture(page, `editor-error-${name}`);
    await write(area, HAMMERED);
    await page.waitForFunction(() => document.querySelectorAll(".wrongs li").length === 0);
    assert.deepEqual(complaints, []);
  });

  test(`${name}: what is written is played while the other sounds, and says so`, async (t) => {
    const { page, area, said } = await edit(t, engines[name].url);
    await page.locator("#score").click();
    await sounds(page, 1e-3);
    const { stream: before } = await measured(page);
    await write(area, HAMMERED.replace('title = "Hammered string"', `title = ${JSON.stringify(HOSTILE)}`).replace('time = "0.1 s"', 'time = "0.3 s"'));
    await area.press("Control+Enter");
    await page.waitForFunction((title) => document.getElementById("title").textContent === title, HOSTILE, { timeout: 15000 });
    assert.match(await said.innerText(), /plays as it is written/);
    await sounds(page, 1e-3);
    assert.equal(await page.locator("#title img, #title script, option img").count(), 0);
    assert.equal(await page.title(), `${HOSTILE} · ictus`);
    const { stream: after } = await measured(page);
    t.diagnostic(`${after.dropouts - before.dropouts} dropouts`);
    // A text with errors is told where it is written; what plays goes on.
    await write(area, "ictus = 2");
    await area.press("Control+Enter");
    await page.locator(".workshop .said.bad").waitFor();
    assert.match(await said.innerText(), /cannot be played yet/);
    assert.equal(await page.locator("#title").textContent(), HOSTILE);
  });

  test(`${name}: a scene is shared in a link alone, and a broken link is told`, async (t) => {
    const { page, area } = await edit(t, engines[name].url);
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await write(area, HAMMERED.replace('"Hammered string"', '"Shared string"'));
    await page.getByRole("button", { name: "Share" }).click();
    const link = page.locator(".workshop .link");
    await link.waitFor();
    const address = await link.inputValue();
    t.diagnostic(`${HAMMERED.length} letters of text, ${address.length} of the link`);
    assert.ok(address.startsWith(engines[name].url) && address.includes("#scene="), address);
    assert.ok(requests.every((url) => !url.includes("scene=")), requests.join("\n"));
    const other = await visit(t, address);
    await ready(other.page, "shared");
    assert.equal(await other.page.locator("#title").innerText(), "Shared string");
    await other.page.locator("#edit").click();
    assert.match(await parts(other.page).area.inputValue(), /"Shared string"/);
    const scene = address.split("#scene=")[1];
    const bomb = await page.evaluate(async () => {
      const zeros = new Blob([new Uint8Array(20 << 20)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const bytes = new Uint8Array(await new Response(zeros).arrayBuffer());
      let letters = "";
      for (const byte of bytes) letters += String.fromCharCode(byte);
      return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    });
    for (const [broken, expected] of [
      ["", /no scene in it/],
      [scene.slice(0, -9), /missing/],
      [`${scene.slice(0, 40)}%3Cscript%3E`, /letters in it/],
      ["AAAA", /missing or changed/],
      [bomb, /too long/],
    ]) {
      await other.page.goto("about:blank");
      await other.page.goto(`${engines[name].url}#scene=${broken}`);
      const problem = other.page.locator(".workshop .said.bad");
      await problem.waitFor({ timeout: 8000 });
      assert.match(await problem.innerText(), expected);
      await ready(other.page, "tromba-marina");
      assert.ok(await problem.isVisible(), "it is still there when something plays");
    }
  });

  test(`${name}: a shared scene is not lost when its keys are tuned, nor when something else plays`, async (t) => {
    const { page, area } = await edit(t, engines[name].url);
    await write(area, HAMMERED.replace('"Hammered string"', '"Shared string"'));
    await page.getByRole("button", { name: "Share" }).click();
    await page.waitForFunction(() => document.querySelector(".workshop .link")?.value);
    const address = await page.locator(".workshop .link").inputValue();
    await page.goto("about:blank");
    await page.goto(address);
    await ready(page, "shared");
    const { generation } = (await measured(page)).instrument;
    await page.evaluate(() => globalThis.ictus.say({ type: "tune", cents: Array.from({ length: 128 }, () => 7) }));
    await page.waitForFunction((old) => globalThis.ictus.measured.instrument.generation !== old, generation, { timeout: 20000 });
    assert.equal(page.url(), address, "it is still the shared one");
    await page.locator("#scenes").selectOption("marimba");
    await ready(page, "marimba");
    assert.match(page.url(), /\?scene=marimba$/);
    await page.locator("#scenes").selectOption("shared");
    await ready(page, "shared");
    assert.equal(await page.locator("#title").innerText(), "Shared string");
    await page.locator("#edit").click();
    await page.waitForFunction(() => document.querySelector(".editor .text").value.includes('"Shared string"'));
    await page.locator("#scenes").selectOption("marimba");
    await ready(page, "marimba");
    // The link is one step back, and what came after it one step on.
    await page.goBack();
    await ready(page, "shared");
    assert.equal(page.url(), address);
    await page.goForward();
    await ready(page, "marimba");
    // A change of a scene of the list is the page's own until the list's is chosen again.
    const own = HAMMERED.replace('"Hammered string"', '"My string"');
    await page.locator("#scenes").selectOption("hammered-string");
    await ready(page, "hammered-string");
    await page.waitForFunction(() => document.querySelector(".workshop h2").textContent === "hammered-string.toml");
    await write(area, own);
    await area.press("Control+Enter");
    await page.waitForFunction(() => document.getElementById("title").textContent === "My string", null, { timeout: 20000 });
    await page.locator("#scenes").selectOption("marimba");
    await ready(page, "marimba");
    await page.locator("#scenes").selectOption("hammered-string");
    await ready(page, "hammered-string");
    assert.equal(await page.locator("#title").innerText(), "Hammered string");
  });

  test(`${name}: a first scene that cannot be played is told, and another one can be chosen`, async (t) => {
    const { page } = await visit(t, `${engines[name].url}?scene=no-such-scene`);
    const problems = page.locator("#problems");
    await problems.waitFor({ state: "visible", timeout: 15000 });
    assert.match(await problems.innerText(), /“no-such-scene” has a problem; nothing plays yet: choose another from the list/);
    await page.locator("#scenes").selectOption("marimba");
    await ready(page, "marimba");
    assert.ok(await problems.isHidden());
  });
}

test("keys, words and names are completed from the schema, with what they are for", async (t) => {
  const { page, area, offer, complaints } = await edit(t, engines.inside.url);
  await area.press("Control+End");
  await page.keyboard.type("\n[objects.p");
  await page.keyboard.type("late]\nki");
  await offer.first().waitFor();
  assert.equal(await offer.first().innerText(), "kind");
  await page.keyboard.press("Enter");
  // The words for it are offered at once.
  await page.getByRole("option", { name: "plate", exact: true }).waitFor();
  await page.keyboard.type('"pl');
  await page.getByRole("option", { name: "plate", exact: true }).waitFor();
  assert.match(await page.locator(".offer-about").innerText(), /thin elastic plate/);
  await picture(page, "editor-completion");
  await page.keyboard.press("Tab");
  await page.keyboard.type("\nthick");
  await page.getByRole("option", { name: "thickness" }).waitFor();
  assert.match(await page.locator(".offer-about").innerText(), / m\./);
  await page.keyboard.press("Enter");
  await page.keyboard.type('"2 mm"\n\n[contacts.touch]\nfrom = "');
  await offer.first().waitFor();
  assert.deepEqual((await offer.allInnerTexts()).sort(), ["plate@0.5,0.5", "string@0.5"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await area.inputValue(), /kind = "plate"\nthickness = "2 mm"\n\n\[contacts\.touch\]\nfrom = "(string@0\.5|plate@0\.5,0\.5)"$/);
  // Undo is the browser's own.
  await page.keyboard.press("Control+z");
  assert.match(await area.inputValue(), /from = "$/);
  assert.deepEqual(complaints, []);
});

test("typing is no music, and Tab leaves the text after Esc", async (t) => {
  const { page, area } = await edit(t, engines.inside.url);
  await area.press("Control+End");
  await page.keyboard.type("\n# zsxdcvgbhnjm", { delay: 20 });
  await page.keyboard.press("Space");
  assert.equal(await page.locator(".key.down").count(), 0);
  await page.waitForTimeout(300);
  assert.equal((await measured(page)).stream.peak, 0);
  await page.keyboard.press("Tab");
  assert.match(await area.inputValue(), / {3}$/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await area.evaluate((area) => document.activeElement === area), false);
});

test("a scene from scratch plays; files come and go; what is no scene is told", async (t) => {
  const { page, area, said } = await edit(t, engines.inside.url);
  await page.getByRole("button", { name: "New" }).click();
  await area.press("Control+Enter");
  await ready(page, "untitled");
  await sounds(page, 1e-3);
  const file = page.locator(".workshop input[type=file]");
  const upload = (name, buffer) => file.setInputFiles({ name, mimeType: "text/plain", buffer });
  await upload("large.toml", Buffer.alloc(5 << 20, "# "));
  await page.locator(".workshop .said.bad").waitFor();
  assert.match(await said.innerText(), /“large\.toml” has 5\.0 MB; a page edits and plays at most 256 kB/);
  await upload("picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]));
  await page.waitForFunction(() => document.querySelector(".said").textContent.includes("is no text"));
  await upload("<b>mine</b>.toml", Buffer.from(HAMMERED));
  await page.waitForFunction(() => document.querySelector(".said").textContent.includes("Run plays it"));
  assert.equal(await page.locator(".workshop b").count(), 0);
  assert.equal(await area.inputValue(), HAMMERED);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  assert.equal(readFileSync(await download.path(), "utf8"), HAMMERED);
  // Too much in the text itself.
  await area.evaluate((area) => {
    area.value = "#".repeat(300 << 10);
    area.dispatchEvent(new InputEvent("input"));
  });
  await page.getByRole("button", { name: "Run" }).click();
  assert.match(await said.innerText(), /The text has 300 kB/);
});

test("changes of a gallery scene are there again after a reload", async (t) => {
  const { page, area } = await edit(t, engines.inside.url);
  await write(area, HAMMERED.replace('"8 g"', '"9 g"'));
  await page.reload();
  await ready(page, "hammered-string");
  await page.locator("#edit").click();
  await page.getByRole("button", { name: "Take the original" }).waitFor();
  assert.match(await area.inputValue(), /"9 g"/);
  await page.getByRole("button", { name: "Take the original" }).click();
  assert.equal(await area.inputValue(), HAMMERED);
});

test("with a file, saving writes it, and what another program wrote meanwhile is not lost", async (t) => {
  const file = join(folder, "mine.toml");
  copyFileSync(join(scenes, "hammered-string.toml"), file);
  const own = await play(file);
  t.after(() => own.stop());
  const { page, area, said } = await edit(t, own.url, "mine");
  const first = HAMMERED.replace("8 g", "10 g");
  await write(area, first);
  await area.press("Control+s");
  await page.waitForFunction(() => document.querySelector(".said").textContent.includes("is saved"));
  assert.equal(readFileSync(file, "utf8"), first);
  const theirs = HAMMERED.replace("8 g", "11 g");
  const mine = HAMMERED.replace("8 g", "12 g");
  await write(area, mine);
  writeFileSync(file, theirs);
  await area.press("Control+s");
  await page.getByRole("button", { name: "Save mine over it" }).waitFor();
  assert.match(await said.innerText(), /changed by another program/);
  assert.equal(readFileSync(file, "utf8"), theirs, "nothing is lost");
  assert.equal(await area.inputValue(), mine);
  await picture(page, "editor-conflict");
  await page.getByRole("button", { name: "Save mine over it" }).click();
  await page.waitForFunction(() => document.querySelector(".said").textContent.includes("is saved"));
  assert.equal(readFileSync(file, "utf8"), mine);
});

test("only the program's own page may ask it", async () => {
  const body = JSON.stringify({ type: "read", scene: "gong" });
  const { origin, host } = new URL(engines.served.url);
  const ask = (headers) => fetch(`${engines.served.url}ask`, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
  assert.equal((await ask({ origin })).status, 200);
  for (const headers of [{}, { origin: "http://example.org" }, { origin: "null" }, { origin, "content-type": "text/plain" }]) {
    assert.equal((await ask(headers)).status, 403, `${JSON.stringify(headers)} at ${host}`);
  }
});

test("the text and the instrument fit beside each other, in the dark and on a phone", async (t) => {
  for (const [name, options] of [
    ["light", { width: 1500, height: 950 }],
    ["dark", { width: 1500, height: 950, colorScheme: "dark" }],
    ["phone", { width: 390, height: 844 }],
  ]) {
    const { page } = await edit(t, engines.served.url, "tromba-marina", options);
    await page.waitForTimeout(300);
    await picture(page, `editor-${name}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name} scrolls sideways by ${wide}`);
    const apart = await page.evaluate(() => {
      const row = [...document.querySelectorAll(".under .row")].find((row) => row.textContent.startsWith("ictus"));
      const range = document.createRange();
      range.selectNodeContents(row);
      const { lineHeight, font } = getComputedStyle(document.querySelector(".editor .text"));
      return { under: range.getBoundingClientRect().height, line: parseFloat(lineHeight), same: getComputedStyle(row).font === font };
    });
    assert.ok(apart.same && apart.under <= apart.line, JSON.stringify(apart));
    // What is coloured lies below what is written, line by line.
    const tops = await page.evaluate(() => [...document.querySelectorAll(".under .row")].slice(0, 12).map((row) => row.getBoundingClientRect().top));
    tops.slice(1).forEach((top, n) => assert.ok(Math.abs(top - tops[n] - apart.line) < 0.01, `line ${n + 2} is ${top - tops[n]} px below the one before, of ${apart.line} px`));
    // In the panels nothing lies on anything else.
    const over = await page.evaluate(() => [...document.querySelectorAll("#settings-panel .strip")].map((strip) => strip.getBoundingClientRect()).flatMap(({ bottom }, n, all) => (all[n + 1] && bottom > all[n + 1].top ? [n] : [])));
    assert.deepEqual(over, []);
  }
});

test("names that the page completes by hand are keys of the schema", () => {
  const schema = readFileSync(join(root, "docs/scene.schema.json"), "utf8");
  const names = readFileSync(join(root, "crates/ictus-live/page/schema.js"), "utf8").match(/const NAMES = \{([^}]*)\}/)[1];
  const keys = [...names.matchAll(/(\w+): \[/g)].map(([, key]) => key);
  assert.ok(keys.length > 10);
  for (const key of keys) assert.ok(schema.includes(`"${key}": {`), key);
});
