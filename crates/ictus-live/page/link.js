// The page's end of the stream: audio context, engine and analyser, wired to each other.

import { Engine } from "./engine.js";
import { readState } from "./state.js";

/** Opens the stream. `on` has a function for each thing that comes in: reply, state, stream, latency, expected, closed, failed, recorded. */
export class Link {
  constructor(on) {
    this.on = on;
    this.description = null;
    this.engine = new Engine();
    this.isOpen = false;
  }

  /** Opens it with a scene, {scene, text} or nothing. */
  async open(first) {
    if (typeof AudioContext === "undefined") return this.on.failed("this browser has no Web Audio");
    this.context = new AudioContext({ latencyHint: 0.005 });
    this.analyser = new AnalyserNode(this.context, { fftSize: 8192, smoothingTimeConstant: 0.6 });
    try {
      const node = await this.engine.open(this.context, first, (data) => this.hear(data));
      this.volume = new GainNode(this.context);
      node.connect(this.analyser).connect(this.volume).connect(this.context.destination);
      this.isOpen = true;
    } catch (error) {
      this.on.failed(error.message);
    }
  }

  get sounding() {
    return this.context?.state === "running";
  }

  resume() {
    return this.context?.resume();
  }

  say(message) {
    if (this.isOpen) this.engine.say(message);
  }

  /** Takes the buffer back to its shortest, where there is one. */
  calm() {
    if (this.isOpen) this.engine.calm();
  }

  record(on) {
    if (this.isOpen) this.engine.record(on);
  }

  hear(data) {
    if (data.reply) {
      if (data.reply.type === "instrument") this.description = data.reply;
      this.on.reply(data.reply);
    } else if (data.state) {
      const state = this.description && readState(data.state, this.description);
      if (state) this.on.state(state);
    } else if (data.stream) {
      this.on.stream(data.stream);
    } else if (data.latency !== undefined) {
      const { baseLatency = 0, outputLatency = 0 } = this.context;
      this.on.latency(data.latency + (outputLatency || baseLatency));
    } else if (data.expected !== undefined) {
      this.on.expected(data.expected);
    } else if (data.closed !== undefined) {
      this.on.closed(data.closed, data.returns);
    } else if (data.failed !== undefined) {
      this.on.failed(data.failed);
    } else if (data.recorded) {
      this.on.recorded(data.recorded);
    }
  }
}
