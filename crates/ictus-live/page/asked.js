// A worker with an engine that answers questions and plays nothing.

import { Host } from "./host.js";

let host = null;

onmessage = ({ data: { module, gallery, question } }) => {
  if (module) host = new Host(module, gallery);
  else postMessage(new TextDecoder().decode(host.ask(new TextEncoder().encode(question))));
};
