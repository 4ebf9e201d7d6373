// Playing by pointer: a press strikes, a drag along bows, one across pulls and lets go, and one over several things sweeps across them.
// Every finger plays; a second one on what a hand holds damps it.

import { pullHeight } from "./motion.js";
import { crossings } from "./sweep.js";

const DECIDED = 6; // px that a pointer moves before it is clear what it does
const WINDOW = 150; // ms over which a pointer's speed is taken
const BOW_SPEED = 1 / 1400; // m/s for every px/s of the pointer
const FLASH = 90; // ms that a stroke is drawn
const SWEEP = 1500; // px/s of a sweep that plucks as far as a hand reasonably does

/** Speed in m/s of a strike for a slider's position from 0 to 1: 0.1 to 8 m/s. */
export const strikeSpeed = (position) => 0.1 * 80 ** position;

/** Speed in px/s along an object over the last moments; 0 when the pointer rests. */
function speed({ item, track }, now) {
  const along = item.along ?? { x: 1, y: 0 };
  const recent = track.filter(({ time }) => now - time < WINDOW);
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || last.time - first.time < 8) return 0;
  return (1000 * ((last.x - first.x) * along.x + (last.y - first.y) * along.y)) / (last.time - first.time);
}

/** Factor on the bow's force for a slider's position: a quarter to four. */
export const bowPressure = (position) => 0.25 * 16 ** position;

export class Pointer {
  constructor(stage, say, settings) {
    Object.assign(this, { stage, say, settings });
    const { canvas } = stage;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(kind, (event) => this.up(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    for (const event of ["blur", "pagehide"]) addEventListener(event, () => this.letGo());
  }

  point(event) {
    const box = this.stage.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** Hands that hold an object. */
  holding(index, kinds = ["bow", "pull"]) {
    return [...this.stage.hands.values()].filter((hand) => hand.item?.index === index && kinds.includes(hand.kind));
  }

  down(event) {
    const p = this.point(event);
    const item = this.stage.hit(p);
    const chosen = this.settings().hand;
    const damps = chosen === "damp" || event.shiftKey || event.button === 2 || (item && this.holding(item.index).length > 0);
    if (!item && (damps || chosen === "bow")) return;
    event.preventDefault();
    this.stage.canvas.setPointerCapture(event.pointerId);
    const hand = { kind: "waiting", chosen, item, begun: item, at: item?.place(p), start: p, where: p, speed: 0, track: [{ ...p, time: event.timeStamp }] };
    this.stage.hands.set(event.pointerId, hand);
    if (!item) hand.kind = "sweep";
    else if (damps) this.begin(hand, "damp");
    else if (chosen === "bow" || chosen === "pull") this.begin(hand, chosen);
    else this.strike(hand, chosen === "auto" ? "waiting" : "sweep");
  }

  begin(hand, kind) {
    hand.kind = kind;
    const { item, at } = hand;
    if (kind === "damp") this.say({ type: "damp", object: item.index, at });
    else if (kind === "pull") this.pull(hand);
    else if (kind === "bow") this.bow(hand);
  }

  strike(hand, kind) {
    hand.kind = kind;
    this.hit(hand.item, hand.at);
  }

  hit(item, at) {
    this.say({ type: "strike", object: item.index, at, velocity: strikeSpeed(this.settings().speed) });
    this.flash({ kind: "strike", item, at }, FLASH);
  }

  /** Draws a hand for a moment that no pointer is. */
  flash(hand, time) {
    const key = Symbol("flash");
    this.stage.hands.set(key, hand);
    setTimeout(() => this.stage.hands.delete(key), time);
  }

  move(event) {
    const hand = this.stage.hands.get(event.pointerId);
    if (!hand) return;
    const from = hand.where;
    hand.where = this.point(event);
    hand.track.push({ ...hand.where, time: event.timeStamp });
    if (hand.track.length > 60) hand.track.shift();
    hand.pressure = event.pointerType === "pen" ? event.pressure : null;
    if (hand.kind === "waiting") this.decide(hand);
    else if (hand.kind === "pull" && !this.sweep(hand, from)) this.pull(hand);
    else if (hand.kind === "sweep") this.sweep(hand, from);
  }

  /** What a press becomes that has struck already: a bow along, a pull across, a sweep from bar to bar. */
  decide(hand) {
    const [dx, dy] = [hand.where.x - hand.start.x, hand.where.y - hand.start.y];
    if (Math.hypot(dx, dy) < DECIDED) return;
    const { item } = hand;
    const lengthwise = item.along ? Math.abs(dx * item.along.x + dy * item.along.y) : 0;
    if (item.along && lengthwise > 0.7 * Math.hypot(dx, dy)) this.begin(hand, "bow");
    else if (item.object.kind === "bar" && this.stage.items.filter((one) => one?.object.kind === "bar").length > 1) hand.kind = "sweep";
    else this.begin(hand, "pull");
    if (hand.kind !== "bow") this.sweep(hand, hand.start);
  }

  /** Plays what lies between where the pointer was and where it is; whether there was anything. */
  sweep(hand, from) {
    const crossed = crossings(this.stage, { begun: hand.begun, last: hand.item }, from, hand.where);
    if (crossed.length === 0) return false;
    if (hand.kind === "pull") this.release(hand, "pull");
    hand.kind = "sweep";
    // From here on it may come back to where it began.
    hand.begun = null;
    for (const { item, at, side } of crossed) {
      hand.item = item;
      const plucks = item.object.kind === "string" && hand.chosen !== "strike";
      if (plucks) this.pluck(item, at, side * this.briskness(hand));
      else this.hit(item, at);
    }
    return true;
  }

  /** How far a sweep plucks, as a part of how far a hand reasonably does. */
  briskness({ track }) {
    const [first, last] = [track.at(-4) ?? track[0], track.at(-1)];
    const time = Math.max(1, last.time - first.time);
    return Math.max(0.15, Math.min(1.2, (1000 * Math.hypot(last.x - first.x, last.y - first.y)) / time / SWEEP));
  }

  pluck(item, at, amount) {
    this.say({ type: "pluck", object: item.index, at, height: amount * item.object.reach });
    this.flash({ kind: "touch", item, at }, FLASH);
  }

  pull(hand) {
    const { item, at } = hand;
    hand.height = item.height(hand.where, at) - item.height(hand.start, at);
    const height = pullHeight(item.object, hand.height);
    hand.height = Math.max(-112, Math.min(112, hand.height));
    this.say({ type: "pull", object: item.index, at, height });
  }

  /**
   * Speed along the string is the bow's; force is the pen's pressure, or the height: pressing harder below the string. A
   * faster bow needs more force to keep its grip, so the force goes with the speed, as a player's arm does by itself.
   */
  bow(hand) {
    const { item, at } = hand;
    const away = Math.max(-1, Math.min(1, item.height(hand.where, at) / 120));
    const force = hand.pressure === null || hand.pressure === undefined ? 4 ** -away : 2.5 * hand.pressure;
    const velocity = hand.velocity ?? BOW_SPEED * hand.speed;
    const grip = Math.max(0.4, Math.min(2.5, Math.abs(velocity) / 0.2));
    const pressed = bowPressure(this.settings().pressure) * item.object.bow_force * force * grip;
    this.say({ type: "bow", object: item.index, at, velocity, force: pressed });
  }

  /** Called with every picture: bows follow their pointers. */
  follow(now) {
    for (const hand of this.stage.hands.values()) {
      if (hand.kind !== "bow" || hand.steady) continue;
      hand.speed = speed(hand, now);
      this.bow(hand);
    }
  }

  up({ pointerId }) {
    const hand = this.stage.hands.get(pointerId);
    if (!hand) return;
    this.stage.hands.delete(pointerId);
    if (["bow", "pull", "damp"].includes(hand.kind)) this.release(hand, hand.kind);
  }

  /** Lets go of an object, unless another finger does the same there: an object has one hand of a kind. */
  release(hand, kind) {
    hand.kind = "gone";
    const other = this.holding(hand.item.index, [kind])[0];
    if (other && kind === "damp") this.begin(other, "damp");
    if (!other) this.say({ type: "release", object: hand.item.index, hand: kind });
  }

  /** All hands let go. */
  letGo() {
    for (const pointer of [...this.stage.hands.keys()]) this.up({ pointerId: pointer });
  }
}
