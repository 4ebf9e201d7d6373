// The stage: every object moving, contacts flashing with their force, the player's hands.

import { layOut } from "./layout.js";

const TRAIL = 6; // shapes whose envelope is drawn behind a string
const REACH = 70; // px that an object moves when it is pulled as far as a hand reasonably does

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.items = [];
    this.hands = new Map(); // what the pointer does, by pointer
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.colours = Object.fromEntries(
      ["ink", "muted", "line", "stage", "string", "bar", "flash", "hand", "high", "low", "sheet"].map((name) => [name, colour(name)]),
    );
    this.ramp = null;
  }

  show(description) {
    this.description = description;
    this.motions = description.objects.map(() => ({ level: 0, gain: 0, trail: [], touch: 0 }));
    this.flashes = description.contacts.map(() => 0);
    this.strongest = 1e-3; // N, the largest force of late
    this.state = null;
    this.resize();
  }

  resize() {
    const scale = Math.min(2, devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    [this.canvas.width, this.canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    [this.width, this.height, this.scale] = [width, height, scale];
    if (this.description && width && height) this.items = layOut(this.description, width, height);
    this.draw();
  }

  /** The nearest object that can be played, within reach of a fingertip. */
  hit(p) {
    let [best, nearest] = [null, Infinity];
    for (const item of this.items) {
      if (!item?.object.playable) continue;
      const limit = item.type === "line" ? Math.max(16, Math.min(60, 0.5 * item.room)) : 14;
      // What lies on top is easier to miss: masses win over the sheet behind them.
      const distance = item.distance(p) - (item.type === "dot" ? 6 : 0);
      if (distance <= limit && distance < nearest) [best, nearest] = [item, distance];
    }
    return best;
  }

  take(state) {
    this.state = state;
    state.objects.forEach(({ shape, touch }, index) => {
      const motion = this.motions[index];
      let peak = 0;
      for (const u of shape) peak = Math.max(peak, Math.abs(u));
      motion.level = Math.max(peak, 0.985 * motion.level);
      motion.touch = Math.max(touch, 0.85 * motion.touch);
      motion.trail.push(shape);
      if (motion.trail.length > TRAIL) motion.trail.shift();
    });
    this.strongest *= 0.998;
    state.forces.forEach((force, index) => {
      this.flashes[index] = Math.max(force, 0.85 * this.flashes[index]);
      this.strongest = Math.max(this.strongest, force);
    });
  }

  /** px per m of an object: as much as its room allows, and the hand's own measure while it is pulled. */
  gain(index) {
    const item = this.items[index];
    const { reach } = item.object;
    const pulled = [...this.hands.values()].some((hand) => hand.kind === "pull" && hand.item.index === index);
    const partner = item.partner?.index;
    if (partner !== undefined && !pulled) return this.gain(partner);
    const own = this.motions[index].level;
    const wanted = pulled ? REACH / reach : item.amplitude / Math.max(own, 0.003 * reach);
    const motion = this.motions[index];
    motion.gain = motion.gain && !pulled ? motion.gain + 0.15 * (wanted - motion.gain) : wanted;
    return motion.gain;
  }

  /** Metres that a pull of so many px means. */
  static pullHeight(item, px) {
    return Math.max(-1.6, Math.min(1.6, px / REACH)) * item.object.reach;
  }

  draw() {
    const pen = this.canvas.getContext("2d");
    pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    if (!this.description) return;
    const order = { sheet: 0, block: 1, line: 2, wall: 3, dot: 4 };
    const items = this.items.filter(Boolean).sort((a, b) => order[a.type] - order[b.type]);
    for (const item of items) {
      const motion = this.motions[item.index];
      const shape = motion.trail.at(-1);
      const gain = shape ? this.gain(item.index) : 0;
      this[item.type](pen, item, shape, gain, motion);
    }
    this.drawLinks(pen);
    this.drawSpread(pen);
    this.drawContacts(pen);
    this.drawHands(pen);
  }

  line(pen, item, shape, gain, motion) {
    const { colours } = this;
    const bar = item.object.kind === "bar";
    const count = item.object.points[0];
    const path = (values, reverse) => {
      for (let n = 0; n < count; n++) {
        const k = reverse ? count - 1 - n : n;
        const p = item.point([k / (count - 1)], values ? gain * values(k) : 0);
        if (n === 0 && !reverse) pen.moveTo(p.x, p.y);
        else pen.lineTo(p.x, p.y);
      }
    };
    pen.lineCap = pen.lineJoin = "round";
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(item.a.x, item.a.y);
    pen.lineTo(item.b.x, item.b.y);
    pen.stroke();
    if (motion.trail.length > 1 && !this.calm.matches) {
      const extreme = (pick) => (k) => motion.trail.reduce((most, one) => pick(most, one[k]), motion.trail[0][k]);
      pen.beginPath();
      path(extreme(Math.max));
      path(extreme(Math.min), true);
      pen.closePath();
      pen.globalAlpha = 0.16;
      pen.fillStyle = bar ? colours.bar : colours.string;
      pen.fill();
      pen.globalAlpha = 1;
    }
    pen.beginPath();
    path(shape ? (k) => shape[k] : null);
    pen.strokeStyle = bar ? colours.bar : colours.string;
    pen.lineWidth = bar ? Math.max(4, Math.min(16, 0.34 * item.room)) : 2.2;
    pen.stroke();
    for (const end of [item.a, item.b]) {
      if (bar) break;
      pen.fillStyle = colours.muted;
      pen.beginPath();
      pen.arc(end.x, end.y, 4, 0, 7);
      pen.fill();
    }
    this.label(pen, item, item.a.x === item.b.x ? { x: item.a.x, y: item.b.y + 14 } : { x: item.a.x + 10, y: item.a.y - 7 });
  }

  sheet(pen, item, shape, gain) {
    const [columns, rows] = item.object.points;
    const ramp = this.colourRamp();
    const corner = (column, row) =>
      item.point([column / (columns - 1), row / (rows - 1)], shape ? gain * shape[row * columns + column] : 0);
    for (let row = rows - 2; row >= 0; row--) {
      for (let column = 0; column < columns - 1; column++) {
        const [a, b] = [corner(column, row), corner(column + 1, row)];
        const [c, d] = [corner(column + 1, row + 1), corner(column, row + 1)];
        const at = row * columns + column;
        const u = shape ? 0.25 * (shape[at] + shape[at + 1] + shape[at + columns] + shape[at + columns + 1]) : 0;
        const tone = Math.round(127.5 + 127.5 * Math.tanh((1.6 * gain * u) / item.amplitude));
        pen.fillStyle = ramp[tone] ?? ramp[127];
        pen.strokeStyle = pen.fillStyle;
        pen.lineWidth = 0.8;
        pen.beginPath();
        pen.moveTo(a.x, a.y);
        pen.lineTo(b.x, b.y);
        pen.lineTo(c.x, c.y);
        pen.lineTo(d.x, d.y);
        pen.closePath();
        pen.fill();
        pen.stroke();
      }
    }
    pen.strokeStyle = this.colours.muted;
    pen.lineWidth = 0.7;
    pen.globalAlpha = 0.4;
    for (let row = 0; row < rows; row += 3) this.trace(pen, columns, (n) => corner(n, row));
    for (let column = 0; column < columns; column += 3) this.trace(pen, rows, (n) => corner(column, n));
    pen.globalAlpha = 1;
    pen.strokeStyle = this.colours.muted;
    pen.lineWidth = 1.5;
    pen.beginPath();
    [[0, 0], [1, 0], [1, 1], [0, 1]].forEach((at, n) => {
      const p = item.point(at);
      if (n) pen.lineTo(p.x, p.y);
      else pen.moveTo(p.x, p.y);
    });
    pen.closePath();
    pen.stroke();
    this.label(pen, item, { x: item.origin.x, y: item.origin.y + 16 });
  }

  trace(pen, count, point) {
    pen.beginPath();
    for (let n = 0; n < count; n++) {
      const p = point(n);
      if (n) pen.lineTo(p.x, p.y);
      else pen.moveTo(p.x, p.y);
    }
    pen.stroke();
  }

  /** 256 colours from low over the sheet's own to high. */
  colourRamp() {
    if (this.ramp) return this.ramp;
    const parse = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    const [low, middle, high] = ["low", "sheet", "high"].map((name) => parse(this.colours[name]));
    this.ramp = Array.from({ length: 256 }, (_, n) => {
      const t = (n - 127.5) / 127.5;
      const [from, share] = t < 0 ? [low, -t] : [high, t];
      return `rgb(${middle.map((m, k) => Math.round(m + share * (from[k] - m))).join(" ")})`;
    });
    return this.ramp;
  }

  block(pen, item, shape, gain) {
    const { box, count } = item;
    pen.fillStyle = this.colours.sheet;
    pen.strokeStyle = this.colours.muted;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.roundRect(box.x, box.y + 0.6 * box.h - 14, box.w, 28, 8);
    pen.fill();
    pen.stroke();
    for (let n = 0; n < count; n++) {
      const [rest, now] = [item.point([n]), item.point([n], shape ? gain * shape[n] : 0)];
      pen.strokeStyle = this.colours.bar;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(rest.x, rest.y);
      pen.lineTo(now.x, now.y);
      pen.stroke();
      this.disc(pen, now, 7, this.colours.bar);
    }
    this.label(pen, item, { x: box.x, y: box.y + 0.6 * box.h + 32 });
  }

  dot(pen, item, shape, gain) {
    const limit = 1.5 * item.amplitude;
    const u = shape ? Math.max(-limit, Math.min(limit, gain * shape[0])) : 0;
    const p = item.point([], u);
    if (item.object.tool && Math.abs(u) >= limit) return;
    this.disc(pen, p, item.radius, item.object.tool ? this.colours.hand : this.colours.ink);
    if (!item.object.tool) this.label(pen, item, { x: p.x + item.radius + 6, y: p.y + 4 });
  }

  wall(pen, item, shape, gain) {
    if (item.object.tool) return;
    const u = shape ? Math.max(-80, Math.min(80, gain * shape[0])) : 0;
    const p = item.point([], u);
    this.hatch(pen, { x: p.x - 34, y: p.y }, { x: p.x + 34, y: p.y });
    this.label(pen, item, { x: item.at.x + 40, y: item.at.y + 4 });
  }

  /** A surface from a to b, hatched on its far side. */
  hatch(pen, a, b) {
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const [cos, sin] = [(b.x - a.x) / length, (b.y - a.y) / length];
    pen.strokeStyle = this.colours.muted;
    pen.lineWidth = 1.6;
    pen.beginPath();
    pen.moveTo(a.x, a.y);
    pen.lineTo(b.x, b.y);
    pen.stroke();
    pen.lineWidth = 0.8;
    pen.beginPath();
    for (let at = 7; at <= length; at += 7) {
      const [x, y] = [a.x + at * cos, a.y + at * sin];
      pen.moveTo(x, y);
      pen.lineTo(x - 6 * cos - 6 * sin, y - 6 * sin + 6 * cos);
    }
    pen.stroke();
  }

  disc(pen, p, radius, colour) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(p.x, p.y, radius, 0, 7);
    pen.fill();
  }

  label(pen, item, p) {
    const crowded = this.items.filter((one) => one?.type === item.type).length > 9;
    pen.fillStyle = this.colours.muted;
    pen.font = `${crowded ? 10 : 12}px system-ui, sans-serif`;
    pen.textAlign = crowded && item.type === "line" && item.a.x === item.b.x ? "center" : "left";
    const name = crowded ? item.object.name.split(".").at(-1) : item.object.name;
    pen.fillText(name, p.x, p.y);
  }

  /** What acts on what: a thread between the two points of each of the scene's own contacts. */
  drawLinks(pen) {
    pen.strokeStyle = this.colours.muted;
    pen.lineWidth = 1;
    pen.setLineDash([2, 4]);
    for (const { from, to, spread } of this.description.contacts) {
      const [a, b] = [from, to].map(({ object, at }) => {
        const item = this.items[object];
        return item && !item.object.tool ? item.point(at) : null;
      });
      if (!a || !b || spread || Math.hypot(a.x - b.x, a.y - b.y) < 20) continue;
      pen.globalAlpha = this.description.contacts.length > 12 ? 0.3 : 0.8;
      pen.beginPath();
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  /** Barriers under a whole string. */
  drawSpread(pen) {
    this.description.contacts.forEach(({ spread, to }) => {
      const item = this.items[to.object];
      if (!spread || item?.type !== "line") return;
      const depth = Math.min(16, 0.3 * item.room);
      this.hatch(pen, item.point([0], -depth), item.point([1], -depth));
    });
  }

  /** Where a contact is on the stage now. */
  contactPoint({ from, to }) {
    for (const point of [to, from]) {
      const item = this.items[point.object];
      if (!item || item.type === "dot" || item.type === "wall") continue;
      const shape = this.motions[point.object].trail.at(-1);
      let u = 0;
      if (shape && item.type === "line") u = shape[Math.round(point.at[0] * (shape.length - 1))];
      return item.point(point.at, u * this.motions[point.object].gain);
    }
    const [a, b] = [from, to].map((point) => this.items[point.object]?.point([]));
    if (a && b) return { x: 0.5 * (a.x + b.x), y: 0.5 * (a.y + b.y) };
    return a ?? b ?? null;
  }

  drawContacts(pen) {
    const strength = this.calm.matches ? 0.4 : 1;
    this.description.contacts.forEach((contact, index) => {
      const p = this.contactPoint(contact);
      if (!p) return;
      const share = Math.sqrt(this.flashes[index] / this.strongest);
      pen.strokeStyle = this.colours.muted;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.arc(p.x, p.y, 3, 0, 7);
      pen.stroke();
      if (share > 0.03) this.glow(pen, p, 5 + 24 * share, this.colours.flash, strength * Math.min(0.85, 0.15 + share));
    });
  }

  glow(pen, p, radius, colour, alpha) {
    const light = pen.createRadialGradient(p.x, p.y, 0, p.x, p.y, radius);
    light.addColorStop(0, colour);
    light.addColorStop(1, `${colour}00`);
    pen.globalAlpha = alpha;
    pen.fillStyle = light;
    pen.beginPath();
    pen.arc(p.x, p.y, radius, 0, 7);
    pen.fill();
    pen.globalAlpha = 1;
  }

  drawHands(pen) {
    for (const { kind, item, at, where, height = 0 } of this.hands.values()) {
      const p = item.point(at, kind === "pull" ? height : 0);
      pen.strokeStyle = this.colours.hand;
      pen.lineCap = "round";
      if (kind === "bow") {
        const offset = where ? (where.x - p.x) * (item.along?.x ?? 1) + (where.y - p.y) * (item.along?.y ?? 0) : 0;
        const [cos, sin] = [Math.cos(0.35), Math.sin(0.35)];
        const slide = Math.max(-90, Math.min(90, 0.4 * offset));
        const end = (r) => [p.x + (r + slide) * cos, p.y - (r + slide) * sin];
        pen.lineWidth = 3;
        pen.beginPath();
        pen.moveTo(...end(-120));
        pen.lineTo(...end(120));
        pen.stroke();
        this.glow(pen, p, 16, this.colours.hand, 0.5);
      } else if (kind === "strike") {
        this.glow(pen, p, 26, this.colours.hand, 0.6);
        this.disc(pen, p, 7, this.colours.hand);
      } else {
        pen.lineWidth = 2.5;
        pen.beginPath();
        pen.arc(p.x, p.y, kind === "damp" ? 13 : 8, 0, 7);
        pen.stroke();
        if (kind === "damp") this.glow(pen, p, 20, this.colours.low, 0.6);
      }
    }
  }
}
