// A worker that plays a scene's score to nobody, so that the browser compiles well what the audio thread will run.

import { BLOCK, Host } from "./host.js";

const TIME = [300, 700]; // ms, at least and at most
const LIGHT = 0.2; // of the time there is: what takes less has been compiled well enough
const WINDOW = 100; // ms in which the load is measured

onmessage = ({ data: { module, gallery, hello } }) => {
  const host = new Host(module, gallery);
  const ignored = () => {};
  let problems = null;
  // After the welcome comes the instrument, or what is wrong with it.
  host.say(hello, (reply) => (problems = isProblems(reply) ? reply : problems));
  if (problems) return postMessage({ problems });
  host.say(new TextEncoder().encode('{"type":"score","play":true}'), ignored);
  const { rate } = JSON.parse(new TextDecoder().decode(hello));
  const begun = performance.now();
  let load = 1;
  for (let passed = 0; passed < TIME[1] && (passed < TIME[0] || load > LIGHT); passed = performance.now() - begun) {
    const since = performance.now();
    let blocks = 0;
    for (; performance.now() < since + WINDOW && host.audio(); blocks++) host.state();
    // Time over the length of the audio that was made in it.
    load = (performance.now() - since) / 1000 / ((blocks * BLOCK) / rate);
  }
  postMessage({ load });
};

function isProblems(reply) {
  return JSON.parse(new TextDecoder().decode(reply)).type === "problems";
}
