// Presets: values of controls and parameters by names, kept in the browser for every scene, and as files.

import { parsed, table } from "./kept.js";

const KIND = "ictus-preset";
const MOST_BYTES = 1 << 18;
const MOST_NAME = 60; // letters

/** What is wrong with a text that should be a preset is thrown, in words. */
export function readPreset(text) {
  let preset;
  try {
    preset = parsed(text);
  } catch {
    throw new Error("this is not a preset: it is no JSON");
  }
  if (preset?.kind !== KIND) throw new Error(`this is not a preset: its \`kind\` is not "${KIND}"`);
  if (typeof preset.scene !== "string" || typeof preset.name !== "string") throw new Error("this preset has no scene or no name");
  const values = (part) => {
    const found = preset[part] ?? table();
    if (typeof found !== "object" || Array.isArray(found)) throw new Error(`\`${part}\` must be a table of numbers`);
    const wrong = Object.entries(found).find(([, value]) => !Number.isFinite(value));
    if (wrong) throw new Error(`\`${part}.${wrong[0]}\` must be a number`);
    return found;
  };
  return { scene: preset.scene, name: preset.name.trim().slice(0, MOST_NAME) || "Preset", controls: values("controls"), parameters: values("parameters") };
}

export class Presets {
  /** `current` tells what everything stands at; `apply` sets it; `tell` says what went wrong. */
  constructor({ list, name, save, remove, exported, imported, file }, kept, { current, apply, tell }) {
    Object.assign(this, { list, name, kept, current, apply, tell });
    list.addEventListener("change", () => this.choose(list.value));
    save.addEventListener("click", () => this.save(name.value.trim().slice(0, MOST_NAME) || `Preset ${Object.keys(this.here).length + 1}`));
    name.addEventListener("keydown", ({ key }) => key === "Enter" && save.click());
    remove.addEventListener("click", () => this.remove());
    exported.addEventListener("click", () => this.export());
    imported.addEventListener("click", () => file.click());
    file.addEventListener("change", async () => {
      if (file.files[0]) await this.import(file.files[0]);
      file.value = "";
    });
  }

  get all() {
    return (this.kept.all.presets ??= table());
  }

  get here() {
    return (this.all[this.scene] ??= table());
  }

  show({ scene }) {
    this.scene = scene;
    this.draw("");
  }

  draw(chosen) {
    const names = Object.keys(this.here).sort((one, other) => one.localeCompare(other));
    this.list.replaceChildren(new Option(names.length ? "Presets…" : "No presets yet", ""), ...names.map((name) => new Option(name, name)));
    this.list.value = chosen;
  }

  choose(name) {
    const preset = this.here[name];
    if (!preset) return;
    this.name.value = name;
    this.apply(preset);
  }

  save(name) {
    this.here[name] = this.current();
    this.kept.changed();
    this.draw(name);
    this.name.value = name;
    this.tell(`“${name}” is kept in this browser`);
  }

  remove() {
    const name = this.list.value;
    if (!name) return this.tell("Choose the preset to remove first");
    delete this.here[name];
    this.kept.changed();
    return this.draw("");
  }

  export() {
    const name = this.list.value || this.name.value.trim() || "Preset";
    const values = this.here[this.list.value] ?? this.current();
    const text = JSON.stringify({ kind: KIND, scene: this.scene, name, ...values }, null, 2);
    download(new Blob([`${text}\n`], { type: "application/json" }), `${this.scene} ${name}.json`.replace(/[^\p{L}\p{N} ._-]/gu, "_"));
  }

  async import(file) {
    try {
      if (file.size > MOST_BYTES) throw new Error(`a preset has at most ${MOST_BYTES / 1024} KiB`);
      const { scene, name, ...values } = readPreset(await file.text());
      (this.all[scene] ??= table())[name] = values;
      this.kept.changed();
      if (scene !== this.scene) return this.tell(`“${name}” is a preset of “${scene}”: choose it there`);
      this.draw(name);
      return this.choose(name);
    } catch (error) {
      return this.tell(`${file.name}: ${error.message}`);
    }
  }
}

/** Saves a file. */
export function download(blob, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
}
