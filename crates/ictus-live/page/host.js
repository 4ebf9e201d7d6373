// The engine in WebAssembly, as an instance of its module: texts and packets are copied into its memory and out of it.
//
// It is used where there is no text decoder (the audio thread), so texts are bytes here.

export const BLOCK = 128; // frames of a block of audio
const HEADER = 16; // bytes before the samples of its packet

export class Host {
  constructor(module, gallery) {
    this.calls = new WebAssembly.Instance(module).exports;
    this.write(gallery);
    this.calls.shelve();
    this.packet = null;
  }

  write(bytes) {
    const at = this.calls.room(bytes.length);
    new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
  }

  /** Says something; `answer` takes each reply. */
  say(bytes, answer) {
    this.write(bytes);
    this.calls.hear();
    this.answers(answer);
  }

  /** Hears samples that drive the instrument. */
  listen(samples) {
    this.write(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    this.calls.listen();
  }

  /** Asks a question in bytes; its answer, in bytes too. */
  ask(question) {
    this.write(question);
    const length = this.calls.ask();
    return this.copy(this.calls.reply_at(), length);
  }

  answers(answer) {
    for (let length; (length = this.calls.reply()); ) answer(this.copy(this.calls.reply_at(), length));
  }

  copy(at, length) {
    return this.calls.memory.buffer.slice(at, at + length);
  }

  /** Makes the next block and returns its samples, two channels interleaved, until the next call; null if nothing is played. */
  audio() {
    if (!this.calls.audio()) return null;
    const { buffer } = this.calls.memory;
    const at = this.calls.audio_at();
    // A view is made anew only where memory has moved: this runs hundreds of times per second, beside the collector of garbage.
    if (this.packet?.buffer !== buffer || this.packet.byteOffset !== at + HEADER) {
      this.packet = new Float32Array(buffer, at + HEADER, 2 * BLOCK);
      this.head = new DataView(buffer, at, HEADER);
    }
    return this.packet;
  }

  /** Mark of the last block. */
  get mark() {
    return this.head.getUint32(4, true);
  }

  /** The state to draw, if it is time for one. */
  state() {
    const length = this.calls.state();
    return length ? this.copy(this.calls.state_at(), length) : null;
  }
}
