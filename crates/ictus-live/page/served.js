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
    this.context = context;
    await context.audioWorklet.addModule("worklet.js");
    const node = new AudioWorkletNode(context, "output", { numberOfInputs: 0, outputChannelCount: [2] });
    node.port.postMessage({ port }, [port]);
    return { node, burst: context.baseLatency ?? 0.01 };
  }

  /** Lets what a node hears drive the instrument, until the node is disconnected. */
  async listenTo(node) {
    if (!this.listener) {
      await this.context.audioWorklet.addModule("listener.js");
      this.listener = new AudioWorkletNode(this.context, "listener", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
      const { port1, port2 } = new MessageChannel();
      this.listener.port.postMessage({ port: port1 }, [port1]);
      this.worker.postMessage({ sound: port2 }, [port2]);
    }
    node.connect(this.listener);
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
