// Notes: the computer's keyboard as two rows of a piano, keys on the page, and MIDI.

import { keyName } from "./format.js";

const LOWER = ["KeyZ", "KeyS", "KeyX", "KeyD", "KeyC", "KeyV", "KeyG", "KeyB", "KeyH", "KeyN", "KeyJ", "KeyM", "Comma", "KeyL", "Period", "Semicolon", "Slash"];
const UPPER = ["KeyQ", "Digit2", "KeyW", "Digit3", "KeyE", "KeyR", "Digit5", "KeyT", "Digit6", "KeyY", "Digit7", "KeyU", "KeyI", "Digit9", "KeyO", "Digit0", "KeyP"];
const BLACK = new Set([1, 3, 6, 8, 10]);

/** Plays notes; on an instrument without a note map, keys strike its objects in turn. */
export class Notes {
  constructor(say, strength) {
    Object.assign(this, { say, strength, down: new Set(), description: null });
  }

  show(description) {
    this.description = description;
    this.down.clear();
    const [low, high] = description.keys ?? [48, 72];
    this.shift = 12 * Math.round((low + Math.min(12, (high - low) / 2) - 6) / 12);
    this.playable = description.objects.map((object, index) => ({ object, index })).filter(({ object }) => object.playable);
  }

  on(key, velocity = this.strength()) {
    if (this.down.has(key) || key < 0 || key > 127) return;
    this.down.add(key);
    this.light(key, true);
    if (this.description.keys) this.say({ type: "note-on", key, velocity });
    else this.strike(key, velocity);
  }

  off(key) {
    if (!this.down.delete(key)) return;
    this.light(key, false);
    if (this.description.keys) this.say({ type: "note-off", key });
  }

  strike(key, velocity) {
    if (!this.playable.length) return;
    const { object, index } = this.playable[key % this.playable.length];
    const along = 0.08 + (0.84 * ((key * 7) % 25)) / 25;
    const at = object.kind === "modal" ? [key % object.points[0]] : [along, 0.08 + (0.84 * ((key * 11) % 25)) / 25];
    this.say({ type: "strike", object: index, at, velocity: 0.1 * 60 ** velocity });
  }

  light(key, on) {
    this.box?.querySelector(`[data-key="${key}"]`)?.classList.toggle("down", on);
  }

  /** Listens to the computer's keyboard. */
  listen() {
    addEventListener("keydown", (event) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input[type=text]")) return;
      const offset = this.offset(event.code);
      if (offset !== null) this.on(this.shift + offset);
      else if (event.code === "BracketLeft") this.shift = Math.max(0, this.shift - 12);
      else if (event.code === "BracketRight") this.shift = Math.min(108, this.shift + 12);
      else if (event.code === "Space" && !event.target.closest("button, input, a, summary")) this.say({ type: "sustain", on: true });
      else return;
      event.preventDefault();
    });
    addEventListener("keyup", (event) => {
      const offset = this.offset(event.code);
      if (offset !== null) [-12, 0, 12].forEach((octave) => this.off(this.shift + offset + octave));
      else if (event.code === "Space") this.say({ type: "sustain", on: false });
    });
    addEventListener("blur", () => [...this.down].forEach((key) => this.off(key)));
  }

  offset(code) {
    const [low, high] = [LOWER.indexOf(code), UPPER.indexOf(code)];
    if (low >= 0) return low;
    return high >= 0 ? 12 + high : null;
  }

  /** Draws the keys of the instrument. */
  draw(box) {
    this.box = box;
    box.replaceChildren();
    box.hidden = !this.description.keys;
    if (box.hidden) return;
    const [low, high] = this.description.keys;
    for (let key = low; key <= high; key++) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.key = key;
      button.className = BLACK.has(key % 12) ? "key black" : "key";
      button.setAttribute("aria-label", keyName(key));
      if (key % 12 === 0) button.textContent = keyName(key);
      button.addEventListener("pointerdown", (event) => {
        button.setPointerCapture(event.pointerId);
        this.on(key);
      });
      for (const kind of ["pointerup", "pointercancel"]) button.addEventListener(kind, () => this.off(key));
      button.addEventListener("keydown", (event) => {
        if (event.code === "Enter" && !event.repeat) this.on(key);
      });
      button.addEventListener("keyup", (event) => event.code === "Enter" && this.off(key));
      box.append(button);
    }
  }
}

/** Listens to MIDI: notes, pitch wheel, pedal, and the controllers that the instrument's controls name. */
export async function listenToMidi(notes, { say, turn }) {
  const access = await navigator.requestMIDIAccess();
  const hear = ({ data: [status, first, second] }) => {
    const kind = status & 0xf0;
    if (kind === 0x90 && second > 0) notes.on(first, second / 127);
    else if (kind === 0x80 || kind === 0x90) notes.off(first);
    else if (kind === 0xe0) say({ type: "bend", amount: (((second << 7) | first) - 8192) / 8192 });
    else if (kind === 0xb0 && first === 64) say({ type: "sustain", on: second >= 64 });
    else if (kind === 0xb0) turn(first, second / 127);
  };
  const connect = () => access.inputs.forEach((input) => (input.onmidimessage = hear));
  access.onstatechange = connect;
  connect();
  return [...access.inputs.values()].map((input) => input.name);
}
