// What was heard, as a WAV file of 32-bit floats: to the bit what the engine sent.

const LONGEST = 30 * 60; // s
const HEAD = 58; // bytes before the samples

/** The samples of a file that `finish` made, interleaved. */
export const samplesOf = (file) => new Float32Array(file.slice(HEAD));

export class Recording {
  constructor(rate, channels) {
    [this.rate, this.channels, this.parts, this.length] = [rate, channels, [], 0];
  }

  add(samples) {
    if (this.length / this.channels / this.rate > LONGEST) return;
    this.parts.push(samples.slice());
    this.length += samples.length;
  }

  finish() {
    const bytes = 4 * this.length;
    const file = new ArrayBuffer(HEAD + bytes);
    const view = new DataView(file);
    const word = (at, text) => [...text].forEach((letter, n) => view.setUint8(at + n, letter.charCodeAt(0)));
    word(0, "RIFF");
    view.setUint32(4, 50 + bytes, true);
    word(8, "WAVEfmt ");
    view.setUint32(16, 18, true);
    view.setUint16(20, 3, true); // IEEE float
    view.setUint16(22, this.channels, true);
    view.setUint32(24, this.rate, true);
    view.setUint32(28, 4 * this.channels * this.rate, true);
    view.setUint16(32, 4 * this.channels, true);
    view.setUint16(34, 32, true);
    view.setUint16(36, 0, true);
    word(38, "fact");
    view.setUint32(42, 4, true);
    view.setUint32(46, this.length / this.channels, true);
    word(50, "data");
    view.setUint32(54, bytes, true);
    let at = HEAD;
    for (const part of this.parts) for (const sample of part) { view.setFloat32(at, sample, true); at += 4; }
    return file;
  }
}
