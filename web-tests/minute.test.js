// A minute of playing without a dropout, with latency and load measured.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { browse, measured, picture, play, ready, root } from "./browser.js";

const SECONDS = 60;
const MOST = 420; // s

test(`${SECONDS} s of playing without a dropout`, async (t) => {
  const server = await play();
  const { page, close } = await browse({ width: 1000, height: 700 });
  t.after(async () => {
    await close();
    await server.stop();
  });
  await page.goto(`${server.url}?scene=tromba-marina`);
  await ready(page, "tromba-marina");
  const before = await measured(page);
  const string = before.instrument.objects.findIndex(({ kind }) => kind === "string");
  const latencies = [];
  const loads = [];
  // The buffer first finds the length that this machine needs, with all else it may be doing: a dropout makes it longer, and
  // the minute begins anew. A stream that drops out again and again never gets there.
  const begun = Date.now();
  let [since, dropouts] = [begun, before.stream.dropouts];
  for (let n = 0; Date.now() - since < 1000 * SECONDS && Date.now() - begun < 1000 * MOST; n++) {
    await page.evaluate(([string, n]) => globalThis.ictus.say(
      n % 4 ? { type: "strike", object: string, at: [0.05 + 0.9 * ((n * 0.37) % 1)], velocity: 1 + (n % 3) } : { type: "damp", object: string, at: [0.3] },
    ), [string, n]);
    if (n % 4 === 0) await page.evaluate((string) => setTimeout(() => globalThis.ictus.say({ type: "release", object: string, hand: "damp" }), 200), string);
    await page.waitForTimeout(500);
    const { latency, load, stream } = await measured(page);
    if (stream.dropouts > dropouts) [since, dropouts] = [Date.now(), stream.dropouts];
    latencies.push(latency);
    loads.push(load);
  }
  const calm = (Date.now() - since) / 1000;
  const { stream } = await measured(page);
  const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
  const result = {
    secondsWithoutDropout: Math.floor(calm),
    dropoutsBefore: dropouts,
    latencyMs: Math.round(1000 * middle(latencies)),
    loadPercent: Math.round(100 * middle(loads)),
    aheadMs: Math.round(1000 * stream.ahead),
  };
  t.diagnostic(JSON.stringify(result));
  await picture(page, "minute");
  writeFileSync(join(root, "web-tests/artefacts/minute.json"), JSON.stringify(result));
  assert.ok(calm >= SECONDS, `only ${calm} s without a dropout`);
});
