// The impact lab: what is asked is in the page's address, what comes back is drawn and tabled. The engine computes it all, and words the
// results as `ictus impact` does.

import { Engine, ask } from "./engine.js";
import { Chart, strokes } from "./chart.js";
import { makeGroup } from "./focus.js";
import { PRESETS } from "./presets.js";

const PAUSE = 120; // ms

/** What can be asked: the option of `ictus impact`, its default, what it is called. */
const FIELDS = [
  { key: "mass", symbol: "m", label: "mass", unit: "kg", usual: "1e-2" },
  { key: "stiffness", symbol: "K", label: "stiffness", unit: "N/m^α", usual: "1e9" },
  { key: "exponent", symbol: "α", label: "exponent", unit: "", usual: "1.5" },
  { key: "dissipation", symbol: "μ", label: "dissipation", unit: "s/m", usual: "0.5" },
  { key: "velocity", symbol: "v", label: "velocity", unit: "m/s", usual: "1" },
  { key: "rate", symbol: "fs", label: "rate", unit: "Hz", usual: "44100" },
  { key: "phase", label: "phase", unit: "samples", usual: "", title: "Start 2 + P samples of flight before the wall, 0 ≤ P < 1, instead of at the wall" },
  { key: "gap", label: "gap", unit: "m", usual: "0", title: "Distance to the wall at the start" },
  { key: "gravity", symbol: "g", label: "gravity", unit: "m/s²", usual: "0", title: "Positive towards the wall" },
  { key: "duration", label: "duration", unit: "s", usual: "", title: "Until after the impact if empty; with gravity, ten bounces" },
  { key: "s", symbol: "s", label: "(quadratic)", unit: "", usual: "1", title: "Parameter of the quadratic scheme (D17)" },
];
const LAWS = [["hunt-crossley", "Hunt-Crossley"], ["one-sided-power", "one-sided power"]];
const FIRST_SCHEMES = "am1,rk4,secant";

const $ = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const inputs = new Map();
const law = element("select", {}, ...LAWS.map(([value, label]) => new Option(label, value)));
const lab = { answer: null, answers: 0 };
const charts = ["phase", "force", "energy", "displacement"].map((kind) => new Chart(kind));
let known = [];
let turn = 0;
let timer;

function build() {
  $("preset").append(new Option("your own", ""), ...PRESETS.map(({ name }, n) => new Option(name, String(n))));
  const rows = FIELDS.map(({ key, symbol, label, unit, title, usual }) => {
    const input = element("input", { type: "text", id: key, inputMode: "decimal", autocomplete: "off", spellcheck: false, placeholder: usual || "–" });
    inputs.set(key, input);
    return element("label", { className: "field", title: title ?? "" }, element("span", {}, ...(symbol ? [element("i", { textContent: symbol }), ` ${label}`] : [label])), input, element("span", { className: "unit", textContent: unit }));
  });
  const choice = element("label", { className: "field" }, element("span", { textContent: "law" }), law);
  law.style.gridColumn = "span 2";
  law.id = "law";
  $("fields").append(choice, ...rows);
  $("panels").append(...charts.map(({ figure }) => figure));
  $("question").addEventListener("submit", (event) => event.preventDefault());
  $("fields").addEventListener("input", (event) => {
    // A lossless wall is one without dissipation.
    if (event.target === law) inputs.get("dissipation").value = law.value === "hunt-crossley" ? inputs.get("dissipation").dataset.before || "0.5" : "0";
    $("preset").value = "";
    later();
  });
  $("schemes").addEventListener("input", later);
  $("preset").addEventListener("change", () => {
    const preset = PRESETS[Number($("preset").value)];
    if ($("preset").value === "" || !preset) return;
    show(preset.question);
    compute();
  });
}

const chosen = () => [...$("schemes").querySelectorAll("input:checked")].map(({ value }) => value);

/** Fills the form: what is not named is as usual. */
function show(question) {
  for (const { key, usual } of FIELDS) inputs.get(key).value = question[key] ?? usual;
  wanted = question.scheme ?? FIRST_SCHEMES;
  tick();
}
let wanted = FIRST_SCHEMES;

function tick() {
  const names = wanted.split(",");
  for (const box of $("schemes").querySelectorAll("input")) box.checked = names.includes(box.value) || names.includes("all");
}

function listSchemes(schemes) {
  if (known.length) return;
  known = schemes;
  $("schemes").replaceChildren(...schemes.map(({ name, summary }) => element("label", { title: summary }, element("input", { type: "checkbox", value: name }), name)));
  tick();
}

function later() {
  if (known.length) wanted = chosen().join(",");
  clearTimeout(timer);
  timer = setTimeout(compute, PAUSE);
}

function asked() {
  const question = { type: "impact", scheme: wanted ? wanted.split(",") : [] };
  for (const { key, usual } of FIELDS) {
    const text = inputs.get(key).value.trim() || usual;
    if (text) question[key] = text;
  }
  return question;
}

/** The address holds what is not as usual. */
function address() {
  const url = new URL(location.href);
  url.search = "";
  for (const { key, usual } of FIELDS) {
    const text = inputs.get(key).value.trim();
    if (text && text !== usual) url.searchParams.set(key, text);
  }
  if (wanted !== FIRST_SCHEMES) url.searchParams.set("scheme", wanted);
  if (url.href !== location.href) history.replaceState(null, "", url);
}

async function compute() {
  clearTimeout(timer);
  const { value } = inputs.get("dissipation");
  if (Number(value) > 0) inputs.get("dissipation").dataset.before = value;
  law.value = Number(value) === 0 ? "one-sided-power" : "hunt-crossley";
  address();
  const mine = ++turn;
  const answer = await ask(asked());
  if (mine !== turn) return;
  const isRefused = answer.type !== "impact";
  $("problem").hidden = !isRefused;
  for (const [key, input] of inputs) input.setAttribute("aria-invalid", String(isRefused && answer.message.startsWith(`--${key} `)));
  if (isRefused) {
    $("problem").textContent = answer.message.replace(/^--/, "");
    return;
  }
  listSchemes(answer.known);
  Object.assign(lab, { answer, answers: lab.answers + 1 });
  draw(answer);
}

function draw({ extent, tracks, exact, columns, rows, notes }) {
  const styles = strokes(tracks.map(({ name }) => name));
  for (const chart of charts) chart.draw(extent, tracks, styles);
  $("legend").replaceChildren(...tracks.map(({ name }) => element("li", {}, styles.get(name).sample(), name)));
  $("exact").replaceChildren(...exact.flatMap(([name, value]) => [element("dt", { textContent: name }), element("dd", { textContent: value })]));
  const head = element("tr", {}, ...columns.map((column) => element("th", { textContent: column, scope: "col" })));
  const body = rows.map(({ cells, remark }) => {
    if (remark === null) return element("tr", {}, ...cells.map((cell) => element("td", { textContent: cell })));
    return element("tr", {}, element("td", { textContent: cells[0] }), element("td", { textContent: remark, colSpan: columns.length - 1, className: "remark" }));
  });
  $("errors").replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
  $("notes").textContent = notes;
}

build();
$("documents").hidden = !new Engine().isInside;
for (const id of ["pages", "fields", "schemes"]) makeGroup($(id));
const first = Object.fromEntries(new URLSearchParams(location.search));
const preset = PRESETS.findIndex(({ question }) => JSON.stringify(question) === JSON.stringify(first));
if (preset >= 0) $("preset").value = String(preset);
show(first);
await compute();

// For the console and for tests.
globalThis.lab = lab;
