// The impact lab: the numbers of `ictus impact --json`, drawn, tabled, and in the page's address; with the program and without it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browse, picture, play, program, root } from "./browser.js";
import { serve, site } from "./static.js";

const engines = {};
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "ictus-lab-"));
  engines.served = await play();
  engines.inside = await serve(site(join(folder, "site")));
});
after(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const { PRESETS } = await import(join(root, "crates/ictus-live/page/presets.js"));
const printed = (question) => JSON.parse(execFileSync(program, ["impact", "--json", ...Object.entries(question).map(([key, value]) => `--${key}=${value}`)], { encoding: "utf8" }));

async function visit(t, address, options) {
  const { page, complaints, close } = await browse(options);
  t.after(close);
  await page.goto(address);
  await answered(page, 0);
  return { page, complaints };
}

const answered = (page, before) => page.waitForFunction((before) => globalThis.lab?.answers > before, before, { timeout: 15000 });
const answer = (page) => page.evaluate(() => globalThis.lab.answer);

for (const name of ["served", "inside"]) {
  test(`${name}: every preset has the numbers that the program prints, to the last bit`, async (t) => {
    const { page, complaints } = await visit(t, `${engines[name].url}lab.html`);
    for (const [n, { name: preset, question }] of PRESETS.entries()) {
      const before = await page.evaluate(() => globalThis.lab.answers);
      await page.locator("#preset").selectOption(String(n));
      await answered(page, before);
      const { document, tracks } = await answer(page);
      assert.deepEqual(document, printed({ scheme: "am1,rk4,secant", ...question }), preset);
      assert.equal(tracks.length, 1 + document.schemes.filter(({ failure }) => failure === null).length, preset);
      assert.ok(await page.locator("#problem").isHidden());
    }
    assert.deepEqual(complaints, []);
  });
}

test("the table is the one that the program prints", async (t) => {
  const { page } = await visit(t, `${engines.inside.url}lab.html`);
  await page.locator("#preset").selectOption("1");
  await page.waitForFunction(() => globalThis.lab.answer.document.schemes.length === 4);
  // P09's Table 1 (b), errors of the output velocity in %.
  const cells = await page.$$eval("#errors tbody tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(cells.map((row) => [row[0], row[5]]), [["am1", "+2.551"], ["verlet", "+0.839"], ["heun", "-4.692"], ["rk4", "-0.105"]]);
  const said = execFileSync(program, ["impact", "--scheme=am1,verlet,heun,rk4"], { encoding: "utf8" });
  for (const row of cells) assert.ok(said.split("\n").some((line) => line.trim().split(/\s+/).join(" ") === row.join(" ")), `${row.join(" ")} in\n${said}`);
  for (const value of await page.$$eval("#exact dd", (all) => all.map((one) => one.textContent))) assert.ok(said.includes(value), value);
});

test("a picture is linked by its address, and drawn live", async (t) => {
  const { page, complaints } = await visit(t, `${engines.inside.url}lab.html?stiffness=1e8&velocity=2&scheme=rk4,secant`);
  assert.equal(await page.locator("#stiffness").inputValue(), "1e8");
  assert.deepEqual(await page.$$eval("#schemes input:checked", (all) => all.map(({ value }) => value)), ["rk4", "secant"]);
  const curve = () => page.locator('.chart path[data-track="secant"]').first().getAttribute("d");
  const drawn = await curve();
  assert.ok(drawn.split("L").length > 10);
  const before = await page.evaluate(() => globalThis.lab.answers);
  await page.locator("#mass").fill("2e-2");
  await answered(page, before);
  assert.equal(new URL(page.url()).searchParams.get("mass"), "2e-2");
  assert.notEqual(await curve(), drawn);
  const { document } = await answer(page);
  assert.deepEqual(document, printed({ stiffness: "1e8", velocity: "2", mass: "2e-2", scheme: "rk4,secant" }));
  await page.locator("#law").selectOption("one-sided-power");
  await page.waitForFunction(() => globalThis.lab.answer.document.problem.dissipation === 0);
  assert.ok(await page.locator("#exact").getByText("none (lossless)").isVisible());
  await page.reload();
  await answered(page, 0);
  assert.equal(await page.locator("#law").inputValue(), "one-sided-power");
  assert.deepEqual(complaints, []);
});

test("what is not allowed is said beside the form, and nothing of an address is markup", async (t) => {
  const { page, complaints } = await visit(t, `${engines.inside.url}lab.html`);
  for (const [field, value, expected] of [
    ["mass", "-1", /mass is -1, but must be a finite number above 0/],
    ["rate", "<b>x</b>", /rate is "<b>x<\/b>"/],
    ["duration", "40", /choose fewer schemes|at most/],
  ]) {
    await page.locator(`#${field}`).fill(value);
    await page.waitForFunction((text) => !document.getElementById("problem").hidden && document.getElementById("problem").textContent.includes(text), field);
    assert.match(await page.locator("#problem").innerText(), expected);
    if (field !== "duration") assert.equal(await page.locator(`#${field}`).getAttribute("aria-invalid"), "true");
    await page.locator(`#${field}`).fill("");
    await page.locator("#problem").waitFor({ state: "hidden" });
  }
  assert.equal(await page.locator(".lab b").count(), 0);
  assert.deepEqual(complaints, []);
});

test("the lab fits a desk, the dark and a phone", async (t) => {
  for (const [name, options] of [
    ["light", { width: 1400, height: 950 }],
    ["dark", { width: 1400, height: 950, colorScheme: "dark" }],
    ["phone", { width: 390, height: 844 }],
  ]) {
    const { page } = await visit(t, `${engines.inside.url}lab.html?phase=0.3&scheme=am1,heun,rk4,secant`, options);
    await picture(page, `lab-${name}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name} scrolls sideways by ${wide}`);
    const nameless = await page.$$eval("button, input, select", (all) => all.filter((one) => !one.labels?.length && !one.getAttribute("aria-label")).length);
    assert.equal(nameless, 0);
  }
});
