// An engine in the program that serves the page: a worker has the socket, and a worklet plays what comes.

export class Served {
  isInside = false;

  /** Connects; `hear` takes what comes in. Resolves to the node that sounds. */
  async open(context, scene, hear) {
    await context.audioWorklet.addModule("worklet.js");
    const node = new AudioWorkletNode(context, "ring", { numberOfInputs: 0, outputChannelCount: [2] });
    const channel = new MessageChannel();
    node.port.postMessage({ port: channel.port1 }, [channel.port1]);
    this.worker = new Worker("socket.js", { type: "module" });
    this.worker.onmessage = ({ data }) => hear(data);
    const url = `ws://${location.host}/socket`;
    const { sampleRate: rate, baseLatency: burst = 0.01 } = context;
    this.worker.postMessage({ open: { url, scene, rate, burst, ring: channel.port2 } }, [channel.port2]);
    return node;
  }

  say(message) {
    this.worker.postMessage({ say: message });
  }

  record(on) {
    this.worker.postMessage({ record: on });
  }
}
