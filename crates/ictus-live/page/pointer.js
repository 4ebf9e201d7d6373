// Playing by pointer: strike with a click, bow along, pull across and let go, damp with a second touch.

import { pullHeight } from "./motion.js";

const DECIDED = 6; // px that a pointer moves before it is clear what it does
const WINDOW = 150; // ms over which a pointer's speed is taken
const BOW_SPEED = 1 / 1400; // m/s for every px/s of the pointer

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
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => this.up(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  point(event) {
    const box = this.stage.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  down(event) {
    const p = this.point(event);
    const item = this.stage.hit(p);
    if (!item) return;
    event.preventDefault();
    this.stage.canvas.setPointerCapture(event.pointerId);
    const chosen = this.settings().hand;
    const busy = [...this.stage.hands.values()].some((hand) => hand.kind !== "strike");
    const second = (busy && chosen !== "strike") || event.shiftKey || event.button === 2;
    const kind = second ? "damp" : chosen;
    const hand = { kind: "waiting", item, at: item.place(p), start: p, where: p, speed: 0, track: [{ ...p, time: event.timeStamp }] };
    this.stage.hands.set(event.pointerId, hand);
    if (kind === "damp") this.begin(hand, "damp");
    else if (kind === "strike") this.strike(hand);
    else if (kind !== "auto") this.begin(hand, kind);
  }

  begin(hand, kind) {
    hand.kind = kind;
    const { item, at } = hand;
    if (kind === "damp") this.say({ type: "damp", object: item.index, at });
    else if (kind === "pull") this.pull(hand);
    else this.bow(hand);
  }

  strike(hand) {
    hand.kind = "strike";
    this.say({ type: "strike", object: hand.item.index, at: hand.at, velocity: strikeSpeed(this.settings().speed) });
  }

  move(event) {
    const hand = this.stage.hands.get(event.pointerId);
    if (!hand) return;
    hand.where = this.point(event);
    hand.track.push({ ...hand.where, time: event.timeStamp });
    if (hand.track.length > 60) hand.track.shift();
    hand.pressure = event.pointerType === "pen" ? event.pressure : null;
    if (hand.kind === "waiting") {
      const [dx, dy] = [hand.where.x - hand.start.x, hand.where.y - hand.start.y];
      if (Math.hypot(dx, dy) < DECIDED) return;
      const { along } = hand.item;
      const lengthwise = along ? Math.abs(dx * along.x + dy * along.y) : 0;
      this.begin(hand, along && lengthwise > 0.7 * Math.hypot(dx, dy) ? "bow" : "pull");
    } else if (hand.kind === "pull") {
      this.pull(hand);
    }
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
    const velocity = BOW_SPEED * hand.speed;
    const grip = Math.max(0.4, Math.min(2.5, Math.abs(velocity) / 0.2));
    const pressed = bowPressure(this.settings().pressure) * item.object.bow_force * force * grip;
    this.say({ type: "bow", object: item.index, at, velocity, force: pressed });
  }

  /** Called with every picture: bows follow their pointers. */
  follow(now) {
    for (const hand of this.stage.hands.values()) {
      if (hand.kind !== "bow") continue;
      hand.speed = speed(hand, now);
      this.bow(hand);
    }
  }

  up(event) {
    const hand = this.stage.hands.get(event.pointerId);
    if (!hand) return;
    if (hand.kind === "waiting") this.strike(hand);
    if (hand.kind === "strike") {
      // Its flash stays a moment, unless the same pointer has begun something else.
      setTimeout(() => this.stage.hands.get(event.pointerId) === hand && this.stage.hands.delete(event.pointerId), 90);
      return;
    }
    this.stage.hands.delete(event.pointerId);
    this.say({ type: "release", object: hand.item.index, hand: hand.kind });
  }
}
