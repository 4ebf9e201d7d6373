// Everybody can play: no violation that axe finds, in any state, few stops of Tab, and no motion for those who want none.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browse, measured, picture, play, ready } from "./browser.js";
import { serve, site as write } from "./static.js";

const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const MOST_STOPS = 12;

let server, site, folder;
before(async () => {
  server = await play();
  folder = mkdtempSync(join(tmpdir(), "ictus-accessible-"));
  site = await serve(write(join(folder, "site")));
});
after(async () => {
  await server.stop();
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function visit(t, scene, options, { url } = server) {
  const { page, close } = await browse(options);
  t.after(close);
  await page.goto(`${url}?scene=${scene}`);
  await ready(page, scene);
  return page;
}

/** What axe finds wrong, in short. */
async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary.replace(/\s+/g, " ")}`));
}

// One state at a time, each on top of the one before.
const STATES = [
  ["at rest", () => {}],
  ["with everything opened", () => document.querySelectorAll("details").forEach((one) => (one.open = true))],
  ["with notices, a problem, and everything pressed", () => {
    globalThis.ictus.say({ type: "set", parameter: "nothing", value: 1 });
    globalThis.ictus.say({ type: "choose", scene: "no-such-scene" });
    for (const id of ["mute", "rule-b", "learn", "score", "record"]) document.getElementById(id).click();
    return new Promise((done) => setTimeout(done, 1200));
  }],
  ["while keys are down", () => [48, 52, 60].forEach((key) => document.querySelector(`[data-key="${key}"]`)?.classList.add("down"))],
];

for (const [width, height] of [[1400, 900], [390, 844]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing at ${width} px in the ${colorScheme}`, async (t) => {
      for (const scene of ["marimba", "tromba-marina"]) {
        const page = await visit(t, scene, { width, height, colorScheme });
        for (const [state, reach] of STATES) {
          await page.evaluate(reach);
          assert.deepEqual(await violations(page), [], `${scene} ${state}`);
        }
        if (scene === "marimba") await picture(page, `states-${width}-${colorScheme}`);
        await page.context().close();
      }
    });
  }
}

const LOOKS = [
  ["light", { width: 1400, height: 900 }],
  ["dark", { width: 1400, height: 900, colorScheme: "dark" }],
  ["phone", { width: 390, height: 844 }],
];

for (const [look, options] of LOOKS) {
  test(`axe finds nothing in the page with its engine inside, the editor, the lab and the documentation (${look})`, async (t) => {
    const page = await visit(t, "marimba", options, site);
    assert.deepEqual(await violations(page), [], "the page");
    await page.locator("#edit").click();
    await page.waitForFunction(() => document.querySelector(".editor .text")?.value.includes("ictus = 1"));
    assert.deepEqual(await violations(page), [], "the editor");
    const area = page.locator(".editor .text");
    await area.press("Control+Home");
    await page.keyboard.type("nonsense = 1\n");
    await page.locator(".wrongs li").first().waitFor();
    await area.press("Control+End");
    await page.keyboard.type("\n[objects.p");
    await page.keyboard.type("late]\nki");
    await page.locator(".offer li").first().waitFor();
    assert.deepEqual(await violations(page), [], "the editor with an error and an offer");
    await page.goto(`${site.url}lab.html?phase=0.3&scheme=am1,secant`);
    await page.waitForFunction(() => globalThis.lab?.answers > 0);
    assert.deepEqual(await violations(page), [], "the lab");
    await page.locator("#mass").fill("-1");
    await page.locator("#problem").waitFor({ state: "visible" });
    assert.deepEqual(await violations(page), [], "the lab with a mistake");
    for (const name of ["docs", "gallery", "play", "physics", "scenes", "validation", "benchmarks"]) {
      await page.goto(`${site.url}${name}.html`);
      if (name === "docs") await page.locator("#search").fill("stiffness");
      if (name === "docs") await page.locator("#found a").first().waitFor();
      assert.deepEqual(await violations(page), [], name);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name} scrolls sideways by ${wide} px`);
    }
  });
}

/** What Tab stops at, from the top of a page to its end. */
async function stopsOf(page) {
  const stops = [];
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const one = document.activeElement;
      return one === document.body ? null : one.id || one.dataset.key || one.getAttribute("aria-label") || one.value || one.textContent;
    });
    if (at === null) break;
    stops.push(at);
  }
  return stops;
}

test("Tab stops at a dozen places of the lab at most, and the editor adds three", async (t) => {
  const page = await visit(t, "guitar-fret-buzz", {}, site);
  const without = await stopsOf(page);
  await page.locator("#edit").click();
  const area = page.locator(".editor .text");
  await page.waitForFunction(() => document.querySelector(".editor .text")?.value.includes("ictus = 1"));
  await area.press("Control+Home");
  await page.keyboard.type("nonsense = 1\nnothing = 2\n");
  await page.locator(".wrongs li").nth(1).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".skip").focus();
  const editing = [];
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => (document.activeElement.closest(".workshop") ? document.activeElement.textContent || document.activeElement.getAttribute("aria-label") : document.activeElement === document.body ? null : ""));
    // Tab is written in the text, unless Esc comes before.
    if (await area.evaluate((area) => area === document.activeElement)) await page.keyboard.press("Escape");
    if (at === null) break;
    if (at) editing.push(at);
  }
  t.diagnostic(`${without.length} stops, and of the editor: ${editing.join(", ")}`);
  assert.ok(editing.length >= 2 && editing.length <= 3, editing.join(", "));
  await page.goto(`${site.url}lab.html`);
  await page.waitForFunction(() => globalThis.lab?.answers > 0);
  const lab = await stopsOf(page);
  t.diagnostic(`the lab: ${lab.join(", ")}`);
  assert.ok(lab.length > 3 && lab.length <= MOST_STOPS, lab.join(", "));
  await page.locator("#mass").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.id), "stiffness");
  await page.goto(`${site.url}docs.html`);
  assert.match((await stopsOf(page))[5], /search/);
});

test("Tab stops at a dozen places at most, and arrows go on from there", async (t) => {
  const page = await visit(t, "guitar-fret-buzz");
  const stops = await stopsOf(page);
  t.diagnostic(stops.join(", "));
  assert.ok(stops.length > 5 && stops.length <= MOST_STOPS, `${stops.length}: ${stops}`);
  const reached = await page.evaluate(() => {
    const all = [...document.querySelectorAll("button, input, select, summary")].filter((one) => one.offsetParent !== null && !one.disabled);
    return all.filter((one) => one.tabIndex < 0 && !one.closest("#sound, #keys, #settings-panel, #controls-panel, #objects-panel, #contacts-panel, #tools, #documents")).map((one) => one.outerHTML);
  });
  assert.deepEqual(reached, [], "what is no stop is in a group");
  await page.locator("#keys [data-key]").first().focus();
  await page.keyboard.press("End");
  const { notes } = (await measured(page)).instrument;
  assert.equal(await page.evaluate(() => Number(document.activeElement.dataset.key)), notes.at(-1));
});

test("who wants little motion gets little", async (t) => {
  const page = await visit(t, "harp", { reducedMotion: "reduce" });
  const pictures = await page.evaluate(async () => {
    const { stage } = globalThis.ictus;
    let count = 0;
    const draw = stage.draw.bind(stage);
    stage.draw = () => (count += 1, draw());
    const begun = performance.now();
    let frames = 0;
    while (performance.now() - begun < 1500) await new Promise(requestAnimationFrame), (frames += 1);
    delete stage.draw;
    return count / frames;
  });
  assert.ok(pictures < 0.25, `${pictures} of all pictures`);
});
