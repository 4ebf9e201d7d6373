// Scope and spectrum of what is heard.

import { quantity } from "./format.js";

const [LOWEST, HIGHEST, FLOOR] = [30, 16000, -96];

export class Scopes {
  constructor(scope, spectrum, centroid) {
    Object.assign(this, { scope, spectrum, centroid });
  }

  attach(analyser, rate) {
    Object.assign(this, { analyser, rate });
    this.wave = new Float32Array(analyser.fftSize);
    this.levels = new Float32Array(analyser.frequencyBinCount);
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    return { trace: colour("string"), fill: colour("bar"), line: colour("line"), muted: colour("muted"), mark: colour("flash") };
  }

  prepare(canvas) {
    const scale = Math.min(2, devicePixelRatio || 1);
    const { clientWidth: w, clientHeight: h } = canvas;
    if (canvas.width !== Math.round(w * scale)) [canvas.width, canvas.height] = [Math.round(w * scale), Math.round(h * scale)];
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, w, h);
    return { pen, w, h };
  }

  draw() {
    if (!this.analyser) return;
    this.analyser.getFloatTimeDomainData(this.wave);
    this.analyser.getFloatFrequencyData(this.levels);
    const colours = this.colours();
    this.drawScope(colours);
    this.drawSpectrum(colours);
  }

  drawScope(colours) {
    const { pen, w, h } = this.prepare(this.scope);
    const span = Math.min(2048, this.wave.length / 2);
    let start = this.wave.length - 2 * span;
    // Begins at a rising crossing of zero, so that it stands still.
    for (let n = start; n < start + span; n++) {
      if (this.wave[n] <= 0 && this.wave[n + 1] > 0) {
        start = n;
        break;
      }
    }
    let peak = 1e-4;
    for (let n = start; n < start + span; n++) peak = Math.max(peak, Math.abs(this.wave[n]));
    this.scale = Math.max(peak, 0.96 * (this.scale ?? peak), 0.002);
    pen.strokeStyle = colours.line;
    pen.beginPath();
    pen.moveTo(0, h / 2);
    pen.lineTo(w, h / 2);
    pen.stroke();
    pen.strokeStyle = colours.trace;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let n = 0; n < span; n++) {
      const [x, y] = [(n / span) * w, h / 2 - (0.45 * h * this.wave[start + n]) / this.scale];
      if (n) pen.lineTo(x, y);
      else pen.moveTo(x, y);
    }
    pen.stroke();
    pen.fillStyle = colours.muted;
    pen.font = "11px system-ui, sans-serif";
    pen.fillText(`±${this.scale.toPrecision(2)}`, 4, 12);
    pen.textAlign = "right";
    pen.fillText(`${((1000 * span) / this.rate).toFixed(0)} ms`, w - 4, 12);
    pen.textAlign = "left";
  }

  drawSpectrum(colours) {
    const { pen, w, h } = this.prepare(this.spectrum);
    const width = this.rate / 2 / this.levels.length;
    const x = (frequency) => (w * Math.log(frequency / LOWEST)) / Math.log(HIGHEST / LOWEST);
    const y = (level) => h * Math.min(1, Math.max(0, (level - -6) / (FLOOR - -6)));
    pen.fillStyle = colours.muted;
    pen.strokeStyle = colours.line;
    pen.font = "11px system-ui, sans-serif";
    for (const [frequency, label] of [[100, "100"], [1000, "1k"], [10000, "10k"]]) {
      pen.beginPath();
      pen.moveTo(x(frequency), 0);
      pen.lineTo(x(frequency), h);
      pen.stroke();
      pen.fillText(label, x(frequency) + 3, h - 4);
    }
    let [sum, weighted] = [0, 0];
    pen.beginPath();
    pen.moveTo(0, h);
    const first = Math.ceil(LOWEST / width);
    for (let n = first; n < this.levels.length && n * width < HIGHEST; n++) {
      const level = this.levels[n];
      if (level > -90) {
        const amplitude = 10 ** (level / 20);
        sum += amplitude;
        weighted += amplitude * n * width;
      }
      pen.lineTo(x(n * width), y(level));
    }
    pen.lineTo(w, h);
    pen.globalAlpha = 0.35;
    pen.fillStyle = colours.fill;
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.fill;
    pen.stroke();
    const centre = sum > 1e-4 ? weighted / sum : NaN;
    this.centroid.textContent = Number.isFinite(centre) ? `centroid ${quantity(centre, "Hz")}` : "";
    if (Number.isFinite(centre)) {
      pen.strokeStyle = colours.mark;
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(x(centre), 0);
      pen.lineTo(x(centre), h);
      pen.stroke();
      pen.setLineDash([]);
    }
  }
}
