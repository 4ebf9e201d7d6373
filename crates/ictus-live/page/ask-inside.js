// Questions to the engine inside the page: a worker has one for them, so that neither drawing nor playing waits for an answer.

import { gallery, module } from "./module.js";

let asked = null;

async function start() {
  const worker = new Worker("asked.js", { type: "module" });
  const waiting = [];
  worker.onmessage = ({ data }) => waiting.shift()?.(JSON.parse(data));
  worker.onerror = () => waiting.splice(0).forEach((answer) => answer({ type: "refused", message: "the engine has failed" }));
  const [code, scenes] = await Promise.all([module(), gallery()]);
  worker.postMessage({ module: code, gallery: scenes });
  return (question) => new Promise((answer) => {
    waiting.push(answer);
    worker.postMessage({ question: JSON.stringify(question) });
  });
}

/** Asks a question; resolves to its answer (docs/protocol.md), a refusal if there is none. */
export async function ask(question) {
  asked ??= start();
  try {
    return await (await asked)(question);
  } catch (error) {
    return { type: "refused", message: error.message };
  }
}
