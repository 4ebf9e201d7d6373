// The end of the stream: a ring buffer that is emptied a block of frames at a time.
//
// Packets come straight from the socket's worker, so that drawing never holds up the sound. It tells the worker how far it has
// played, which is what paces the engine, and counts the times it ran dry.

const SIZE = 1 << 15; // frames, a power of two
const HEADER = 16; // bytes before the samples of a packet

export class Ring {
  constructor() {
    this.left = new Float32Array(SIZE);
    this.right = new Float32Array(SIZE);
    this.played = 0; // frames, from the start of the connection
    this.received = 0;
    this.flowing = false;
    this.enough = 256;
    this.dropouts = 0;
    this.starved = 0; // frames that the last packet came too late by
    this.waiting = false; // for that packet
    this.least = SIZE;
    this.peak = 0;
    this.square = 0;
    this.count = 0;
    this.quanta = 0;
    this.marks = [];
    this.lastMark = 0;
  }

  /** The worker that it is fed by. */
  connect(worker) {
    this.worker = worker;
    worker.onmessage = ({ data }) => this.take(data);
  }

  take(data) {
    if (!(data instanceof ArrayBuffer)) {
      if (data.enough !== undefined) this.enough = data.enough;
      if (data.restart) this.restart();
      return;
    }
    const head = new DataView(data);
    const frames = head.getUint16(2, true);
    const mark = head.getUint32(4, true);
    const samples = new Float32Array(data, HEADER);
    for (let n = 0; n < frames; n++) {
      const at = (this.received + n) & (SIZE - 1);
      this.left[at] = samples[2 * n];
      this.right[at] = samples[2 * n + 1];
    }
    if (mark !== this.lastMark) {
      this.lastMark = mark;
      this.marks.push([mark, this.received]);
    }
    this.received += frames;
    this.waiting = false;
  }

  restart() {
    this.played = 0;
    this.received = 0;
    this.flowing = false;
    this.waiting = false;
    this.marks.length = 0;
    this.lastMark = 0;
  }

  /** Fills a block of two channels. */
  process(left, right) {
    const frames = left.length;
    const fill = this.received - this.played;
    if (!this.flowing && fill >= this.enough) this.flowing = true;
    if (this.flowing && fill >= frames) {
      this.play(left, right, frames);
    } else {
      if (this.flowing) {
        this.dropouts += 1;
        this.flowing = false;
        this.waiting = true;
        this.starved = 0;
      }
      if (this.waiting) this.starved += frames;
      left.fill(0);
      right.fill(0);
    }
    this.quanta += 1;
    if (this.quanta % 2 === 0) this.report();
  }

  play(left, right, frames) {
    for (let n = 0; n < frames; n++) {
      const at = (this.played + n) & (SIZE - 1);
      const [l, r] = [this.left[at], this.right[at]];
      left[n] = l;
      right[n] = r;
      this.peak = Math.max(this.peak, Math.abs(l), Math.abs(r));
      this.square += 0.5 * (l * l + r * r);
    }
    this.count += frames;
    this.played += frames;
    this.least = Math.min(this.least, this.received - this.played);
    while (this.marks.length && this.marks[0][1] < this.played) this.worker?.postMessage({ heard: this.marks.shift()[0] });
  }

  report() {
    const report = { played: this.played, fill: this.received - this.played, dropouts: this.dropouts, starved: this.starved, flowing: this.flowing };
    if (this.quanta % 32 === 0) {
      report.least = this.least;
      report.peak = this.peak;
      report.level = this.count ? Math.sqrt(this.square / this.count) : 0;
      [this.least, this.peak, this.square, this.count] = [SIZE, 0, 0, 0];
    }
    this.worker?.postMessage(report);
  }
}
