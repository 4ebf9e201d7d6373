// The keys on the page: those that sound, and no others.

import { keyName } from "./format.js";
import { written } from "./keyboard.js";

const BLACK = new Set([1, 3, 6, 8, 10]);

export class Keys {
  constructor(box, notes) {
    Object.assign(this, { box, notes });
    notes.lights.add((key, down) => this.button(key)?.classList.toggle("down", down));
    box.addEventListener("pointerdown", (event) => this.slide(event, true));
    box.addEventListener("pointermove", (event) => this.slide(event, false));
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
      box.addEventListener(kind, ({ pointerId }) => notes.lift(`pointer ${pointerId}`));
    }
    box.addEventListener("keydown", (event) => {
      if (event.code !== "Enter" || event.repeat || !event.target.dataset.key) return;
      notes.press("enter", Number(event.target.dataset.key));
      event.preventDefault();
    });
    for (const kind of ["keyup", "focusout"]) box.addEventListener(kind, (event) => (event.code ?? "Enter") === "Enter" && notes.lift("enter"));
  }

  button(key) {
    return this.box.querySelector(`[data-key="${key}"]`);
  }

  /** Under a finger that slides over them, keys sound one after the other. */
  slide(event, begins) {
    const who = `pointer ${event.pointerId}`;
    if (!begins && !this.notes.held.has(who)) return;
    if (begins) this.box.setPointerCapture(event.pointerId);
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-key]");
    if (!found || !this.box.contains(found)) return;
    const key = Number(found.dataset.key);
    if (begins || this.notes.held.get(who) !== key) this.notes.press(who, key);
  }

  /** Draws the keys of an instrument, with the keys of the computer that play them. */
  show({ keys }, layout) {
    const notes = layout.isPad ? [layout.pad] : layout.notes;
    this.box.hidden = !keys;
    this.box.classList.toggle("piano", layout.isPiano && !layout.isPad);
    this.box.replaceChildren(...(keys ? notes.map((note) => this.key(note, layout)) : []));
    this.label(layout);
  }

  key(note, { isPad, isPiano }) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.key = note;
    button.className = isPiano && BLACK.has(note % 12) ? "key black" : "key";
    const name = isPad ? "Play" : keyName(note);
    const [label, letter] = [document.createElement("span"), document.createElement("kbd")];
    label.textContent = name;
    button.append(letter, label);
    return button;
  }

  /** Writes on the keys which key of the computer plays them. */
  label(layout) {
    for (const button of this.box.children) {
      const code = layout.isPad ? null : layout.code(Number(button.dataset.key));
      button.querySelector("kbd").textContent = code ? written(code) : "";
    }
  }
}
