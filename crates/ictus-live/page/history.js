// What was turned, in order, to undo and to do again. Everything that is said to the engine passes by here.

const ONE_TURN = 700; // ms within which turns of one thing are one step
const MOST = 500; // steps

const nameOf = ({ type, control, parameter }) => (type === "turn" ? control : type === "set" ? parameter : null);

export class History {
  /** `put` sets something and shows it; `changed` is called when what can be undone changes. */
  constructor(put, changed) {
    Object.assign(this, { put, changed, now: new Map(), past: [], future: [], group: null, isReplaying: false });
  }

  show({ scene, controls, contacts }) {
    if (scene !== this.scene) [this.past, this.future] = [[], []];
    this.scene = scene;
    const live = contacts.flatMap(({ parameters, damping, damping_path: path }) => [...parameters, { path, value: damping }]);
    this.now = new Map([...controls.map(({ value }, control) => [control, value]), ...live.map(({ path, value }) => [path, value])]);
    this.changed();
  }

  hear(message) {
    const name = nameOf(message);
    if (name === null) return;
    const from = this.now.get(name);
    this.now.set(name, message.value);
    if (this.isReplaying || from === undefined || from === message.value) return;
    const { type, value: to } = message;
    const last = this.past.at(-1);
    const time = performance.now();
    if (this.group) {
      this.group.push({ type, name, from, to });
    } else if (last?.length === 1 && last[0].name === name && time - this.time < ONE_TURN) {
      last[0].to = to;
    } else {
      this.step([{ type, name, from, to }]);
    }
    this.time = time;
  }

  step(step) {
    if (step.length) this.past.push(step);
    if (this.past.length > MOST) this.past.shift();
    this.future = [];
    this.changed();
  }

  /** All that is turned in between is one step. */
  together(act) {
    this.group = [];
    act();
    const step = this.group;
    this.group = null;
    this.time = -Infinity;
    this.step(step);
  }

  /** What is turned in between is no step. */
  silently(act) {
    this.isReplaying = true;
    act();
    this.isReplaying = false;
  }

  move(from, to, side) {
    const step = from.pop();
    if (!step) return;
    to.push(step);
    const changes = side === "from" ? [...step].reverse() : step;
    this.silently(() => changes.forEach(({ type, name, [side]: value }) => this.put(type === "turn" ? { type, control: name, value } : { type, parameter: name, value })));
    this.time = -Infinity;
    this.changed();
  }

  undo() {
    this.move(this.past, this.future, "from");
  }

  redo() {
    this.move(this.future, this.past, "to");
  }
}
