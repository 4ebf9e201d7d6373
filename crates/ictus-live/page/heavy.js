// Says when an instrument is too heavy for this computer, and offers less of it: partials up to a lower frequency.

const TOO_MUCH = 0.95; // of the time there is: more cannot be played without a gap
const BORNE = 150; // states in a row, 2.5 s: the engine gives up the energy account first

export class Heaviness {
  /** `affordable` resolves to the Hz up to which partials can be played, of a load; `lighten` plays the instrument with no others. */
  constructor(box, { affordable, lighten }) {
    this.note = Object.assign(document.createElement("div"), { className: "heavy", hidden: true });
    this.note.setAttribute("role", "status");
    this.text = document.createElement("p");
    this.less = Object.assign(document.createElement("button"), { type: "button" });
    const bear = Object.assign(document.createElement("button"), { type: "button", textContent: "Play it as it is" });
    this.note.append(this.text, this.less, bear);
    box.append(this.note);
    Object.assign(this, { affordable, highest: null, expected: 0, loaded: 0, isBorne: false, turn: 0 });
    this.less.addEventListener("click", () => {
      this.note.hidden = true;
      lighten(this.highest);
    });
    bear.addEventListener("click", () => {
      this.isBorne = this.note.hidden = true;
    });
  }

  /** What the next instrument will take, as it was measured before. */
  expect(load) {
    this.expected = load;
  }

  show() {
    [this.loaded, this.isBorne] = [0, false];
    this.note.hidden = true;
    if (this.expected > TOO_MUCH) this.say(this.expected);
    this.expected = 0;
  }

  take({ load }) {
    this.loaded = load > TOO_MUCH ? this.loaded + 1 : 0;
    if (this.loaded === BORNE) this.say(load);
  }

  async say(load) {
    if (this.isBorne || !this.note.hidden) return;
    const turn = ++this.turn;
    this.text.textContent = `This instrument needs ${load.toPrecision(2)} times the time that this computer has: it will stutter.`;
    this.less.hidden = true;
    this.note.hidden = false;
    const highest = await this.affordable(load);
    // Another instrument may have come meanwhile.
    if (turn !== this.turn) return;
    this.highest = highest;
    this.less.hidden = highest === null;
    if (highest === null) this.text.textContent += " It has no partials to leave out.";
    else this.less.textContent = `Play partials up to ${highest / 1000} kHz only`;
  }
}
