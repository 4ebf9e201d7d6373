// The tuning of the keys: a scale and a map of the keyboard that the player has loaded, kept in the browser, told to the engine.

import { readMap, readScale, tuning } from "./scala.js";

const MOST_BYTES = 1 << 18;

export class Tuning {
  constructor({ name, load, equal, file }, kept, { say, tell }) {
    Object.assign(this, { name, equal, kept, say, tell });
    load.addEventListener("click", () => file.click());
    equal.addEventListener("click", () => this.take(null));
    file.addEventListener("change", async () => {
      await this.read([...file.files]);
      file.value = "";
    });
    this.show();
  }

  /** What is kept: the scale, the map, and their names. */
  get loaded() {
    return this.kept.page("tuning") ?? null;
  }

  async read(files) {
    const loaded = { ...this.loaded };
    for (const file of files) {
      try {
        if (file.size > MOST_BYTES) throw new Error(`a tuning has at most ${MOST_BYTES / 1024} KiB`);
        if (/\.kbm$/i.test(file.name)) [loaded.map, loaded.mapName] = [readMap(await file.text()), file.name];
        else if (/\.scl$/i.test(file.name)) [loaded.scale, loaded.scaleName] = [readScale(await file.text()), file.name];
        else throw new Error("its name must end in .scl or .kbm");
      } catch (error) {
        this.tell(`${file.name}: ${error.message}`);
        return;
      }
    }
    if (loaded.scale) this.take(loaded);
    else this.tell("A map of the keyboard needs a scale: load one too (.scl)");
  }

  take(loaded) {
    try {
      this.cents = loaded ? tuning(loaded.scale, loaded.map) : [];
    } catch (error) {
      this.tell(`${loaded.mapName ?? loaded.scaleName}: ${error.message}`);
      return;
    }
    this.kept.keep("tuning", loaded);
    this.show();
    this.say({ type: "tune", cents: this.cents });
  }

  show() {
    const { loaded } = this;
    this.name.textContent = loaded ? [loaded.scale.name || loaded.scaleName, loaded.mapName].filter(Boolean).join(", ") : "Equal temperament";
    this.equal.disabled = !loaded;
  }

  /** Tells an engine that has just said hello. */
  greet() {
    const { loaded } = this;
    if (loaded) this.take(loaded);
  }
}
