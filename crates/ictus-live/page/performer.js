// The engine on the browser's audio thread: every block is made at the moment it is played.

import { BLOCK, Host } from "./host.js";

// Some browsers have no better clock on this thread than one of whole ms: there, a load of a few percent may read as 0.
const clock = globalThis.performance ?? Date;
const REPORT = 32; // blocks between two reports

class Performer extends AudioWorkletProcessor {
  constructor() {
    super();
    this.host = null;
    this.block = new Float32Array(2 * BLOCK);
    this.used = BLOCK; // frames of it that have been played
    this.played = 0;
    this.blocks = 0;
    this.late = 0; // blocks that took longer than the browser can wait for
    this.patience = Infinity; // ms that it can
    this.flowing = false;
    this.recording = false;
    this.lastMark = 0;
    [this.peak, this.square] = [0, 0];
    this.port.onmessage = ({ data }) => this.guard(() => this.take(data));
  }

  take({ begin, say, still, record }) {
    if (begin) {
      this.patience = begin.patience;
      this.host = new Host(begin.module, begin.gallery);
      this.host.answers((reply) => this.answer(reply));
    }
    if (say) this.host?.say(say, (reply) => this.answer(reply));
    // Without sound nothing fades out to make room for a scene that was chosen.
    if (still) {
      this.host?.calls.settle();
      this.host?.answers((reply) => this.answer(reply));
    }
    if (record !== undefined) this.recording = record;
  }

  answer(reply) {
    this.port.postMessage({ reply }, [reply]);
  }

  // An engine that fails is silent from there on, and the page is told.
  guard(act) {
    try {
      act();
    } catch (error) {
      this.host = null;
      this.block.fill(0);
      this.port.postMessage({ failed: String(error) });
    }
  }

  process([[sound]], outputs) {
    const [left, right = left] = outputs[0];
    if (sound) this.guard(() => this.host?.listen(sound));
    for (let n = 0; n < left.length; n++) {
      if (this.used === BLOCK) this.guard(() => this.next());
      left[n] = this.block[2 * this.used];
      right[n] = this.block[2 * this.used + 1];
      this.used += 1;
    }
    return true;
  }

  next() {
    this.used = 0;
    this.blocks += 1;
    const begun = clock.now();
    const samples = this.host?.audio();
    this.flowing = Boolean(samples);
    if (!samples) {
      // A scene that was chosen may have been built in this block.
      this.block.fill(0);
      this.host?.answers((reply) => this.answer(reply));
    }
    if (samples) {
      const took = clock.now() - begun;
      if (took > this.patience) this.late += 1;
      this.host.calls.took(took / 1000);
      this.block.set(samples);
      this.played += BLOCK;
      this.show();
    }
    if (this.blocks % REPORT === 0) this.report();
  }

  show() {
    for (const sample of this.block) {
      this.peak = Math.max(this.peak, Math.abs(sample));
      this.square += sample * sample;
    }
    const { mark } = this.host;
    if (mark !== this.lastMark) this.port.postMessage({ heard: (this.lastMark = mark) });
    const state = this.host.state();
    if (state) this.port.postMessage({ state }, [state]);
    if (this.recording) {
      const audio = this.block.slice();
      this.port.postMessage({ audio }, [audio.buffer]);
    }
  }

  report() {
    const { played, flowing, late, peak } = this;
    const level = Math.sqrt(this.square / (2 * BLOCK * REPORT));
    [this.peak, this.square] = [0, 0];
    this.port.postMessage({ stream: { played, flowing, late, peak, level } });
  }
}

registerProcessor("performer", Performer);
