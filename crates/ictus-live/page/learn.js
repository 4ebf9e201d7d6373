// MIDI controllers that the player has given to sliders: kept for every scene.

import { table } from "./kept.js";

export class Learn {
  /** `button` begins and ends learning; `panels` hold the sliders. */
  constructor(button, panels, kept, tell) {
    Object.assign(this, { button, panels, kept, tell, slider: null });
    button.addEventListener("click", () => this.begin(!this.isOn));
    for (const panel of panels) {
      for (const event of ["pointerdown", "focusin"]) panel.addEventListener(event, ({ target }) => this.isOn && this.choose(target.closest("input[type=range]")));
    }
  }

  get isOn() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  get learned() {
    return ((this.kept.all.learned ??= table())[this.scene] ??= table());
  }

  show({ scene }) {
    this.scene = scene;
    this.begin(false);
  }

  begin(on) {
    this.button.setAttribute("aria-pressed", String(on));
    this.choose(null);
    for (const panel of this.panels) panel.classList.toggle("learning", on);
    if (on) this.tell("Touch a slider, then turn a MIDI controller");
  }

  choose(slider) {
    this.slider?.classList.remove("chosen");
    this.slider = slider;
    slider?.classList.add("chosen");
  }

  /** A controller was turned; the name of the slider that it turns, if it is a learned one. */
  hear(number) {
    if (this.slider) {
      const { control, parameter } = this.slider.dataset;
      for (const [other, name] of Object.entries(this.learned)) if (name === (control ?? parameter)) delete this.learned[other];
      this.learned[number] = control ?? parameter;
      this.kept.changed();
      this.tell(`Controller ${number} turns ${control ?? parameter}`);
      this.begin(false);
    }
    return this.learned[number] ?? null;
  }
}
