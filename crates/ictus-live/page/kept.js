// What the player has set is kept in the browser: for the page, and for every scene what was turned.

const PLACE = "ictus";
const MOST_SCENES = 100;

/** A table by names that others chose: it has nothing in it that nobody put there, whatever the names are. */
export const table = (entries = []) => Object.assign(Object.create(null), Object.fromEntries(entries));

/** Reads JSON, all of whose tables are such. Throws where it is none. */
export const parsed = (text) => JSON.parse(text, (_, value) => (value && typeof value === "object" && !Array.isArray(value) ? table(Object.entries(value)) : value));

function read() {
  try {
    const kept = parsed(localStorage.getItem(PLACE));
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {}; // nothing, or nothing that this page wrote; or the browser keeps nothing
  }
}

export class Kept {
  constructor() {
    this.all = { page: table(), scenes: table(), ...read() };
    this.scene = null;
    // Written a little later, once for a whole turn of a slider; and before the page goes.
    this.write = () => {
      clearTimeout(this.later);
      try {
        localStorage.setItem(PLACE, JSON.stringify(this.all));
      } catch {
        // What cannot be kept is lost on reload, and nothing else.
      }
    };
    addEventListener("pagehide", this.write);
  }

  changed() {
    clearTimeout(this.later);
    this.later = setTimeout(this.write, 300);
  }

  /** Keeps a setting of the page. */
  keep(name, value) {
    this.all.page[name] = value;
    this.changed();
  }

  /** A setting of the page. */
  page(name) {
    return this.all.page[name];
  }

  show({ scene, controls, contacts }) {
    this.scene = scene;
    this.controls = controls;
    this.paths = new Set(contacts.flatMap(({ parameters, damping_path: damping }) => [...parameters.map(({ path }) => path), damping]).filter(Boolean));
  }

  /** What was turned in this scene: values of controls by name, of parameters by path. */
  get turned() {
    return (this.scene !== null && this.all.scenes[this.scene]) || { controls: table(), parameters: table() };
  }

  /** Keeps what is said to the engine, if it turns something. */
  hear(message) {
    const name = message.type === "turn" ? this.controls?.[message.control]?.name : message.parameter;
    if (this.scene === null || name === undefined || !["turn", "set"].includes(message.type)) return;
    const turned = this.turned;
    (message.type === "turn" ? turned.controls : turned.parameters)[name] = message.value;
    // The scene that was turned last is forgotten last.
    delete this.all.scenes[this.scene];
    this.all.scenes[this.scene] = turned;
    const names = Object.keys(this.all.scenes);
    for (const old of names.slice(0, Math.max(0, names.length - MOST_SCENES))) delete this.all.scenes[old];
    this.changed();
  }

  forget() {
    delete this.all.scenes[this.scene];
    this.changed();
  }

  /** What everything stands at, of values by the number of a control or the path of a parameter: all controls, and what was set besides. */
  standing(now) {
    const controls = table(this.controls.map(({ name }, control) => [name, now.get(control)]));
    const parameters = table(Object.keys(this.turned.parameters).filter((path) => this.paths.has(path)).map((path) => [path, now.get(path)]));
    return { controls, parameters };
  }

  /** What to say to the engine so that this scene stands as it was left, or as a preset says; of what it still has. */
  messages({ controls, parameters } = this.turned) {
    const turns = (this.controls ?? []).flatMap(({ name }, control) => (name in controls ? [{ type: "turn", control, value: controls[name] }] : []));
    const sets = Object.entries(parameters).filter(([path]) => this.paths?.has(path));
    return [...turns, ...sets.map(([parameter, value]) => ({ type: "set", parameter, value }))];
  }
}
