// The page: what comes in from the engine is shown, what the player does goes out.

import { Controls, Contacts, Objects } from "./panels.js";
import { Link } from "./link.js";
import { Notes, listenToMidi } from "./keyboard.js";
import { Pointer, bowPressure, strikeSpeed } from "./pointer.js";
import { Scopes } from "./scopes.js";
import { Stage } from "./stage.js";
import { quantity } from "./format.js";

const $ = (id) => document.getElementById(id);
const say = (message) => link.say(message);
const news = (text) => ($("news").textContent = text);

const measured = { stream: null, latency: null, state: null, closed: null, states: 0 };
const stage = new Stage($("stage"));
const scopes = new Scopes($("scope"), $("spectrum"), $("centroid"));
const controls = new Controls($("controls"), $("controls-panel"), say);
const contacts = new Contacts($("contacts"), $("contacts-panel"), say);
const objects = new Objects($("objects"), say, () => strikeSpeed(Number($("speed").value)));
const notes = new Notes(say, () => 0.25 + 0.75 * Number($("speed").value));
const hand = () => document.querySelector("input[name=hand]:checked").value;
const pointer = new Pointer(stage, say, () => ({ hand: hand(), speed: Number($("speed").value), pressure: Number($("pressure").value) }));

const link = new Link({ reply: hearReply, state: hearState, stream: hearStream, latency: hearLatency, closed: hearClosed, failed: hearFailed, recorded: save });

function hearReply(reply) {
  if (reply.type === "welcome") {
    $("scenes").replaceChildren(...reply.scenes.map(({ name, title }) => new Option(title, name)));
  } else if (reply.type === "instrument") {
    showInstrument(reply);
  } else if (reply.type === "problems") {
    showProblems(reply);
  } else if (reply.type === "refused") {
    news(reply.message);
  } else if (reply.type === "error") {
    measured.closed = reply;
    showClosed(reply.message);
  }
}

function showInstrument(description) {
  $("problems").hidden = true;
  $("scenes").value = description.scene;
  $("title").textContent = description.title;
  $("about").textContent = description.about;
  document.title = `${description.title} · ictus`;
  $("score").hidden = description.score === 0;
  $("score").setAttribute("aria-pressed", "false");
  for (const part of [stage, controls, contacts, objects, notes]) part.show(description);
  notes.draw($("keys"));
  if (contacts.side === "b") pressAb("a");
  measured.instrument = description;
  measured.states = 0;
  news(`${description.title} is ready to play`);
  const url = new URL(location.href);
  url.searchParams.set("scene", description.scene);
  history.replaceState(null, "", url);
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
  title.textContent = `“${scene}” has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}; the previous version keeps playing.`;
  $("problems").replaceChildren(title, list);
  $("problems").hidden = false;
}

function showClosed(message) {
  $("problems").replaceChildren(Object.assign(document.createElement("p"), { textContent: `The connection has ended: ${message}. Reload the page to continue.` }));
  $("problems").hidden = false;
}

function hearClosed(code) {
  if (!measured.closed) showClosed(code === 1006 ? "the program cannot be reached" : `code ${code}`);
  measured.closed ??= { code };
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
  if (measured.states % 3) return;
  objects.take(state.objects);
  contacts.take(state.forces);
  controls.take(state.controls);
  $("load").textContent = `${(100 * state.load).toFixed(0)} %`;
  $("load").classList.toggle("bad", state.load > 0.85);
  const reduction = 20 * Math.log10(Math.min(1, state.limiter));
  $("limiter").textContent = reduction < -0.05 ? `${reduction.toFixed(1)} dB` : "0 dB";
  $("limiter").classList.toggle("bad", reduction < -0.05);
  $("stored").textContent = quantity(state.stored, "J");
  $("residual").textContent = state.accountKept ? state.residual.toExponential(1) : "–";
  $("account").checked = state.accountKept;
  if (state.wasBroken) news("The simulation diverged; the instrument was brought to rest");
}

function hearStream(stream) {
  measured.stream = stream;
  $("dropouts").textContent = stream.dropouts;
  $("dropouts").classList.toggle("bad", stream.dropouts > 0);
}

function hearLatency(latency) {
  measured.latency = measured.latency === null ? latency : 0.8 * measured.latency + 0.2 * latency;
  $("latency").textContent = `${(1000 * measured.latency).toFixed(0)} ms`;
  $("latency").classList.toggle("bad", measured.latency > 0.06);
}

function save(file) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([file], { type: "audio/wav" }));
  anchor.download = `${measured.instrument?.scene ?? "ictus"}.wav`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
  news("The recording was saved");
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
  auto: "Click to strike, drag along to bow, pull across and let go to pluck; Shift or a second finger damps.",
  strike: "Click to strike.",
  bow: "Drag along: faster is louder, lower presses harder.",
  pull: "Pull and let go.",
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
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $("theme").setAttribute("aria-label", `Theme: ${theme}`);
  $("theme").dataset.theme = theme;
  stage.readColours();
  stage.draw();
}

function wire() {
  $("scenes").addEventListener("change", () => say({ type: "choose", scene: $("scenes").value }));
  $("rest").addEventListener("click", () => say({ type: "reset" }));
  $("account").addEventListener("change", () => say({ type: "account", keep: $("account").checked }));
  toggle($("record"), (on) => link.record(on));
  toggle($("score"), playScore);
  $("rule-a").addEventListener("click", () => pressAb("a"));
  $("rule-b").addEventListener("click", () => pressAb("b"));
  for (const id of ["speed", "pressure", "hands"]) $(id).addEventListener("input", showSettings);
  $("midi").addEventListener("click", async () => {
    try {
      const inputs = await listenToMidi(notes, { say, turn: (number, position) => controls.turn(number, position) });
      $("midi").setAttribute("aria-pressed", "true");
      news(inputs.length ? `Listening to ${inputs.join(", ")}` : "No MIDI instrument is connected yet");
    } catch {
      news("MIDI is not available in this browser");
    }
  });
  $("theme").addEventListener("click", () => {
    const order = ["system", "dark", "light"];
    chooseTheme(order[(order.indexOf($("theme").dataset.theme ?? "system") + 1) % 3]);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chooseTheme($("theme").dataset.theme ?? "system"));
  addEventListener("keydown", (event) => {
    if (event.code === "Escape") say({ type: "reset" });
  });
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => link.resume()?.then(showSound), { capture: true });
  notes.listen();
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
await link.open(new URLSearchParams(location.search).get("scene") ?? undefined);
link.context.onstatechange = showSound;
showSound();
scopes.attach(link.analyser, link.context.sampleRate);
requestAnimationFrame(picture);

// For the console and for tests: what is measured, and how to speak to the engine.
globalThis.ictus = { measured, say, stage, link };
