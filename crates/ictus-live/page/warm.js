// A worker that plays a scene's score to nobody, so that the browser compiles well what the audio thread will run.

import { Host } from "./host.js";

const TIME = 700; // ms

onmessage = ({ data: { module, gallery, hello } }) => {
  const host = new Host(module, gallery);
  const ignored = () => {};
  host.say(hello, ignored);
  host.say(new TextEncoder().encode('{"type":"score","play":true}'), ignored);
  for (const end = performance.now() + TIME; performance.now() < end && host.audio(); ) host.state();
  postMessage("warm");
};
