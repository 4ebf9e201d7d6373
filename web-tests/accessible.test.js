// Everybody can play: no violation that axe finds, in any state, few stops of Tab, and no motion for those who want none.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { browse, measured, picture, play, ready } from "./browser.js";

const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const MOST_STOPS = 12;

let server;
before(async () => (server = await play()));
after(() => server.stop());

async function visit(t, scene, options) {
  const { page, close } = await browse(options);
  t.after(close);
  await page.goto(`${server.url}?scene=${scene}`);
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

test("Tab stops at a dozen places at most, and arrows go on from there", async (t) => {
  const page = await visit(t, "guitar-fret-buzz");
  const stops = [];
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const one = document.activeElement;
      return one === document.body ? null : one.id || one.dataset.key || one.getAttribute("aria-label") || one.value || one.textContent;
    });
    if (at === null) break;
    stops.push(at);
  }
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
