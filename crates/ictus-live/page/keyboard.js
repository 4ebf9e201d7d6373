// The computer's keyboard: two rows of a piano, or the instrument's own notes in turn.

const PIANO = [
  ["KeyZ", "KeyS", "KeyX", "KeyD", "KeyC", "KeyV", "KeyG", "KeyB", "KeyH", "KeyN", "KeyJ", "KeyM", "Comma", "KeyL", "Period", "Semicolon", "Slash"],
  ["KeyQ", "Digit2", "KeyW", "Digit3", "KeyE", "KeyR", "Digit5", "KeyT", "Digit6", "KeyY", "Digit7", "KeyU", "KeyI", "Digit9", "KeyO", "Digit0", "KeyP"],
];
const INTERVALS = new Map(PIANO.flatMap((row, number) => row.map((code, step) => [code, 12 * number + step])));
const IN_TURN = ["KeyZ", "KeyX", "KeyC", "KeyV", "KeyB", "KeyN", "KeyM", "Comma", "Period", "Slash", "KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyY", "KeyU", "KeyI", "KeyO", "KeyP"];
const NAMES = { Comma: ",", Period: ".", Slash: "/", Semicolon: ";" };
const OCTAVE = 12;
const WEEK = 7; // notes of a scale

const MIDDLE = 60; // the key that an instrument is played by on which all sound alike, where it has that

/** What is written on a key of the computer, on most keyboards. */
export const written = (code) => NAMES[code] ?? code.replace(/^(Key|Digit)/, "");

/** Which key of the computer plays which note. */
export class Layout {
  constructor({ keys, notes }) {
    this.notes = notes ?? [];
    this.isPad = Boolean(keys) && this.notes.length === 0;
    this.pad = this.isPad ? Math.min(Math.max(MIDDLE, keys[0]), keys[1]) : null;
    this.isPiano = !keys || (!this.isPad && this.notes.at(-1) - this.notes[0] === this.notes.length - 1);
    this.shift = this.isPiano ? this.fittest() : 0;
  }

  /** The C from which most keys of the computer sound. */
  fittest() {
    if (!this.notes.length) return 4 * OCTAVE;
    const sounding = (shift) => [...INTERVALS.values()].filter((step) => this.notes.includes(shift + step)).length;
    const starts = Array.from({ length: 10 }, (_, octave) => OCTAVE * octave);
    const most = Math.max(...starts.map(sounding));
    const best = starts.filter((shift) => sounding(shift) === most);
    // A few notes lie on the lower row, where a hand rests.
    return best.findLast((shift) => shift <= this.notes[0]) ?? best[0];
  }

  /** Up or down by an octave, as long as there are notes to play. */
  move(up) {
    const shift = this.shift + (up ? 1 : -1) * (this.isPiano ? OCTAVE : WEEK);
    const [low, high] = this.isPiano ? [this.notes[0] ?? 0, this.notes.at(-1) ?? 127] : [0, this.notes.length - 1];
    const last = shift + (this.isPiano ? 28 : IN_TURN.length - 1);
    if (!this.isPad && shift <= high && last >= low) this.shift = Math.max(0, shift);
  }

  /** The note of a key of the computer; null for one that plays none. */
  note(code) {
    if (this.isPad) return INTERVALS.has(code) ? this.pad : null;
    const note = this.isPiano ? this.shift + INTERVALS.get(code) : this.notes[this.shift + IN_TURN.indexOf(code)];
    const known = this.isPiano ? INTERVALS.has(code) : IN_TURN.includes(code);
    return known && (this.notes.includes(note) || !this.notes.length) ? note : null;
  }

  /** The key of the computer that plays a note, if one does. */
  code(note) {
    return [...(this.isPiano ? INTERVALS.keys() : IN_TURN)].findLast((code) => this.note(code) === note);
  }

  knows(code) {
    return INTERVALS.has(code);
  }
}

/** Whether what is typed is text. */
export function isTyping(target) {
  return Boolean(target.closest?.("textarea, [contenteditable]:not([contenteditable=false]), input:not([type=range], [type=checkbox], [type=radio], [type=button], [type=file])"));
}

/**
 * Plays notes by the computer's keyboard. Whatever has the focus, keys play, unless a text is typed; Space sustains, unless what has the
 * focus was reached by Tab, which Space then presses. `moved` is called when the octave changes, `silence` when all is to be quiet.
 */
export class Keyboard {
  constructor(notes, { moved, silence }) {
    Object.assign(this, { notes, moved, silence });
    this.isReached = false; // by Tab or arrows, not by a pointer
    addEventListener("keydown", (event) => this.down(event), { capture: true });
    addEventListener("keyup", (event) => this.up(event), { capture: true });
    addEventListener("pointerdown", () => (this.isReached = false), { capture: true });
    // What a pointer has chosen is done with.
    addEventListener("change", ({ target }) => !this.isReached && target.matches("select") && target.blur());
    addEventListener("click", ({ detail, target }) => detail > 0 && target.closest?.("button, summary")?.blur());
    for (const event of ["blur", "pagehide"]) addEventListener(event, () => notes.liftAll());
    document.addEventListener("visibilitychange", () => document.hidden && notes.liftAll());
  }

  show(description) {
    this.layout = new Layout(description);
  }

  down(event) {
    const { code, target } = event;
    if (event.key === "Tab" || event.key.startsWith("Arrow")) this.isReached = true;
    if (!this.layout || isTyping(target)) return;
    // With these a keyboard may never tell that a key came up.
    if (event.ctrlKey || event.metaKey || event.altKey) return this.notes.liftAll((who) => who.startsWith("key "));
    if (code === "Escape") return this.silence();
    if (code === "Space") {
      if (this.isReached && target.closest("button, input, select, summary, a")) return;
      if (!event.repeat) this.notes.pedal("key Space", true);
    } else if (code === "BracketLeft" || code === "BracketRight") {
      this.layout.move(code === "BracketRight");
      this.moved();
    } else if (this.layout.knows(code)) {
      const note = this.layout.note(code);
      if (!event.repeat && note !== null) this.notes.press(`key ${code}`, note);
    } else {
      return;
    }
    event.preventDefault();
  }

  up({ code, key }) {
    if (key === "Meta") this.notes.liftAll((who) => who.startsWith("key "));
    this.notes.lift(`key ${code}`);
    if (code === "Space") this.notes.pedal("key Space", false);
  }
}
