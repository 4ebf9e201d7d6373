// The page: what comes in from the engine is shown, what the player does goes out.

import { Cursor } from "./cursor.js";
import { Controls, Contacts, Objects } from "./panels.js";
import { Kept } from "./kept.js";
import { History } from "./history.js";
import { Keyboard, isTyping } from "./keyboard.js";
import { Keys } from "./keys.js";
import { Learn } from "./learn.js";
import { Level } from "./level.js";
import { Link } from "./link.js";
import { Microphone } from "./microphone.js";
import { Notes } from "./notes.js";
import { Pointer, bowPressure, strikeSpeed } from "./pointer.js";
import { Presets, download } from "./saved.js";
import { SceneList } from "./scenes.js";
import { Scopes } from "./scopes.js";
import { Heaviness } from "./heavy.js";
import { samplesOf } from "./recording.js";
import { Tuning } from "./tuning.js";
import { Stage } from "./stage.js";
import { listenToMidi } from "./midi.js";
import { makeGroup } from "./focus.js";
import { notice } from "./notice.js";
import { Workshop } from "./workshop.js";
import { isShared } from "./sharing.js";
import { quantity } from "./format.js";

const $ = (id) => document.getElementById(id);
const kept = new Kept();
const turns = new History(put, () => {
  $("undo").disabled = turns.past.length === 0;
  $("redo").disabled = turns.future.length === 0;
});
function say(message) {
  kept.hear(message);
  turns.hear(message);
  workshop.says(message);
  link.say(message);
}
const news = (text) => ($("news").textContent = text);

const measured = { stream: null, latency: null, state: null, closed: null, states: 0, forgiven: 0 };
const stage = new Stage($("stage"));
const scopes = new Scopes($("scope"), $("spectrum"), $("centroid"));
const controls = new Controls($("controls"), $("controls-panel"), say);
const contacts = new Contacts($("contacts"), $("contacts-panel"), say);
const objects = new Objects($("objects"), say, () => strikeSpeed(Number($("speed").value)));
const notes = new Notes(say, () => 0.25 + 0.75 * Number($("speed").value));
const hand = () => document.querySelector("input[name=hand]:checked").value;
const keyboard = new Keyboard(notes, { moved: () => keys.label(keyboard.layout), silence });
const keys = new Keys($("keys"), notes);
const level = new Level({ slider: $("volume"), value: $("volume-value"), mute: $("mute"), meter: $("meter"), number: $("peak") }, kept);
const pointer = new Pointer(stage, say, () => ({ hand: hand(), speed: Number($("speed").value), pressure: Number($("pressure").value) }));

const heaviness = new Heaviness($("stage-box"), { affordable: (load) => workshop.affordable(load), lighten: (highest) => workshop.lighten(highest) });

new Cursor(stage, pointer, news);
const learn = new Learn($("learn"), [$("controls-panel"), $("contacts-panel")], kept, notice);
const presets = new Presets(
  {
    list: $("presets"), name: $("preset-name"), save: $("preset-save"), remove: $("preset-remove"),
    exported: $("preset-export"), imported: $("preset-import"), file: $("preset-file"),
  },
  kept,
  { current: () => kept.standing(turns.now), apply: applyPreset, tell: notice },
);

const link = new Link({ expected: (load) => heaviness.expect(load), reply: hearReply, state: hearState, stream: hearStream, latency: hearLatency, closed: hearClosed, failed: hearFailed, recorded: save });

const microphone = new Microphone($("microphone"), link, notice);

const workshop = new Workshop({ say, playScore: () => !$("score").hidden && $("score").click(), rate: () => link.context?.sampleRate ?? 48000, news });

const list = new SceneList($("scenes"), workshop.own, (scene, isListed) => say(workshop.choice(scene, isListed)));

const tuning = new Tuning(
  { name: $("tuning-name"), load: $("tuning-load"), equal: $("tuning-equal"), file: $("tuning-file") },
  kept,
  { say, tell: notice },
);

function hearReply(reply) {
  if (workshop.hear(reply)) return;
  if (reply.type === "welcome") {
    list.greet(reply.scenes);
    tuning.greet();
  } else if (reply.type === "instrument") {
    showInstrument(reply);
  } else if (reply.type === "problems") {
    showProblems(reply);
  } else if (reply.type === "refused") {
    notice(reply.message);
  } else if (reply.type === "error") {
    measured.closed = reply;
  }
}

function showInstrument(description) {
  $("problems").hidden = true;
  $("title").textContent = description.title;
  $("about").textContent = description.about;
  document.title = `${description.title} · ictus`;
  $("score").hidden = description.score === 0;
  $("score").setAttribute("aria-pressed", "false");
  measured.closed = null;
  for (const part of [list, stage, controls, contacts, objects, notes, keyboard, kept, turns, learn, presets, heaviness, microphone]) part.show(description);
  keys.show(description, keyboard.layout);
  turns.silently(() => kept.messages().forEach(put));
  if (contacts.side === "b") pressAb("a");
  measured.instrument = description;
  measured.states = 0;
  news(`${description.title} is ready to play`);
  if (!workshop.isOwn) {
    const url = new URL(location.href);
    url.searchParams.set("scene", description.scene);
    url.hash = "";
    // A link that holds a scene stays one step back.
    if (isShared(location.hash)) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
  }
}

/** Sets something as if it had been turned, and shows it. */
function put(message) {
  if (message.type === "turn") controls.put(message.control, message.value);
  else contacts.put(message.parameter, message.value);
  say(message);
}

/** Everything as the scene says. */
function restore() {
  turns.together(() => toScene(kept.messages()));
  kept.forget();
}

/** Brings what these messages turn back to what the scene says. */
function toScene(messages) {
  const { controls, contacts } = measured.instrument;
  const live = contacts.flatMap(({ parameters, damping, damping_path: path }) => [...parameters, { path, value: damping }]);
  for (const message of messages) {
    const value = message.type === "turn" ? controls[message.control].value : live.find(({ path }) => path === message.parameter)?.value;
    if (value !== undefined) put({ ...message, value });
  }
}

/** Everything as a preset says; what it does not name, as the scene says. */
function applyPreset(preset) {
  turns.together(() => {
    const wanted = kept.messages(preset);
    const names = new Set(wanted.map(({ control, parameter }) => control ?? parameter));
    toScene(kept.messages().filter(({ control, parameter }) => !names.has(control ?? parameter)));
    wanted.forEach(put);
  });
}

/** A MIDI controller was turned, from 0 to 1: what it was given to, or what the scene gives it to. */
function turnController(number, position) {
  const name = learn.hear(number);
  const index = name === null ? -1 : measured.instrument.controls.findIndex((control) => control.name === name);
  const slider = name === null ? null : index >= 0 ? controls.sliders[index] : contacts.sliders.get(name);
  if (!slider) controls.turn(number, position);
  else if (index >= 0) put({ type: "turn", control: index, value: slider.toValue(position) });
  else put({ type: "set", parameter: name, value: slider.toValue(position) });
}

/** A wheel was turned: says once for an instrument that nothing follows. */
function bends() {
  const { instrument } = measured;
  if (instrument.bends || measured.stiff === instrument) return;
  measured.stiff = instrument;
  notice("Nothing in this scene bends: a string does that has a “bend” in the scene's text");
}

/** Nothing is held, nothing sounds, and nothing starts by itself. */
function silence() {
  notes.liftAll();
  pointer.letGo();
  clearTimeout(scoreEnds);
  $("score").setAttribute("aria-pressed", "false");
  say({ type: "reset" });
}

function showProblems({ scene, problems }) {
  const list = document.createElement("ul");
  for (const { message, help, line, column } of problems) {
    const item = document.createElement("li");
    const place = document.createElement("b");
    place.textContent = line ? `line ${line}, column ${column}: ` : "";
    item.append(place, message, help ? ` (${help})` : "");
    list.append(item);
  }
  const title = document.createElement("p");
  const next = !measured.instrument ? "nothing plays yet: choose another from the list" : measured.instrument.scene === scene ? "the previous version keeps playing" : "what played before goes on";
  title.textContent = `“${scene}” has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}; ${next}.`;
  $("problems").replaceChildren(title, list);
  $("problems").hidden = false;
}

function showClosed(message, returns) {
  const next = returns ? "The page goes on by itself as soon as the program answers" : "Reload the page to continue";
  $("problems").replaceChildren(Object.assign(document.createElement("p"), { textContent: `The connection has ended: ${message}. ${next}.` }));
  $("problems").hidden = false;
}

function hearClosed(code, returns) {
  const why = code === 1006 ? "the program cannot be reached" : `code ${code}`;
  showClosed(measured.closed?.message ?? why, returns);
  measured.closed ??= { code };
  notes.liftAll();
}

function hearFailed(message) {
  measured.closed ??= { code: "failed", message };
  $("problems").replaceChildren(Object.assign(document.createElement("p"), { textContent: `The engine cannot play: ${message}.` }));
  $("problems").hidden = false;
}

function hearState(state) {
  measured.state = state;
  measured.states += 1;
  stage.take(state);
  heaviness.take(state);
  if (measured.states % 3) return;
  objects.take(state.objects);
  contacts.take(state.forces);
  controls.take(state.controls);
  $("load").textContent = `${(100 * state.load).toFixed(0)} %`;
  $("load").classList.toggle("bad", state.load > 0.85);
  const reduction = (measured.reduction = 20 * Math.log10(Math.min(1, state.limiter)));
  $("limiter").textContent = reduction < -0.05 ? `${reduction.toFixed(1)} dB` : "0 dB";
  $("limiter").classList.toggle("bad", reduction < -0.05);
  $("stored").textContent = quantity(state.stored, "J");
  $("residual").textContent = state.accountKept ? state.residual.toExponential(1) : "–";
  $("account").checked = state.accountKept;
  if (state.wasBroken) notice("The simulation diverged; the instrument was brought to rest");
}

function hearStream(stream) {
  measured.stream = stream;
  if (stream.peak !== undefined) level.take(stream.peak, measured.reduction ?? 0);
  const dropouts = stream.dropouts - measured.forgiven;
  if ($("dropouts").textContent === String(dropouts)) return;
  $("dropouts").textContent = dropouts;
  $("dropouts").setAttribute("aria-label", `Dropouts: ${dropouts}. Count again, with the shortest buffer`);
  $("dropouts").classList.toggle("bad", dropouts > 0);
}

function hearLatency(latency) {
  measured.latency = measured.latency === null ? latency : 0.8 * measured.latency + 0.2 * latency;
  $("latency").textContent = `${(1000 * measured.latency).toFixed(0)} ms`;
  $("latency").classList.toggle("bad", measured.latency > 0.06);
}

async function save(file) {
  const name = measured.instrument?.scene ?? "ictus";
  if ($("format").value === "flac") download(new Blob([await encode(file)], { type: "audio/flac" }), `${name}.flac`);
  else download(new Blob([file], { type: "audio/wav" }), `${name}.wav`);
  news("The recording was saved");
}

/** The same sound as FLAC. */
function encode(wav) {
  return new Promise((done) => {
    const worker = new Worker("encode.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      done(data);
    };
    worker.postMessage({ samples: samplesOf(wav), rate: new DataView(wav).getUint32(24, true) });
  });
}

function toggle(button, act) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    act(on);
  });
}

let scoreEnds;
function playScore(on) {
  clearTimeout(scoreEnds);
  say({ type: "score", play: on });
  if (on) scoreEnds = setTimeout(() => $("score").setAttribute("aria-pressed", "false"), 1000 * measured.instrument.score);
}

function pressAb(side) {
  $("rule-a").setAttribute("aria-pressed", String(side === "a"));
  $("rule-b").setAttribute("aria-pressed", String(side === "b"));
  contacts.compare(side);
}

const HINTS = {
  auto: "Press to strike, drag along to bow, pull across and let go to pluck, sweep over several; Shift damps.",
  strike: "Press to strike, sweep over several.",
  bow: "Drag along: faster is louder, lower presses harder.",
  pull: "Pull and let go, or sweep over several.",
  damp: "Hold to damp.",
};

function showSettings() {
  $("speed-value").textContent = quantity(strikeSpeed(Number($("speed").value)), "m/s");
  $("pressure-value").textContent = `× ${bowPressure(Number($("pressure").value)).toPrecision(2)}`;
  $("hint").textContent = HINTS[hand()];
}

function showSound() {
  $("begin").hidden = link.sounding;
}

function chooseTheme(theme) {
  kept.keep("theme", theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $("theme").setAttribute("aria-label", `Theme: ${theme}`);
  $("theme").dataset.theme = theme;
  stage.readColours();
  stage.draw();
}

function wire() {
  $("rest").addEventListener("click", silence);
  $("restore").addEventListener("click", restore);
  $("undo").addEventListener("click", () => turns.undo());
  $("redo").addEventListener("click", () => turns.redo());
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || isTyping(event.target) || !["KeyZ", "KeyY"].includes(event.code)) return;
    event.preventDefault();
    if (event.code === "KeyY" || event.shiftKey) turns.redo();
    else turns.undo();
  });
  $("format").value = kept.page("format") === "flac" ? "flac" : "wav";
  $("format").addEventListener("change", () => kept.keep("format", $("format").value));
  $("dropouts").addEventListener("click", () => {
    measured.forgiven = measured.stream?.dropouts ?? 0;
    link.calm();
  });
  for (const id of ["sound", "keys", "settings-panel", "controls-panel", "objects-panel", "contacts-panel", "tools", "documents"]) makeGroup($(id));
  $("account").addEventListener("change", () => say({ type: "account", keep: $("account").checked }));
  toggle($("record"), (on) => link.record(on));
  toggle($("score"), playScore);
  $("rule-a").addEventListener("click", () => pressAb("a"));
  $("rule-b").addEventListener("click", () => pressAb("b"));
  for (const id of ["speed", "pressure", "hands"]) $(id).addEventListener("input", showSettings);
  $("midi").addEventListener("click", async () => {
    try {
      const inputs = await listenToMidi(notes, { say, turn: turnController, control: (numbers) => controls.with(numbers), bends, tell: notice });
      $("midi").setAttribute("aria-pressed", "true");
      notice(inputs.length ? `Listening to ${inputs.join(", ")}` : "No MIDI instrument is connected yet; it is heard as soon as it is");
    } catch (error) {
      const refused = ["SecurityError", "NotAllowedError"].includes(error.name);
      notice(refused ? "This browser was not allowed to use MIDI" : "MIDI is not available in this browser");
    }
  });
  $("theme").addEventListener("click", () => {
    const order = ["system", "dark", "light"];
    chooseTheme(order[(order.indexOf($("theme").dataset.theme ?? "system") + 1) % 3]);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chooseTheme($("theme").dataset.theme ?? "system"));
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => link.resume()?.then(showSound), { capture: true });
  for (const id of ["speed", "pressure"]) {
    $(id).value = kept.page(id) ?? $(id).value;
    $(id).addEventListener("input", () => kept.keep(id, Number($(id).value)));
  }
  const chosen = document.querySelector(`input[name=hand][value="${CSS.escape(kept.page("hand") ?? "")}"]`);
  if (chosen) chosen.checked = true;
  $("hands").addEventListener("input", () => kept.keep("hand", hand()));
  if (["dark", "light"].includes(kept.page("theme"))) chooseTheme(kept.page("theme"));
}

let pictures = 0;
function picture(now) {
  pointer.follow(now);
  pictures += 1;
  if (!stage.calm.matches || pictures % 6 === 0) stage.draw();
  if (pictures % 2 === 0) scopes.draw();
  requestAnimationFrame(picture);
}

wire();
showSettings();
$("documents").hidden = !link.engine.isInside;
const named = new URLSearchParams(location.search).get("scene");
await link.open((await workshop.shared(location.hash)) ?? (named ? { scene: named } : undefined));
if (link.context) {
  link.context.onstatechange = showSound;
  showSound();
  if (link.volume) level.attach(link.volume);
  scopes.attach(link.analyser, link.context.sampleRate);
  requestAnimationFrame(picture);
}

// For the console and for tests: what is measured, and how to speak to the engine.
globalThis.ictus = { measured, say, stage, link };
