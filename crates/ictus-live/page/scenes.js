// The list of scenes: the engine's, and above them those of the page's own that were played.

export class SceneList {
  /** `own` has the texts of the page's own by their names; `choose` plays a scene, of the list or not. */
  constructor(select, own, choose) {
    Object.assign(this, { select, own });
    select.addEventListener("change", () => {
      const { value, dataset } = select.selectedOptions[0];
      choose(value, !dataset.own);
    });
  }

  /** Shows the engine's list. */
  greet(scenes) {
    this.select.replaceChildren(...scenes.map(({ name, title }) => new Option(title, name)));
    for (const name of this.own.keys()) this.add(name, name);
  }

  /** Shows what is played. */
  show({ scene, title }) {
    this.add(scene, title);
    this.select.value = scene;
  }

  // What the engine does not list is the page's own.
  add(name, title) {
    const found = [...this.select.options].find(({ value }) => value === name);
    if (found?.dataset.own) found.textContent = title;
    if (found) return;
    const made = new Option(title, name);
    made.dataset.own = "true";
    this.select.prepend(made);
  }
}
