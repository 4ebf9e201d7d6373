// A minute of playing without a dropout, with latency and load measured.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { browse, measured, picture, play, ready, root } from "./browser.js";

const SECONDS = 60;

test(`${SECONDS} s of playing without a dropout`, async (t) => {
  const server = await play();
  const { page, close } = await browse({ width: 1000, height: 700 });
  t.after(async () => {
    await close();
    await server.stop();
  });
  await page.goto(`${server.url}?scene=tromba-marina`);
  await ready(page, "tromba-marina");
  // The buffer first finds the length that this machine, with all else it may be doing, needs: ten calm seconds.
  const dropouts = async () => (await measured(page)).stream.dropouts;
  for (let [calm, last, n] = [0, await dropouts(), 0]; calm < 10 && n < 90; n++) {
    await page.waitForTimeout(1000);
    const now = await dropouts();
    calm = now === last ? calm + 1 : 0;
    last = now;
  }
  const before = await measured(page);
  const string = before.instrument.objects.findIndex(({ kind }) => kind === "string");
  const latencies = [];
  const loads = [];
  const begun = Date.now();
  for (let n = 0; Date.now() - begun < 1000 * SECONDS; n++) {
    await page.evaluate(([string, n]) => globalThis.ictus.say(
      n % 4 ? { type: "strike", object: string, at: [0.05 + 0.9 * ((n * 0.37) % 1)], velocity: 1 + (n % 3) } : { type: "damp", object: string, at: [0.3] },
    ), [string, n]);
    if (n % 4 === 0) await page.evaluate((string) => setTimeout(() => globalThis.ictus.say({ type: "release", object: string, hand: "damp" }), 200), string);
    await page.waitForTimeout(500);
    const { latency, load } = await measured(page);
    latencies.push(latency);
    loads.push(load);
  }
  const { stream } = await measured(page);
  const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
  const result = {
    seconds: SECONDS,
    dropouts: stream.dropouts - before.stream.dropouts,
    dropoutsWhileStarting: before.stream.dropouts,
    latencyMs: Math.round(1000 * middle(latencies)),
    loadPercent: Math.round(100 * middle(loads)),
    aheadMs: Math.round(1000 * stream.ahead),
  };
  t.diagnostic(JSON.stringify(result));
  await picture(page, "minute");
  writeFileSync(join(root, "web-tests/artefacts/minute.json"), JSON.stringify(result));
  assert.equal(result.dropouts, 0);
});
