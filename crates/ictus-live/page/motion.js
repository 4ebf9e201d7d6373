// How an object moves, and how that fits into its room on the stage.
//
// Deflections are blown up to the room there is. What nothing holds also moves and turns as a whole, on and on, and bends far
// less than that: its motion as a whole is told from its bending and has a measure of its own, so that bending stays in sight
// and neither leaves the room.

import { pointPlaces } from "./layout.js";

const TRAIL = 6; // states whose envelope is drawn
const FALL = 0.985; // of the level, from state to state
const BENDING = 0.65; // share of the room that bending has at least
const REACH = 70; // px that an object moves when it is pulled as far as a hand reasonably does
const FARTHEST = 1.6; // times that reach, the farthest a hand pulls

/** Metres that a pull of so many px means. */
export function pullHeight(object, px) {
  return Math.max(-FARTHEST, Math.min(FARTHEST, px / REACH)) * object.reach;
}

/** The ways in which a body can move without bending: functions of the place, at most 1, orthogonal over the body. */
function wholeMotions({ kind, shape, edges }) {
  const held = edges.flatMap((edge, n) => (edge === "free" ? [] : [n]));
  const [lift, tilt, roll] = [() => 1, ([x]) => 2 * x - 1, ([, y]) => 2 * y - 1];
  if (!shape || kind === "membrane") return [];
  // The tension of a string rights it when it tilts.
  if (!held.length) return shape === "line" ? (kind === "string" ? [lift] : [lift, tilt]) : [lift, tilt, roll];
  // Supported on one side only, it turns about that side like a door.
  if (held.length > 1 || shape === "circle" || kind === "string" || edges[held[0]] !== "supported") return [];
  return [[([x]) => x, ([x]) => 1 - x, ([, y]) => y, ([, y]) => 1 - y][held[0]]];
}

export class Motion {
  constructor(object) {
    this.object = object;
    this.trail = []; // the last states
    this.touch = 0; // N, of the hands
    this.level = 0; // m, of bending, of late
    this.wholeLevel = 0; // m, of moving as a whole
    this.gain = 0; // px per m of bending
    this.carry = 0; // px per m of moving as a whole
    const places = pointPlaces(object);
    this.wholes = wholeMotions(object).map((at) => {
      const values = Float64Array.from(places, (place) => at(place.at));
      const weights = values.map((value, k) => (places[k].on ? value : 0));
      const norm = weights.reduce((sum, weight) => sum + weight * weight, 0);
      return { at, values, weights: weights.map((weight) => weight / norm) };
    });
  }

  /** Takes the next state. */
  take({ shape, touch }) {
    this.touch = Math.max(touch, 0.85 * this.touch);
    if (!shape.every(Number.isFinite)) return;
    const parts = this.wholes.map(({ weights }) => weights.reduce((sum, weight, k) => sum + weight * shape[k], 0));
    const bending = parts.length ? shape.map((u, k) => u - this.whole(parts, k)) : shape;
    const peak = bending.reduce((most, u) => Math.max(most, Math.abs(u)), 0);
    const whole = parts.reduce((sum, part) => sum + Math.abs(part), 0);
    this.trail.push({ parts, bending, peak, whole });
    if (this.trail.length > TRAIL) this.trail.shift();
    // As high as all that is drawn, at once; then it falls slowly.
    this.level = Math.max(FALL * this.level, ...this.trail.map((one) => one.peak));
    this.wholeLevel = Math.max(FALL * this.wholeLevel, ...this.trail.map((one) => one.whole));
  }

  whole(parts, k) {
    let sum = 0;
    for (let n = 0; n < parts.length; n++) sum += parts[n] * this.wholes[n].values[k];
    return sum;
  }

  /** Chooses the measures for the next picture: all within an amplitude in px, or the hand's own while it is pulled. */
  fit(amplitude, pulled) {
    const { level, wholeLevel, object } = this;
    if (pulled) {
      const most = (FARTHEST * REACH) / Math.max(level + wholeLevel, 1e-12);
      this.gain = this.carry = Math.min(REACH / object.reach, most);
      return;
    }
    // Rounding of a body far away is not to be seen as bending.
    const floor = Math.max(level, 0.003 * object.reach, 1e-6 * wholeLevel);
    const wanted = Math.max(amplitude / (floor + wholeLevel), (BENDING * amplitude) / floor);
    // It grows slowly, so that a sound is seen to decay, and falls at once: a stroke stays within the room.
    this.gain = this.gain ? Math.min(wanted, this.gain + 0.15 * (wanted - this.gain)) : wanted;
    this.carry = Math.min(this.gain, (amplitude - this.gain * level) / Math.max(wholeLevel, 1e-30));
  }

  /** px that a point is drawn away from rest, in the last state or another one of the trail. */
  offset(k, state = this.trail.at(-1)) {
    return state ? this.gain * state.bending[k] + this.carry * this.whole(state.parts, k) : 0;
  }

  /** The same at a place between the points. */
  offsetAt(at) {
    const { points, kind } = this.object;
    if (kind === "modal") return this.offset(at[0] ?? 0);
    const [x, y] = [0, 1].map((side) => {
      const along = Math.min(1, Math.max(0, at[side] ?? 0.5)) * (points[side] - 1);
      const first = Math.min(Math.floor(along), Math.max(0, points[side] - 2));
      return { first, share: along - first };
    });
    const row = (number) => {
      const k = number * points[0] + x.first;
      return x.share ? (1 - x.share) * this.offset(k) + x.share * this.offset(k + 1) : this.offset(k);
    };
    return y.share ? (1 - y.share) * row(y.first) + y.share * row(y.first + 1) : row(y.first);
  }

  /** px that something beside it is drawn away from rest which is displaced by u in m and touches it at a place. */
  offsetBeside(at, u) {
    const state = this.trail.at(-1);
    const whole = state ? state.parts.reduce((sum, part, n) => sum + part * this.wholes[n].at(at), 0) : 0;
    return this.gain * (u - whole) + this.carry * whole;
  }
}
