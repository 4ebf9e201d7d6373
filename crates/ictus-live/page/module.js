// The engine's code and the gallery, fetched once.

/** The smallest module with a vector instruction (i8x16.splat and popcnt): a browser that takes it takes the engine with vectors. */
const VECTORS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

async function load(file) {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file} is missing (${answer.status})`);
  return answer.arrayBuffer();
}

async function compile() {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const hasVectors = WebAssembly.validate(Uint8Array.from(VECTORS));
  const code = await (hasVectors ? load("engine.wasm") : load("engine-plain.wasm").catch(() => {
    throw new Error("this browser has no vector instructions in WebAssembly, and this site has no engine that does without them");
  }));
  // Not from the stream: many servers do not know the media type that this would need.
  try {
    return await WebAssembly.compile(code);
  } catch (error) {
    throw new Error(`this browser cannot run the engine (${error.message})`);
  }
}

let [compiled, fetched] = [null, null];

/** The engine's module. */
export function module() {
  return (compiled ??= compile());
}

/** The list of scenes, in bytes. */
export function gallery() {
  return (fetched ??= load("gallery.json").then((scenes) => new Uint8Array(scenes)));
}
