// An engine inside the page: WebAssembly on the browser's audio thread, for a page that no program serves.
//
// A browser compiles the module's functions well only when they have run for a while. So a worker plays every scene for a moment before the
// audio thread does, which then neither waits for the compiler nor finds out by dropouts that a scene is too heavy.

import { Recording } from "./recording.js";

const VERSION = 2;
const SETTLING = 500; // ms after a change of instruments in which dropouts are not counted: building it takes the audio thread's time

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytes = (message) => encoder.encode(JSON.stringify(message));

async function load(file) {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file} is missing (${answer.status})`);
  return answer.arrayBuffer();
}

async function compile() {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const code = await load("engine.wasm");
  // Not from the stream: many servers do not know the media type that this would need.
  try {
    return await WebAssembly.compile(code);
  } catch (error) {
    throw new Error(`this browser cannot run the engine; it needs WebAssembly with vector instructions (${error.message})`);
  }
}

export class Inside {
  isInside = true; // and the documentation is beside the page

  /** Loads the engine and begins; `hear` takes what comes in. Resolves to the node that sounds. */
  async open(context, scene, hear) {
    [this.context, this.hear] = [context, hear];
    [this.dropouts, this.before, this.settled] = [0, 0, 0];
    [this.sent, this.nextMark, this.choices] = [new Map(), 1, 0];
    if (!context.audioWorklet) throw new Error("this browser has no AudioWorklet here; the page needs https, or this machine's own address");
    const [module, gallery] = await Promise.all([compile(), load("gallery.json"), context.audioWorklet.addModule("performer.js")]);
    [this.module, this.gallery] = [module, new Uint8Array(gallery)];
    await this.warm(scene);
    // Where there is none, or it is not allowed, the page plays as long as there is a network.
    navigator.serviceWorker?.register("offline.js").catch(() => {});
    const node = new AudioWorkletNode(context, "performer", { numberOfInputs: 0, outputChannelCount: [2] });
    this.port = node.port;
    this.port.onmessage = ({ data }) => this.take(data);
    node.onprocessorerror = () => hear({ failed: "the audio thread has stopped" });
    this.port.postMessage({ begin: { module, gallery: this.gallery, patience: 1000 * (context.baseLatency || 0.01) } });
    this.tell({ type: "hello", version: VERSION, rate: context.sampleRate, ...(scene ? { scene } : {}) });
    return node;
  }

  /** Plays a scene silently in a worker for a moment. */
  warm(scene) {
    return new Promise((done) => {
      const worker = new Worker("warm.js", { type: "module" });
      worker.onmessage = worker.onerror = () => {
        worker.terminate();
        done();
      };
      const { module, gallery, context: { sampleRate: rate } } = this;
      worker.postMessage({ module, gallery, hello: bytes({ type: "hello", version: VERSION, rate, ...(scene ? { scene } : {}) }) });
    });
  }

  async say(message) {
    if (message.type === "choose") {
      const choice = ++this.choices;
      await this.warm(message.scene);
      // Only the newest wish counts.
      if (choice !== this.choices) return;
    }
    this.tell(message);
  }

  tell(message) {
    this.port.postMessage({ say: bytes(message) });
  }

  record(on) {
    this.port.postMessage({ record: on });
    if (on) {
      this.recording = new Recording(this.context.sampleRate, 2);
    } else if (this.recording) {
      this.hear({ recorded: this.recording.finish() });
      this.recording = null;
    }
  }

  take(data) {
    if (data.reply) {
      const reply = JSON.parse(decoder.decode(data.reply));
      if (reply.type === "instrument") this.settled = performance.now() + SETTLING;
      this.hear({ reply });
    } else if (data.audio) {
      this.recording?.add(data.audio);
    } else if (data.heard !== undefined) {
      this.heard(data.heard);
    } else if (data.stream) {
      this.report(data.stream);
    } else {
      this.hear(data);
    }
  }

  // The browser's own count of the times its output ran dry, where it has one; else the blocks that took too long.
  report({ late, ...stream }) {
    const count = this.context.playbackStats?.underrunEvents ?? late;
    if (performance.now() > this.settled) this.dropouts += count - this.before;
    this.before = count;
    this.hear({ stream: { ...stream, fill: 0, ahead: this.context.baseLatency || 0, dropouts: this.dropouts } });
    if (this.sent.size > 4) this.sent.clear();
    const id = this.nextMark++;
    this.sent.set(id, performance.now());
    this.tell({ type: "ping", id });
  }

  heard(id) {
    if (!this.sent.has(id)) return;
    this.hear({ latency: (performance.now() - this.sent.get(id)) / 1000 });
    this.sent.delete(id);
  }
}
