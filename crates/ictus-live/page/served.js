// An engine in the program that serves the page: a worker has the socket, and a worklet plays what comes.

import { plainOutput } from "./plain.js";

export class Served {
  isInside = false;

  /** Connects and begins with a scene, {scene, text} or nothing; `hear` takes what comes in. Resolves to the node that sounds. */
  async open(context, first, hear) {
    const channel = new MessageChannel();
    const { node, burst } = context.audioWorklet ? await this.output(context, channel.port1) : plainOutput(context, channel.port1);
    this.worker = new Worker("socket.js", { type: "module" });
    this.worker.onmessage = ({ data }) => hear(data);
    const url = `ws://${location.host}/socket`;
    const { sampleRate: rate } = context;
    this.worker.postMessage({ open: { url, first, rate, burst, ring: channel.port2 } }, [channel.port2]);
    return node;
  }

  async output(context, port) {
    await context.audioWorklet.addModule("worklet.js");
    const node = new AudioWorkletNode(context, "output", { numberOfInputs: 0, outputChannelCount: [2] });
    node.port.postMessage({ port }, [port]);
    return { node, burst: context.baseLatency ?? 0.01 };
  }

  /** Takes the buffer back to its shortest. */
  calm() {
    this.worker.postMessage({ calm: true });
  }

  say(message) {
    this.worker.postMessage({ say: message });
  }

  record(on) {
    this.worker.postMessage({ record: on });
  }
}
