// What a microphone hears, on the browser's audio thread: it is sent on in pieces, to an engine elsewhere.

const PIECE = 256; // samples

class Listener extends AudioWorkletProcessor {
  constructor() {
    super();
    this.piece = new Float32Array(PIECE);
    this.length = 0;
    this.port.onmessage = ({ data }) => (this.to = data.port);
  }

  process([[samples = []]]) {
    for (const sample of samples) {
      this.piece[this.length++] = sample;
      if (this.length < PIECE) continue;
      this.to?.postMessage(this.piece);
      this.length = 0;
    }
    return true;
  }
}

registerProcessor("listener", Listener);
