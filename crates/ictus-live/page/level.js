// The loudspeaker's end: volume, mute, and a meter of what the engine sends, with its headroom.

const FLOOR = -60; // dB, the foot of the meter
const FALL = 20; // dB/s
const HOLD = 2; // s that the highest peak is shown

/** A factor for a slider's position from 0 to 1: silence at 0, then 60 dB up to the full level. */
export const gainOf = (position) => (position <= 0 ? 0 : 10 ** ((60 * (position - 1)) / 20));

const decibels = (peak) => 20 * Math.log10(Math.max(peak, 1e-9));

export class Level {
  constructor({ slider, value, mute, meter, number }, kept) {
    Object.assign(this, { slider, value, mute, meter, number, kept, node: null, shown: FLOOR, held: FLOOR, heldAt: 0, last: 0 });
    slider.value = kept.page("volume") ?? 1;
    mute.setAttribute("aria-pressed", String(kept.page("muted") === true));
    slider.addEventListener("input", () => {
      kept.keep("volume", Number(slider.value));
      this.setMuted(false);
    });
    mute.addEventListener("click", () => this.setMuted(!this.isMuted));
    number.addEventListener("click", () => (this.held = FLOOR));
    this.apply();
  }

  get isMuted() {
    return this.mute.getAttribute("aria-pressed") === "true";
  }

  setMuted(muted) {
    this.mute.setAttribute("aria-pressed", String(muted));
    this.kept.keep("muted", muted);
    this.apply();
  }

  /** Stands between the engine and the loudspeaker. */
  attach(node) {
    this.node = node;
    this.apply();
  }

  apply() {
    const gain = gainOf(Number(this.slider.value));
    const told = gain === 0 ? "silent" : `${(20 * Math.log10(gain)).toFixed(0)} dB`;
    this.value.textContent = told;
    this.slider.setAttribute("aria-valuetext", told);
    const now = this.node?.context.currentTime;
    this.node?.gain.setTargetAtTime(this.isMuted ? 0 : gain, now, 0.01);
  }

  /** Takes the largest sample of the last moment, and the gain of the limiter in dB. */
  take(peak, reduction) {
    const now = performance.now() / 1000;
    const level = decibels(peak);
    this.shown = Math.max(level, this.shown - FALL * (now - this.last), FLOOR);
    this.last = now;
    if (level >= this.held || now - this.heldAt > HOLD) [this.held, this.heldAt] = [Math.max(level, FLOOR), now];
    this.meter.style.setProperty("--level", Math.max(0, 1 - this.shown / FLOOR).toFixed(3));
    this.meter.style.setProperty("--held", Math.max(0, 1 - this.held / FLOOR).toFixed(3));
    const clips = reduction < -0.05;
    this.meter.classList.toggle("clips", clips);
    const told = this.held <= FLOOR ? "–" : `${this.held.toFixed(1)} dB`;
    if (this.number.textContent !== told) {
      this.number.textContent = told;
      this.number.setAttribute("aria-label", `Highest peak ${told}`);
    }
    this.meter.setAttribute("aria-valuenow", Math.max(FLOOR, Math.min(0, this.shown)).toFixed(0));
    this.meter.setAttribute("aria-valuetext", clips ? `${told}, limited by ${(-reduction).toFixed(1)} dB` : told);
  }
}
