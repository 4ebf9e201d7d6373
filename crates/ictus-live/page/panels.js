// The panels: a slider for every control and every contact's parameters, energy of every object, rules to compare.

import { quantity } from "./format.js";

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** A labelled slider over a range, in equal ratios or equal steps. */
function slider({ label, symbol, unit, range: [low, high], value, logarithmic, title, turned }) {
  const toPosition = (value) => (logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const toValue = (position) => (logarithmic ? low * (high / low) ** position : low + position * (high - low));
  const input = element("input", { type: "range", min: 0, max: 1, step: 0.001, value: toPosition(value) });
  const output = element("output", { className: "number", textContent: quantity(value, unit) });
  input.setAttribute("aria-valuetext", output.textContent);
  const show = (value) => {
    output.textContent = quantity(value, unit);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    const value = toValue(Number(input.value));
    show(value);
    turned(value);
  });
  input.addEventListener("dblclick", () => {
    input.value = toPosition(value);
    show(value);
    turned(value);
  });
  const name = symbol ? [element("i", { textContent: symbol }), ` ${label}`] : [label];
  const row = element("label", { className: "slider", title: title ?? "Double-click to reset" }, element("span", {}, ...name), input, output);
  const follow = (value) => {
    if (document.activeElement === input && input.matches(":active")) return;
    if (!Number.isFinite(value)) return;
    input.value = toPosition(value);
    show(value);
  };
  const put = (value) => {
    input.value = toPosition(value);
    show(value);
  };
  return { row, follow, put, toValue, input };
}

const words = (name) => name.replaceAll(/[-_]/g, " ");

export class Controls {
  constructor(box, panel, say) {
    Object.assign(this, { box, panel, say, sliders: [] });
  }

  show({ controls }) {
    this.controls = controls;
    this.panel.hidden = controls.length === 0;
    this.sliders = controls.map((control, index) =>
      slider({ ...control, label: words(control.name), title: control.midi === null ? undefined : `MIDI controller ${control.midi}`, turned: (value) => this.say({ type: "turn", control: index, value }) }),
    );
    this.box.replaceChildren(...this.sliders.map(({ row }) => row));
    this.sliders.forEach(({ input }, index) => (input.dataset.control = controls[index].name));
  }

  take(values) {
    values.forEach((value, index) => this.sliders[index]?.follow(value));
  }

  /** Shows a value that was set otherwise. */
  put(control, value) {
    this.sliders[control]?.put(value);
  }

  /** The first control that has one of some controllers: its number and value at a position from 0 to 1. */
  with(numbers) {
    const control = numbers.map((number) => this.controls.findIndex(({ midi }) => midi === number)).find((index) => index >= 0);
    return control === undefined ? null : (position) => ({ control, value: this.sliders[control].toValue(position) });
  }

  /** A MIDI controller was turned, from 0 to 1. */
  turn(number, position) {
    this.controls.forEach(({ midi }, control) => {
      if (midi === number) this.say({ type: "turn", control, value: this.sliders[control].toValue(position) });
    });
  }
}

/** Contacts of a set differ in the note only and are turned together. */
function group(contacts) {
  const groups = new Map();
  contacts.forEach((contact, index) => {
    const parts = contact.name.split(".");
    const name = parts.length > 2 ? parts.slice(0, -1).join(".") : contact.name;
    if (!groups.has(name)) groups.set(name, { name, contact, indices: [] });
    groups.get(name).indices.push(index);
  });
  return [...groups.values()];
}

/** The range a parameter is turned over. */
function range({ name, value, least }) {
  if (/stiffness|sharpness/.test(name) && value > 0) return { range: [value / 1000, value * 1000], logarithmic: true };
  if (name === "sliding") return { range: [0, 0.95], logarithmic: false };
  if (name === "exponent") return { range: [1, Math.max(4, value)], logarithmic: false };
  return { range: [least, Math.max(4 * value, least + (name === "threshold" ? 1e-3 : 2))], logarithmic: false };
}

export class Contacts {
  constructor(box, panel, say) {
    Object.assign(this, { box, panel, say, groups: [] });
    this.side = "a";
  }

  show({ contacts, rules }) {
    this.rules = rules;
    this.groups = group(contacts);
    this.sliders = new Map(); // by path
    this.panel.hidden = this.groups.length === 0;
    this.box.replaceChildren(...this.groups.map((one, number) => this.card(one, number)));
  }

  card(one, number) {
    const { contact, indices, name } = one;
    one.meter = element("meter", { min: 0, max: 1, value: 0 });
    one.meter.setAttribute("aria-label", `Force of ${name}`);
    one.number = element("output", { className: "number", textContent: "0 N" });
    one.most = 1e-9;
    one.rules = { a: contact.rule, b: this.comparison(contact.rule) };
    const summary = element("summary", {}, element("span", { className: "name", textContent: name + (indices.length > 1 ? ` ×${indices.length}` : "") }), one.meter, one.number);
    const rules = element("div", { className: "rules" }, ...["a", "b"].map((side) => this.ruleChoice(one, side)));
    const damping = { name: "damping", unit: "N s/m", value: contact.damping, least: 0, path: contact.damping_path };
    const live = [...contact.parameters, damping].filter(({ path }) => path);
    const sliders = live.map((parameter) => {
      const turned = (value) => this.say({ type: "set", parameter: parameter.path, value });
      const made = slider({ label: parameter.name, symbol: parameter.symbol, unit: parameter.unit, value: parameter.value, ...range(parameter), turned });
      made.input.dataset.parameter = parameter.path;
      this.sliders.set(parameter.path, made);
      return made;
    });
    const law = element("p", { className: "small", textContent: words(contact.law) });
    return element("details", { className: "contact", open: number < 2 && this.groups.length < 4 }, summary, law, ...sliders.map(({ row }) => row), rules);
  }

  /** What a rule is compared with: the usual one; and that with the newest one published. */
  comparison(rule) {
    const usual = this.rules.find(({ usual }) => usual)?.name;
    return rule === usual ? (this.rules.findLast(({ aims }) => !aims)?.name ?? usual) : usual;
  }

  ruleChoice(one, side) {
    const options = this.rules.map(({ name }) => element("option", { value: name, textContent: words(name), selected: name === one.rules[side] }));
    const select = element("select", {}, ...options);
    select.addEventListener("change", () => {
      one.rules[side] = select.value;
      if (side === this.side) this.apply(one);
    });
    return element("label", { className: "rule" }, element("span", { textContent: `Rule ${side.toUpperCase()}` }), select);
  }

  apply({ indices, rules }) {
    this.say({ type: "rule", contacts: indices, rule: rules[this.side] });
  }

  /** Hears A or B. */
  compare(side) {
    this.side = side;
    this.groups.forEach((one) => this.apply(one));
  }

  /** Shows a value that was set otherwise. */
  put(path, value) {
    this.sliders.get(path)?.put(value);
  }

  take(forces) {
    for (const one of this.groups) {
      const force = Math.max(...one.indices.map((index) => forces[index]));
      one.most = Math.max(force, 0.9995 * one.most);
      one.shown = Math.max(force, 0.9 * (one.shown ?? 0));
      one.meter.value = Math.sqrt(one.shown / one.most) || 0;
      if (force > 0 || one.shown > 1e-6) one.number.textContent = quantity(one.shown, "N");
    }
  }
}

export class Objects {
  constructor(box, say, speed) {
    Object.assign(this, { box, say, speed, rows: [] });
  }

  show({ objects }) {
    this.most = 1e-12;
    this.rows = objects.map((object, index) => {
      if (object.tool || object.kind === "barrier") return null;
      const meter = element("meter", { min: 0, max: 1, value: 0 });
      meter.setAttribute("aria-label", `Energy of ${object.name}`);
      const number = element("output", { className: "number", textContent: "0 J" });
      const row = element("li", {}, element("span", { className: "name", textContent: object.name, title: object.pitch ? `${object.kind}, ${quantity(object.pitch, "Hz")}` : object.kind }), meter, number);
      if (object.playable) row.append(this.button("Strike", object, index), this.button("Damp", object, index));
      return { row, meter, number };
    });
    this.box.replaceChildren(...this.rows.filter(Boolean).map(({ row }) => row));
  }

  button(what, object, index) {
    const at = object.kind === "modal" ? [0] : [0.21, 0.34];
    const button = element("button", { type: "button", className: "tiny", textContent: what });
    button.setAttribute("aria-label", `${what} ${object.name}`);
    if (what === "Strike") {
      button.addEventListener("click", () => this.say({ type: "strike", object: index, at, velocity: this.speed() }));
    } else {
      button.addEventListener("click", () => {
        this.say({ type: "damp", object: index, at: at.map((place) => place + 0.1) });
        setTimeout(() => this.say({ type: "release", object: index, hand: "damp" }), 600);
      });
    }
    return button;
  }

  take(objects) {
    this.most *= 0.9997;
    for (const { energy } of objects) this.most = Math.max(this.most, energy);
    objects.forEach(({ energy }, index) => {
      const row = this.rows[index];
      if (!row) return;
      // Six decades: from a millionth of the most there was.
      row.meter.value = Math.max(0, 1 + Math.log10(energy / this.most) / 6) || 0;
      row.number.textContent = energy < 1e-12 ? "0 J" : quantity(energy, "J");
    });
  }
}
