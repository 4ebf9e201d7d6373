// The stage by keyboard: arrows move a place over the objects, Enter plays it by the chosen hand, Shift and Enter damp it.

const STEP = 0.04; // of a side, for every press of an arrow
const WAYS = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } };
const PULL = 0.6; // of how far a hand reasonably pulls
const STROKE = [0.08, 0.48]; // m/s of a bow, from the lowest to the highest strike speed

export class Cursor {
  /** `tell` says where the place is. */
  constructor(stage, pointer, tell) {
    Object.assign(this, { stage, pointer, tell, item: null, at: [] });
    const { canvas } = stage;
    canvas.addEventListener("keydown", (event) => this.down(event));
    canvas.addEventListener("keyup", ({ code }) => code === "Enter" && pointer.up({ pointerId: "enter" }));
    canvas.addEventListener("focus", () => canvas.matches(":focus-visible") && this.appear());
    canvas.addEventListener("blur", () => {
      pointer.up({ pointerId: "enter" });
      stage.cursor = null;
    });
  }

  /** What can be played, as it stands on the stage now. */
  get items() {
    return this.stage.items.filter((item) => item?.object.playable);
  }

  appear() {
    const items = this.items;
    // The stage is laid out anew when its size changes or another instrument is played.
    this.item = items.find((item) => item.index === this.item?.index && item.object === this.item.object) ?? items[0] ?? null;
    if (this.item) this.go(this.item, this.at.length ? this.at : this.start(this.item));
  }

  start(item) {
    return item.type === "sheet" ? [0.4, 0.4] : item.type === "line" ? [0.3] : item.type === "block" ? [0] : [];
  }

  go(item, at) {
    if (item.index !== this.item?.index || at.length !== this.start(item).length) at = this.start(item);
    [this.item, this.at] = [item, at];
    this.stage.cursor = { item, at };
    const place = item.type === "block" ? `point ${at[0] + 1}` : at.map((x) => `${Math.round(100 * x)} %`).join(", ");
    this.tell(place ? `${item.object.name}, ${place}` : item.object.name);
  }

  down(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.items.length) return;
    const way = WAYS[event.code];
    if (way || event.code.startsWith("Page")) {
      this.appear();
      if (way) this.move(way);
      else this.turnTo(event.code === "PageDown" ? 1 : -1);
    } else if (event.code === "Enter") {
      if (!event.repeat) this.play(event.shiftKey);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The next object, or the one before, in the order of the list. */
  turnTo(step) {
    const items = this.items;
    const at = items.findIndex((item) => item.index === this.item.index);
    this.go(items[(at + step + items.length) % items.length], []);
  }

  move(way) {
    const { item, at } = this;
    const moved = this.moved(item, at, way);
    if (moved && moved.some((x, side) => x !== at[side])) this.go(item, moved);
    else this.leave(way);
  }

  /** The next place on the object that way; null if that way leads off it. */
  moved({ type, along, count }, at, { x, y }) {
    const within = (place) => Math.min(1, Math.max(0, Math.round(1000 * place) / 1000));
    if (type === "line") return x * along.x + y * along.y ? [within(at[0] + STEP * Math.sign(x * along.x + y * along.y))] : null;
    if (type === "sheet") return [within(at[0] + STEP * x), within(at[1] - STEP * y)];
    if (type === "block" && x) return [Math.min(count - 1, Math.max(0, at[0] + x))];
    return null;
  }

  /** To the nearest object that way. */
  leave({ x, y }) {
    const from = this.item.point(this.at);
    const away = this.items.filter((item) => item !== this.item).map((item) => {
      const p = item.point(item.place(from));
      const [dx, dy] = [p.x - from.x, p.y - from.y];
      return { item, place: item.place(from), forward: dx * x + dy * y, distance: Math.hypot(dx, dy) };
    });
    const next = away.filter(({ forward, distance }) => forward > 0.5 * distance && distance > 0).sort((one, other) => one.distance - other.distance)[0];
    if (!next) return;
    this.item = next.item;
    this.go(next.item, next.place);
  }

  play(damps) {
    this.appear();
    const { pointer, item, at } = this;
    const { hand: chosen, speed } = pointer.settings();
    const kind = damps ? "damp" : chosen === "auto" ? "strike" : chosen;
    if (kind === "strike") {
      pointer.hit(item, at);
      return;
    }
    const p = item.point(at);
    const hand = { kind, item, at, start: p, where: p, steady: true, pressure: null, track: [], speed: 0 };
    if (kind === "pull") hand.where = { x: p.x + 70 * PULL * item.normal.x, y: p.y + 70 * PULL * item.normal.y };
    if (kind === "bow") hand.velocity = STROKE[0] + speed * (STROKE[1] - STROKE[0]);
    this.stage.hands.set("enter", hand);
    pointer.begin(hand, kind);
  }
}
