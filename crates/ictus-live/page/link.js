// The page's end of the stream: audio context, worklet and socket worker, wired to each other.

import { readState } from "./state.js";

/** Opens the stream. `on` has a function for each thing that comes in: reply, state, stream, latency, closed, recorded. */
export class Link {
  constructor(on) {
    this.on = on;
    this.description = null;
  }

  async open(scene) {
    this.context = new AudioContext({ latencyHint: 0.005 });
    await this.context.audioWorklet.addModule("worklet.js");
    this.node = new AudioWorkletNode(this.context, "ring", { numberOfInputs: 0, outputChannelCount: [2] });
    this.analyser = new AnalyserNode(this.context, { fftSize: 8192, smoothingTimeConstant: 0.6 });
    this.node.connect(this.analyser).connect(this.context.destination);
    const channel = new MessageChannel();
    this.node.port.postMessage({ port: channel.port1 }, [channel.port1]);
    this.worker = new Worker("socket.js", { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    const url = `ws://${location.host}/socket`;
    const { sampleRate: rate, baseLatency: burst = 0.01 } = this.context;
    this.worker.postMessage({ open: { url, scene, rate, burst, ring: channel.port2 } }, [channel.port2]);
  }

  get sounding() {
    return this.context?.state === "running";
  }

  resume() {
    return this.context?.resume();
  }

  say(message) {
    this.worker?.postMessage({ say: message });
  }

  record(on) {
    this.worker.postMessage({ record: on });
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
    } else if (data.closed !== undefined) {
      this.on.closed(data.closed);
    } else if (data.recorded) {
      this.on.recorded(data.recorded);
    }
  }
}
