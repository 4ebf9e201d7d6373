// The ring buffer on the browser's audio thread.

import { Ring } from "./ring.js";

class Output extends AudioWorkletProcessor {
  constructor() {
    super();
    this.ring = new Ring();
    this.port.onmessage = ({ data }) => this.ring.connect(data.port);
  }

  process(_inputs, outputs) {
    const [left, right = left] = outputs[0];
    this.ring.process(left, right);
    return true;
  }
}

registerProcessor("output", Output);
