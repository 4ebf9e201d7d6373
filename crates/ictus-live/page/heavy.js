// Says when an instrument is too heavy for this computer, and offers less of it: partials up to a lower frequency.

const TOO_MUCH = 0.95; // of the time there is: more cannot be played without a gap
const BORNE = 150; // states in a row, 2.5 s: the engine gives up the energy account first
const OFFERS = [8000, 4000, 2000, 1000]; // Hz

export class Heaviness {
  /** `lighten` plays the instrument with partials up to so many Hz. */
  constructor(box, lighten) {
    this.note = Object.assign(document.createElement("div"), { className: "heavy", hidden: true });
    this.note.setAttribute("role", "status");
    this.text = document.createElement("p");
    this.less = Object.assign(document.createElement("button"), { type: "button" });
    const bear = Object.assign(document.createElement("button"), { type: "button", textContent: "Play it as it is" });
    this.note.append(this.text, this.less, bear);
    box.append(this.note);
    Object.assign(this, { scene: null, offers: 0, expected: 0, loaded: 0, isBorne: false });
    this.less.addEventListener("click", () => {
      const highest = OFFERS[this.offers];
      this.offers = Math.min(this.offers + 1, OFFERS.length - 1);
      this.note.hidden = true;
      lighten(highest);
    });
    bear.addEventListener("click", () => {
      this.isBorne = this.note.hidden = true;
    });
  }

  /** What the next instrument will take, as it was measured before. */
  expect(load) {
    this.expected = load;
  }

  show({ scene }) {
    if (scene !== this.scene) this.offers = 0;
    [this.scene, this.loaded, this.isBorne] = [scene, 0, false];
    this.note.hidden = true;
    if (this.expected > TOO_MUCH) this.say(this.expected);
    this.expected = 0;
  }

  take({ load }) {
    this.loaded = load > TOO_MUCH ? this.loaded + 1 : 0;
    if (this.loaded === BORNE) this.say(load);
  }

  say(load) {
    if (this.isBorne || !this.note.hidden) return;
    this.text.textContent = `This instrument needs ${load.toPrecision(2)} times the time that this computer has: it will stutter.`;
    this.less.textContent = `Play partials up to ${OFFERS[this.offers] / 1000} kHz only`;
    this.note.hidden = false;
  }
}
