// Finds sections of the documentation: those with all words, most telling first. Texts are shown as text, never as markup.

import "./register.js";

const MOST = 20;
const [input, list] = [document.getElementById("search"), document.getElementById("found")];
let sections = null;

async function load() {
  sections ??= fetch("search.json").then((answer) => (answer.ok ? answer.json() : []), () => []);
  return sections;
}

function weight({ heading, page, text }, words) {
  const [high, low] = [`${heading} ${page}`.toLowerCase(), text.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    if (high.includes(word)) sum += 10;
    else if (low.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  return `${at ? "… " : ""}${text.slice(at, at + 180)} …`;
}

function shown(section, word) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: section.address, textContent: `${section.page}: ${section.heading || section.page}` });
  const words = Object.assign(document.createElement("p"), { textContent: excerpt(section.text, word) });
  item.append(link, words);
  return item;
}

input.addEventListener("input", async () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = await load();
  const found = all.map((section) => [weight(section, words), section]).filter(([sum]) => sum > 0).sort((a, b) => b[0] - a[0]);
  list.hidden = words.length === 0;
  if (found.length) list.replaceChildren(...found.slice(0, MOST).map(([, section]) => shown(section, words[0])));
  else list.replaceChildren(Object.assign(document.createElement("li"), { textContent: "Nothing was found." }));
});
