// An engine inside the page: WebAssembly on the browser's audio thread, for a page that no program serves.
//
// A browser compiles the module's functions well only when they have run for a while. So a worker plays every scene for a moment before the
// audio thread does, which then neither waits for the compiler nor finds out by dropouts that a scene is too heavy.

import { gallery, module } from "./module.js";
import { Recording } from "./recording.js";
import "./register.js";

const VERSION = 2;
const SETTLING = 500; // ms after a change of instruments in which dropouts are not counted: building it takes the audio thread's time

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytes = (message) => encoder.encode(JSON.stringify(message));

export class Inside {
  isInside = true; // and the documentation is beside the page

  /** Loads the engine and begins with a scene, {scene, text} or nothing; `hear` takes what comes in. Resolves to the node that sounds. */
  async open(context, first, hear) {
    [this.context, this.hear] = [context, hear];
    if (!context.audioWorklet) throw new Error("this browser has no AudioWorklet here; the page needs https, or this machine's own address");
    [this.dropouts, this.before, this.settled] = [0, 0, 0];
    [this.sent, this.nextMark, this.choices] = [new Map(), 1, 0];
    [this.module, this.gallery] = await Promise.all([module(), gallery(), context.audioWorklet.addModule("performer.js")]);
    await this.warm(first);
    const node = new AudioWorkletNode(context, "performer", { channelCount: 1, channelCountMode: "explicit", outputChannelCount: [2] });
    [this.node, this.port] = [node, node.port];
    this.port.onmessage = ({ data }) => this.take(data);
    node.onprocessorerror = () => hear({ failed: "the audio thread has stopped" });
    this.port.postMessage({ begin: { module: this.module, gallery: this.gallery, patience: 1000 * (context.baseLatency || 0.01) } });
    this.tell(this.hello(first));
    return node;
  }

  hello(first) {
    return { type: "hello", version: VERSION, rate: this.context.sampleRate, ...first };
  }

  /** Plays a scene silently in a worker for a moment. Resolves to its problems, if it has some. */
  warm(first) {
    return new Promise((done) => {
      const worker = new Worker("warm.js", { type: "module" });
      worker.onmessage = worker.onerror = ({ data }) => {
        worker.terminate();
        if (data?.load) this.hear({ expected: data.load });
        done(data?.problems ? JSON.parse(decoder.decode(data.problems)) : null);
      };
      worker.postMessage({ module: this.module, gallery: this.gallery, hello: bytes(this.hello(first)) });
    });
  }

  async say(message) {
    if (message.type === "choose") {
      const choice = ++this.choices;
      const { scene, text } = message;
      const problems = await this.warm(text === undefined ? { scene } : { scene, text });
      // Only the newest wish counts.
      if (choice !== this.choices) return;
      // What cannot be played never gets to the audio thread, which plays on.
      if (problems) return this.hear({ reply: problems });
    }
    this.tell(message);
  }

  tell(message) {
    this.port.postMessage({ say: bytes(message), still: this.context.state !== "running" });
  }

  /** Lets what a node hears drive the instrument, until the node is disconnected. */
  async listenTo(node) {
    node.connect(this.node);
  }

  /** There is no buffer; what was counted is forgotten. */
  calm() {
    this.dropouts = 0;
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
