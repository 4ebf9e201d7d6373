// `npm run load`: what each scene of the gallery costs inside a page, in processor time per second of sound, with vectors and without.
//
// It plays the score of each in Node.js, which has the same compiler as Chromium, and takes the dearest of several seconds.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Engine, RATE, folder, gallery } from "./tests/engine.js";

const SECONDS = Number(process.env.SECONDS ?? 6);
const files = ["engine.wasm", "engine-plain.wasm"];

function cost(module, scene) {
  const engine = new Engine([scene], module);
  engine.hello(scene);
  engine.say({ type: "score", play: true });
  let most = 0;
  for (let n = 0; n < SECONDS; n++) {
    const begun = process.cpuUsage();
    engine.frames(RATE);
    const { user, system } = process.cpuUsage(begun);
    // The first second still has the compiler at work.
    if (n > 0) most = Math.max(most, (user + system) / 1e6);
  }
  return most;
}

const modules = files.map((file) => new WebAssembly.Module(readFileSync(join(folder, file))));
console.log("| scene | with vectors | without |\n| --- | --- | --- |");
for (const scene of gallery) {
  const [vectors, plain] = modules.map((module) => `${(100 * cost(module, scene)).toFixed(0)} %`);
  console.log(`| ${scene} | ${vectors} | ${plain} |`);
}
