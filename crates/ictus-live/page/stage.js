// The stage: every object moving, contacts flashing with their force, the player's hands.

import { Motion } from "./motion.js";
import { drawLine } from "./line.js";
import { drawSheet } from "./sheet.js";
import { layOut } from "./layout.js";

const FINGERTIP = 14; // px within which a thing is hit
const EDGE = 4; // px beside a sheet, which is large enough without

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.items = [];
    this.hands = new Map(); // what the pointer does, by pointer
    this.cursor = null; // the place that the keyboard plays
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
    this.motions = description.objects.map((object) => new Motion(object));
    this.flashes = description.contacts.map(() => 0);
    this.strongest = 1e-3; // N, the largest force of late
    this.state = null;
    this.cursor = null;
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
      const beside = { line: Math.max(16, Math.min(60, 0.5 * item.room)), sheet: EDGE };
      const limit = beside[item.type] ?? FINGERTIP;
      // What lies on top is easier to miss: masses win over the sheet behind them.
      const distance = item.distance(p) - (item.type === "dot" ? 6 : 0);
      if (distance <= limit && distance < nearest) [best, nearest] = [item, distance];
    }
    return best;
  }

  take(state) {
    this.state = state;
    state.objects.forEach((object, index) => this.motions[index].take(object));
    this.strongest *= 0.998;
    state.forces.forEach((force, index) => {
      this.flashes[index] = Math.max(force, 0.85 * this.flashes[index]);
      this.strongest = Math.max(this.strongest, force);
    });
  }

  /** Whether a hand pulls an object, which then follows the hand. */
  pulled(index) {
    return [...this.hands.values()].some((hand) => hand.kind === "pull" && hand.item.index === index);
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
      motion.fit(item.amplitude, this.pulled(item.index));
      if (item.type === "line") drawLine(this, pen, item, motion);
      else if (item.type === "sheet") drawSheet(this, pen, item, motion);
      else this[item.type](pen, item, motion);
    }
    this.drawLinks(pen);
    this.drawSpread(pen);
    this.drawContacts(pen);
    this.drawHands(pen);
    if (this.cursor) this.drawCursor(pen);
  }

  block(pen, item, motion) {
    const { box, count } = item;
    pen.fillStyle = this.colours.sheet;
    pen.strokeStyle = this.colours.muted;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.roundRect(box.x, box.y + 0.6 * box.h - 14, box.w, 28, 8);
    pen.fill();
    pen.stroke();
    for (let n = 0; n < count; n++) {
      const [rest, now] = [item.point([n]), item.point([n], motion.offset(n))];
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

  /** px that a mass or barrier is drawn away from rest: in the measure of what it touches, within its room. */
  lumped(item, motion) {
    const partner = this.motions[item.partner?.index];
    const follows = partner && !this.pulled(item.index);
    const u = follows ? partner.offsetBeside(item.partnerAt, motion.trail.at(-1)?.bending[0] ?? 0) : motion.offset(0);
    return Math.max(-item.room, Math.min(item.room, u));
  }

  dot(pen, item, motion) {
    const u = this.lumped(item, motion);
    const p = item.point([], u);
    if (item.object.tool && Math.abs(u) >= item.room) return;
    this.disc(pen, p, item.radius, item.object.tool ? this.colours.hand : this.colours.ink);
    if (!item.object.tool) this.label(pen, item, { x: p.x + item.radius + 6, y: p.y + 4 });
  }

  wall(pen, item, motion) {
    if (item.object.tool) return;
    const p = item.point([], this.lumped(item, motion));
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
      return item.point(point.at, this.motions[point.object].offsetAt(point.at));
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

  /** The place that the keyboard plays. */
  drawCursor(pen) {
    const { x, y } = this.cursor.item.point(this.cursor.at);
    pen.strokeStyle = this.colours.ink;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.arc(x, y, 11, 0, 7);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      pen.moveTo(x + 7 * dx, y + 7 * dy);
      pen.lineTo(x + 16 * dx, y + 16 * dy);
    }
    pen.stroke();
  }

  drawHands(pen) {
    for (const { kind, item, at, where, height = 0 } of this.hands.values()) {
      if (!item || kind === "waiting" || kind === "sweep") continue;
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
