// What the tests share: the program, a browser, a page, and ways to measure what is heard.

import { chromium } from "playwright-core";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(here);
export const scenes = join(root, "scenes");
const artefacts = join(here, "artefacts");
export const program = process.env.ICTUS ?? join(root, "target/release/ictus");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--autoplay-policy=no-user-gesture-required",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Names of the gallery's scenes. */
export const gallery = readdirSync(scenes).filter((file) => file.endsWith(".toml")).map((file) => file.slice(0, -5)).sort();

/** Starts the program on a free port; resolves to its address and a way to stop it. */
export async function play(...parameters) {
  const child = spawn(program, ["play", "--no-open", ...parameters], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
      const found = said.match(/http:\/\/\S+/);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`ictus ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", (code) => resolve(code)));
  return { url, stop: () => (child.kill("SIGINT"), ended) };
}

/** Opens a browser with a profile of its own. */
export async function browse({ width = 1280, height = 860, colorScheme = "light", reducedMotion = "no-preference" } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "ictus-profile-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath, args: FLAGS, viewport: { width, height }, colorScheme, reducedMotion,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, complaints, close };
}

/** Waits until the instrument is on stage and its stream flows. */
export async function ready(page, scene) {
  const there = (scene) => {
    const { measured } = globalThis.ictus ?? {};
    return measured?.instrument && (!scene || measured.instrument.scene === scene) && measured.states > 3 && measured.stream?.flowing;
  };
  await page.waitForFunction(there, scene, { timeout: 20000 });
}

export const measured = (page) => page.evaluate(() => {
  const { stream, latency, closed, state, instrument } = globalThis.ictus.measured;
  return { stream, latency, closed, load: state.load, limiter: state.limiter, residual: state.residual, stored: state.stored, instrument };
});

/** The largest peak of the worklet's meter within so many ms. */
export async function loudest(page, time) {
  let peak = 0;
  for (const end = Date.now() + time; Date.now() < end; ) {
    peak = Math.max(peak, await page.evaluate(() => globalThis.ictus.measured.stream.peak));
    await page.waitForTimeout(60);
  }
  return peak;
}

/** Waits until the worklet's meter is above a level; the peak it then shows. */
export async function sounds(page, level) {
  const peak = await page.waitForFunction((level) => {
    const { peak } = globalThis.ictus.measured.stream;
    return peak > level && peak;
  }, level, { timeout: 8000 });
  return peak.jsonValue();
}

/** Waits until the worklet's meter has stayed below a level for a moment. */
export async function falls(page, level) {
  for (let n = 0; n < 40; n++) if ((await loudest(page, 300)) < level) return;
  throw new Error(`never below ${level}`);
}

export function picture(page, name) {
  mkdirSync(artefacts, { recursive: true });
  return page.screenshot({ path: join(artefacts, `${name}.png`) });
}

/** Records what is heard while something is done: samples of the left channel and the rate, from the page's own WAV file. */
export async function record(page, act) {
  await page.locator("#record").click();
  await act();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#record").click()]);
  const file = readFileSync(await download.path());
  const samples = Float32Array.from({ length: (file.length - 58) / 8 }, (_, n) => file.readFloatLE(58 + 8 * n));
  return { file, samples, rate: file.readUInt32LE(24) };
}

/** Pitch in Hz of a sound near an expected one: the strongest line of its spectrum within ±5 %, and how far it stands out. */
export function pitch(samples, rate, expected) {
  const windowed = samples.map((sample, n) => sample * Math.sin((Math.PI * (n + 0.5)) / samples.length) ** 2);
  const level = (frequency) => {
    const step = (2 * Math.PI * frequency) / rate;
    let [real, imaginary] = [0, 0];
    windowed.forEach((sample, n) => {
      real += sample * Math.cos(step * n);
      imaginary += sample * Math.sin(step * n);
    });
    return Math.hypot(real, imaginary);
  };
  const cents = Array.from({ length: 85 }, (_, n) => 2 * (n - 42));
  const lines = cents.map((cents) => ({ cents, level: level(expected * 2 ** (cents / 1200)) })).sort((a, b) => b.level - a.level);
  return { cents: lines[0].cents, clarity: lines[0].level / lines[lines.length >> 1].level };
}

/** How bright a sound is, in Hz: the root mean square of its slope over that of itself. */
export function brightness(samples, rate) {
  let [slope, level] = [0, 0];
  for (let n = 1; n < samples.length; n++) {
    slope += (samples[n] - samples[n - 1]) ** 2;
    level += samples[n] ** 2;
  }
  return (rate / (2 * Math.PI)) * Math.sqrt(slope / level);
}

/** Where on the page a place of an object is. */
export async function spot(page, index, at) {
  const box = await page.locator("#stage").boundingBox();
  const p = await page.evaluate(([index, at]) => globalThis.ictus.stage.items[index].point(at), [index, at]);
  return { x: box.x + p.x, y: box.y + p.y };
}
