// The workshop: the scene's text beside the instrument. What is written is checked as one types, played when asked, and kept or handed on.

import { Editor } from "./editor.js";
import { ask } from "./engine.js";
import { makeGroup } from "./focus.js";
import { affordable, lightened } from "./lighter.js";
import { Schema } from "./schema.js";
import { MOST_BYTES, addressOf, isShared, sceneIn } from "./sharing.js";
import { TEMPLATE } from "./template.js";

const PAUSE = 350; // ms without a key before a text is checked
const DRAFT = "ictus-draft:";

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const button = (text, title, click) => {
  const made = element("button", { type: "button", textContent: text, title });
  made.addEventListener("click", click);
  return made;
};

// What a browser has no room for, or may not keep, is lost with the page.
const drafts = {
  read(name) {
    try {
      return localStorage.getItem(DRAFT + name);
    } catch {
      return null;
    }
  },
  write(name, text) {
    try {
      if (text === null) localStorage.removeItem(DRAFT + name);
      else localStorage.setItem(DRAFT + name, text);
    } catch {}
  },
};

export class Workshop {
  /** `page` has say, playScore, rate and news. */
  constructor(page) {
    this.page = page;
    this.box = document.getElementById("workshop");
    this.opener = document.getElementById("edit");
    // `name` of the scene; its text as it was read, and its version; what plays; whether that is a text of the page's own.
    Object.assign(this, { name: "", held: null, playing: null, isOwn: false, runs: null, editor: null, checked: 0 });
    this.own = new Map(); // texts of the page's own that were played, by their names
    this.leaves = false; // a scene of the list was asked for
    this.opener.addEventListener("click", () => this.toggle());
    // A browser tells of another address by one of these, or by both.
    for (const event of ["hashchange", "popstate"]) {
      addEventListener(event, () => {
        clearTimeout(this.following);
        this.following = setTimeout(() => this.follow());
      });
    }
  }

  /** The scene in a part of an address, to begin with; null if there is none, or it is broken. */
  async shared(hash) {
    if (!isShared(hash)) return null;
    try {
      const text = await sceneIn(hash);
      this.awaits({ scene: "shared", text });
      return { scene: "shared", text };
    } catch (error) {
      this.complain(error.message);
      return null;
    }
  }

  // The address was changed: by another link, or by going back to the one before.
  async follow() {
    const first = await this.shared(location.hash);
    const scene = new URLSearchParams(location.search).get("scene");
    if (first) this.page.say({ type: "choose", ...first });
    else if (!isShared(location.hash) && scene && scene !== this.playing) this.page.say({ type: "choose", scene });
  }

  // A text that was sent to be played: what comes next with its name is the answer.
  awaits({ scene, text }, playsScore = false) {
    this.runs = { scene, text, playsScore };
  }

  /** Takes notice of what is said to the engine: a scene of the list takes the place of a text of the page's own. */
  says({ type, text }) {
    if (type === "choose") this.leaves = text === undefined;
  }

  /** What to say so that a scene is played: with its text, if that is the page's own and the list has no such scene. */
  choice(scene, isListed) {
    const text = isListed ? undefined : this.own.get(scene);
    if (text !== undefined) this.awaits({ scene, text });
    return { type: "choose", scene, ...(text === undefined ? {} : { text }) };
  }

  /** Takes notice of what the engine answers. Whether nobody else needs to. */
  hear(reply) {
    if (reply.type === "instrument") this.played(reply);
    if (reply.type === "problems") this.leaves = false;
    if (reply.type !== "problems" || this.runs?.scene !== reply.scene) return false;
    this.failed(reply.problems);
    return true;
  }

  played({ scene }) {
    const run = this.runs?.scene === scene ? this.runs : null;
    this.runs = null;
    const isNew = scene !== this.playing;
    // The same again, tuned otherwise or after a lost connection, is still the page's own.
    this.isOwn = Boolean(run) || (this.isOwn && !isNew && !this.leaves);
    this.leaves = false;
    this.playing = scene;
    if (run) this.own.set(scene, run.text);
    if (!run) {
      // The same scene again: its file was saved, perhaps from here.
      if (this.editor && (isNew || !this.isChanged)) this.read();
      return;
    }
    if (scene !== this.name) this.begin(scene, run.text, null);
    this.say(`“${scene}” plays as it is written here.`);
    // When the page has shown it.
    if (run.playsScore) queueMicrotask(() => this.page.playScore());
  }

  failed(problems) {
    const { scene, text } = this.runs;
    this.runs = null;
    if (scene !== this.name) this.begin(scene, text, null);
    this.open();
    this.complain(`This cannot be played yet; ${this.playing === null ? "nothing plays: choose an instrument from the list, or mend the text" : "what played before goes on"}.`);
    this.showProblems(problems);
  }

  get isChanged() {
    return this.editor !== null && this.editor.text !== (this.held?.text ?? this.first);
  }

  toggle() {
    if (this.box.hidden) this.open();
    else this.shut();
  }

  open() {
    if (!this.box.hidden) return;
    this.build();
    this.box.hidden = false;
    document.body.classList.add("writing");
    this.opener.setAttribute("aria-pressed", "true");
    if (!this.name && this.playing) this.read();
    this.editor.draw();
  }

  shut() {
    this.box.hidden = true;
    document.body.classList.remove("writing");
    this.opener.setAttribute("aria-pressed", "false");
    this.opener.focus();
  }

  build() {
    if (this.editor) return;
    const field = element("div", { className: "editor" });
    this.title = element("h2", {});
    this.status = element("p", { className: "said" });
    this.status.setAttribute("role", "status");
    this.choices = element("p", { className: "choices", hidden: true });
    this.list = element("ol", { className: "wrongs" });
    this.file = element("input", { type: "file", accept: ".toml,text/plain", hidden: true });
    this.file.addEventListener("change", () => this.upload());
    this.keep = button("Save", "Write the file that the program was started with (Ctrl+S)", () => this.save());
    const tools = element("div", { className: "tools", role: "toolbar" },
      button("Run", "Play the text as it is written (Ctrl+Enter)", () => this.run()),
      this.keep,
      button("New", "Begin a scene from scratch", () => this.fresh()),
      button("Upload", "Open a file of this computer", () => this.file.click()),
      button("Download", "Keep the text as a file", () => this.download()),
      button("Share", "A link with the whole scene in it", () => this.share()),
      button("Revert", "Take the text as it was before you changed it", () => this.revert()),
      button("Close", "Close the text", () => this.shut()),
    );
    tools.firstChild.className = "run";
    tools.setAttribute("aria-label", "Text of the scene");
    this.link = element("input", { type: "text", readOnly: true, hidden: true, className: "link" });
    this.link.setAttribute("aria-label", "Link to the scene");
    const help = element("p", { className: "small", id: "editor-help", textContent: "Ctrl+Enter runs, Ctrl+Space suggests. Tab indents; after Esc it leaves the text." });
    this.box.append(element("div", { className: "heading" }, this.title), tools, this.status, this.choices, this.link, field, this.list, help, this.file);
    this.editor = new Editor(field, { change: () => this.changed(), run: () => this.run(), save: () => (this.keep.hidden ? this.download() : this.save()) });
    this.box.addEventListener("keydown", (event) => event.stopPropagation());
    for (const group of [tools, this.choices, this.list]) makeGroup(group);
    this.begin("", "", null);
    this.schema = fetch("scene.schema.json").then((answer) => answer.json()).then((schema) => (this.editor.schema = new Schema(schema)), () => {});
  }

  // Shows a text. `held` is what the engine has of it: its text, its version, whether it can be saved.
  begin(name, text, held) {
    this.build();
    Object.assign(this, { name, held, first: text });
    this.title.textContent = name ? `${name}.toml` : "";
    this.keep.hidden = !held?.writable;
    this.link.hidden = this.choices.hidden = true;
    this.editor.text = text;
    this.showProblems([]);
    this.check();
  }

  /** Takes the text of what plays, or what was written of it before. */
  async read() {
    const scene = this.playing;
    const answer = await ask({ type: "read", scene });
    if (scene !== this.playing) return;
    if (answer.type !== "text") return this.say(answer.message);
    const draft = drafts.read(scene);
    this.begin(scene, answer.text, answer);
    if (!this.status.classList.contains("bad")) this.say("");
    if (draft === null || draft === answer.text) return drafts.write(scene, null);
    this.editor.text = draft;
    this.check();
    this.offer("Your changes of before are here; Run plays them.", ["Take the original", () => this.revert()]);
  }

  changed() {
    this.link.hidden = true;
    if (this.name) drafts.write(this.name, this.isChanged && this.editor.text.length <= MOST_BYTES ? this.editor.text : null);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  async check() {
    clearTimeout(this.timer);
    const { text } = this.editor;
    const turn = ++this.checked;
    if (!text.trim() || this.tooLong(text)) return;
    const answer = await ask({ type: "check", text, rate: this.page.rate() });
    // Only what is still written counts.
    if (turn !== this.checked) return;
    if (answer.type === "checked") this.showProblems(answer.problems);
    else this.say(answer.message);
  }

  showProblems(problems) {
    this.editor.mark(problems);
    this.list.replaceChildren(...problems.map(({ message, help, line, column }) => {
      const go = element("button", { type: "button" }, element("b", { textContent: line ? `${line}:${column} ` : "" }), message, help ? element("i", { textContent: ` ${help}` }) : "");
      go.addEventListener("click", () => line && this.editor.go(line, column));
      return element("li", {}, go);
    }));
  }

  tooLong(text) {
    const bytes = new TextEncoder().encode(text).length;
    if (bytes <= MOST_BYTES) return false;
    this.complain(`The text has ${size(bytes)}; a page edits and plays at most ${size(MOST_BYTES)}. “ictus play FILE” plays larger ones.`);
    return true;
  }

  run() {
    const { text } = this.editor;
    if (this.tooLong(text)) return;
    const scene = this.name || "untitled";
    this.awaits({ scene, text }, true);
    this.say("");
    this.page.say({ type: "choose", scene, text });
  }

  /** Up to how many Hz the partials of what plays can be played on a computer on which it takes so much of the time; null if it has none. */
  async affordable(load) {
    this.build();
    const answer = this.isOwn ? { text: this.own.get(this.playing) } : await ask({ type: "read", scene: this.playing });
    await this.schema;
    return answer.text && this.editor.schema ? affordable(answer.text, this.editor.schema, load) : null;
  }

  /** Plays the scene with fewer partials, and shows the text that says so. */
  async lighten(highest) {
    this.open();
    if (this.name !== this.playing) await this.read();
    await this.schema;
    const lighter = this.editor.schema && lightened(this.editor.text, this.editor.schema, highest);
    if (!lighter) return this.complain("Nothing in this scene has partials to leave out.");
    this.editor.type(0, this.editor.text.length, lighter);
    this.run();
  }

  async save(version = this.held.version) {
    const { text } = this.editor;
    if (this.tooLong(text)) return;
    const answer = await ask({ type: "save", scene: this.name, text, version });
    if (answer.type === "saved") {
      this.held = { ...this.held, text, version: answer.version };
      drafts.write(this.name, null);
      this.choices.hidden = true;
      this.say(`${this.name}.toml is saved.`);
    } else if (answer.type === "conflict") {
      const theirs = () => {
        drafts.write(this.name, null);
        this.begin(this.name, answer.text, answer);
        this.say("This is the file as it is now.");
      };
      this.offer(`${this.name}.toml was changed by another program since it was read here. Nothing is saved.`, ["Save mine over it", () => this.save(answer.version)], ["Take the file's", theirs]);
    } else {
      this.complain(answer.message);
    }
  }

  fresh() {
    const draft = drafts.read("untitled");
    this.begin("untitled", TEMPLATE, null);
    this.say("A scene to begin with: Run plays it.");
    const take = () => {
      this.editor.text = draft;
      this.changed();
      this.say("Your last new scene is here.");
    };
    if (draft) this.offer("A scene to begin with: Run plays it. Your last new scene is kept.", ["Take my last one", take]);
    this.editor.area.focus();
  }

  async upload() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    const most = MOST_BYTES;
    if (file.size > most) return this.complain(`“${file.name}” has ${size(file.size)}; a page edits and plays at most ${size(most)}. “ictus play FILE” plays larger ones.`);
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      return this.complain(`“${file.name}” is no text; a scene is a text file.`);
    }
    if (text.includes("\0")) return this.complain(`“${file.name}” is no text; a scene is a text file.`);
    this.begin(file.name.replace(/\.\w+$/, "").slice(0, 80) || "untitled", text.replaceAll("\r\n", "\n"), null);
    this.say(`“${file.name}” is here; Run plays it.`);
  }

  download() {
    const anchor = element("a", { href: URL.createObjectURL(new Blob([this.editor.text], { type: "application/toml" })), download: `${this.name || "scene"}.toml` });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
  }

  async share() {
    try {
      this.link.value = await addressOf(this.editor.text);
    } catch (error) {
      return this.complain(`There is no link: ${error.message}.`);
    }
    this.link.hidden = false;
    this.link.select();
    const isCopied = await navigator.clipboard?.writeText(this.link.value).then(() => true, () => false);
    this.say(`${isCopied ? "The link is copied" : "Here is the link"} (${this.link.value.length} letters): the whole scene is in it, and nothing is sent anywhere.`);
  }

  revert() {
    drafts.write(this.name, null);
    this.begin(this.name, this.first, this.held);
    this.say("The text is as it was.");
  }

  say(text) {
    this.build();
    this.status.textContent = text;
    this.status.classList.remove("bad");
    this.choices.hidden = true;
    if (text) this.page.news(text);
  }

  /** Says what is wrong, where it is seen. */
  complain(text) {
    this.open();
    this.say(text);
    this.status.classList.add("bad");
  }

  offer(text, ...ways) {
    this.say(text);
    this.choices.replaceChildren(...ways.map(([name, act]) => button(name, "", act)));
    this.choices.hidden = false;
  }
}

function size(bytes) {
  return bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;
}
