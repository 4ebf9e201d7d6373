// A text field for scenes: line numbers, colours, underlined errors and completion around a plain text area, so that undo, selection,
// spelling aids, find and screen readers are the browser's own.
//
// Below the text area, whose letters are transparent, lies the same text in colour; only the lines that are seen are drawn.

import { pieces, survey } from "./toml.js";

const AROUND = 8; // lines drawn beyond those that are seen
const MOST_OFFERED = 60;
const NEW_WORD = /[\w"'.\-[]/;

function element(tag, className, text = "") {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

export class Editor {
  /** `on.change` is called after every edit. */
  constructor(box, on) {
    Object.assign(this, { box, on, schema: null, problems: [], lines: [""], openings: [null], offered: [], chosen: 0 });
    this.gutter = element("div", "gutter");
    this.gutter.setAttribute("aria-hidden", "true");
    this.under = element("div", "under");
    // Not found by the browser's search, which finds the text area's own text.
    this.under.inert = true;
    this.area = element("textarea", "text");
    Object.assign(this.area, { spellcheck: false, wrap: "off", autocomplete: "off", autocapitalize: "off" });
    this.area.setAttribute("aria-label", "Text of the scene");
    this.area.setAttribute("aria-autocomplete", "list");
    this.area.setAttribute("aria-describedby", "editor-help");
    this.list = element("ul", "offer");
    Object.assign(this.list, { id: "editor-offer", hidden: true });
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Suggestions");
    this.about = element("p", "offer-about");
    this.about.hidden = true;
    this.page = element("div", "page");
    this.page.append(this.under, this.area);
    box.append(this.gutter, this.page, this.list, this.about);
    this.area.addEventListener("input", (event) => this.edited(event));
    this.area.addEventListener("scroll", () => this.draw());
    this.area.addEventListener("keydown", (event) => this.press(event));
    // What is typed is no music.
    this.area.addEventListener("keyup", (event) => event.stopPropagation());
    this.area.addEventListener("blur", () => this.close());
    this.area.addEventListener("pointerdown", () => this.close());
    new ResizeObserver(() => this.draw()).observe(this.area);
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    [this.area.scrollTop, this.area.scrollLeft] = [0, 0];
    this.problems = [];
    this.read();
  }

  /** Replaces a part of the text as if it were typed, so that it can be undone. */
  type(from, to, text) {
    this.area.focus();
    this.area.setSelectionRange(from, to);
    this.isWriting = true;
    const isDone = document.execCommand("insertText", false, text);
    this.isWriting = false;
    if (!isDone) {
      this.area.setRangeText(text, from, to, "end");
      this.read();
      this.on.change();
    }
  }

  /** Underlines problems, as the engine's reader tells them. */
  mark(problems) {
    this.problems = problems.filter(({ line }) => line > 0);
    this.area.setAttribute("aria-invalid", String(problems.length > 0));
    this.draw();
  }

  /** Puts the cursor on a line and column, counted from 1. */
  go(line, column) {
    const before = this.lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const at = before + [...(this.lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const { height } = this.metrics();
    this.area.scrollTop = Math.max(0, (line - 1) * height - this.area.clientHeight / 2);
    this.draw();
  }

  edited(event) {
    this.read();
    this.on.change();
    const isTyping = !this.isWriting && event.inputType && ["insertText", "deleteContentBackward"].includes(event.inputType);
    // A word that grows, not a text that is put in.
    const letter = event.data ?? "";
    if (isTyping && letter.length < 2 && (!this.list.hidden || NEW_WORD.test(letter))) this.offer();
    else this.close();
  }

  read() {
    this.lines = this.area.value.split("\n");
    this.openings = [null];
    for (const line of this.lines) {
      const open = this.openings.at(-1);
      // Only such a line begins or ends a string of several lines.
      this.openings.push(open || line.includes('"""') || line.includes("'''") ? pieces(line, open).open : null);
    }
    this.draw();
  }

  metrics() {
    const { lineHeight, paddingTop } = getComputedStyle(this.area);
    return { height: parseFloat(lineHeight), above: parseFloat(paddingTop) };
  }

  draw() {
    const { height, above } = this.metrics();
    if (!(height > 0)) return;
    const { scrollTop, scrollLeft, clientHeight } = this.area;
    const first = Math.max(0, Math.floor(scrollTop / height) - AROUND);
    const last = Math.min(this.lines.length, Math.ceil((scrollTop + clientHeight) / height) + AROUND);
    const numbers = [];
    const rows = [];
    for (let n = first; n < last; n++) {
      const problems = this.problems.filter(({ line }) => line === n + 1);
      rows.push(this.row(n, problems));
      numbers.push(element("div", problems.length ? "bad" : "", String(n + 1)));
    }
    this.first = first;
    const top = above + first * height - scrollTop;
    this.under.style.transform = `translate(${-scrollLeft}px, ${top}px)`;
    this.under.replaceChildren(...rows);
    const inner = element("div", "numbers");
    inner.style.transform = `translateY(${top}px)`;
    inner.append(...numbers);
    this.gutter.replaceChildren(inner);
  }

  row(n, problems) {
    const row = element("div", "row");
    const line = this.lines[n];
    const marks = problems.map(({ column, length }) => {
      const letters = [...line];
      const from = letters.slice(0, column - 1).join("").length;
      return [from, from + Math.max(1, letters.slice(column - 1, column - 1 + length).join("").length)];
    });
    let at = 0;
    for (const [kind, text] of pieces(line, this.openings[n]).found) {
      // Cut where a mark begins or ends.
      const cuts = [at, at + text.length, ...marks.flat().filter((cut) => cut > at && cut < at + text.length)].sort((a, b) => a - b);
      for (let c = 1; c < cuts.length; c++) {
        const bad = marks.some(([from, to]) => cuts[c - 1] >= from && cuts[c - 1] < to);
        row.append(element("span", `is-${kind}${bad ? " wrong" : ""}`, line.slice(cuts[c - 1], cuts[c])));
      }
      at += text.length;
    }
    // Beyond the end: something is missing there.
    if (marks.some(([from]) => from >= line.length)) row.append(element("span", "wrong", " "));
    return row;
  }

  press(event) {
    // Neither notes nor the page's own keys.
    event.stopPropagation();
    const isOpen = !this.list.hidden;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.code === "Space" && event.ctrlKey) this.offer();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.on.run();
    else if (event.key === "s" && (event.ctrlKey || event.metaKey)) this.on.save();
    else if (isOpen && plain && event.key === "ArrowDown") this.choose(this.chosen + 1);
    else if (isOpen && plain && event.key === "ArrowUp") this.choose(this.chosen - 1);
    else if (isOpen && plain && ["Enter", "Tab"].includes(event.key) && !event.shiftKey) this.accept();
    else if (isOpen && event.key === "Escape") this.close();
    else if (event.key === "Escape") this.leaves = true;
    else if (event.key === "Tab" && plain && !this.leaves && !event.shiftKey) this.type(this.area.selectionStart, this.area.selectionEnd, "  ");
    else {
      if (!["Tab", "Shift"].includes(event.key)) this.leaves = false;
      return;
    }
    if (event.key !== "Escape") this.leaves = false;
    event.preventDefault();
  }

  /** Shows what can stand where the cursor is. */
  offer() {
    if (!this.schema) return;
    const cursor = this.area.selectionStart;
    const { tables, at } = survey(this.text, cursor);
    if (at.mode === "none") return this.close();
    this.place = { ...at, cursor };
    const typed = this.text.slice(at.from, cursor);
    const found = this.suggestions(at, typed, tables);
    const wanted = typed.toLowerCase();
    const rank = ({ label }) => (label.toLowerCase().startsWith(wanted) ? 0 : label.toLowerCase().includes(wanted) ? 1 : 2);
    this.offered = found.filter((one) => rank(one) < 2 && one.label !== typed).sort((a, b) => rank(a) - rank(b)).slice(0, MOST_OFFERED);
    if (!this.offered.length) return this.close();
    this.list.replaceChildren(...this.offered.map((one, n) => {
      const item = element("li", one.required ? "needed" : "", one.label);
      item.id = `offer-${n}`;
      item.setAttribute("role", "option");
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        this.choose(n);
        this.accept();
      });
      return item;
    }));
    this.list.hidden = false;
    this.area.setAttribute("aria-controls", this.list.id);
    this.stand();
    this.choose(0);
  }

  suggestions(at, typed, tables) {
    if (at.mode === "header") return this.schema.headers(typed, at.isArray);
    if (at.mode === "key") return this.schema.keys(at.table, typed);
    return at.key === null ? [] : this.schema.values(at.table, at.key, tables);
  }

  // Below the word that is written, or above it where there is no room.
  stand() {
    const { line, column } = this.position(this.place.from);
    const row = this.under.children[line - this.first];
    const outer = this.box.getBoundingClientRect();
    const inner = this.area.getBoundingClientRect();
    const { height, above } = this.metrics();
    let left = inner.left - outer.left;
    if (row) {
      let rest = column;
      left = row.getBoundingClientRect().left - outer.left;
      for (const span of row.children) {
        const text = span.firstChild;
        if (rest <= text.length) {
          const range = document.createRange();
          range.setStart(text, rest);
          range.collapse(true);
          left = range.getBoundingClientRect().left - outer.left;
          break;
        }
        rest -= text.length;
      }
    }
    const top = inner.top - outer.top + above + line * height - this.area.scrollTop;
    const room = outer.height - top - height;
    const isAbove = room < 150 && top > room;
    Object.assign(this.list.style, {
      left: `${Math.max(0, Math.min(left, outer.width - 180))}px`,
      top: isAbove ? "auto" : `${top + height + 2}px`,
      bottom: isAbove ? `${outer.height - top + 2}px` : "auto",
      maxHeight: `${Math.max(90, Math.min(230, (isAbove ? top : room) - 12))}px`,
    });
  }

  position(at) {
    const before = this.text.slice(0, at);
    const line = before.split("\n").length - 1;
    return { line, column: at - (before.lastIndexOf("\n") + 1) };
  }

  choose(n) {
    this.chosen = (n + this.offered.length) % this.offered.length;
    [...this.list.children].forEach((item, m) => item.setAttribute("aria-selected", String(m === this.chosen)));
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.area.setAttribute("aria-activedescendant", `offer-${this.chosen}`);
    const { label, about, required } = this.offered[this.chosen];
    this.about.textContent = `${label}${required ? " (needed)" : ""}: ${about}`;
    this.about.hidden = !about;
  }

  accept() {
    const { label, isText } = this.offered[this.chosen];
    const { mode, from, to, quote, isClosed, isArray, cursor } = this.place;
    const rest = this.text.slice(to).match(/^[^\n]*/)[0];
    let text = label;
    let end = mode === "header" ? Math.max(cursor, from) : Math.max(to, cursor);
    if (mode === "key" && !/^\s*=/.test(rest)) text += " = ";
    if (mode === "value" && isText && !quote) text = `"${label}"`;
    if (mode === "value" && quote && !isClosed) text += quote;
    if (mode === "header" && !label.endsWith(".") && !rest.startsWith("]")) {
      text += isArray ? "]]" : "]";
      end = to;
    }
    this.close();
    this.type(from, end, text);
    // Behind the quotes of a value that is whole.
    if (quote && isClosed) this.area.setSelectionRange(from + label.length + quote.length, from + label.length + quote.length);
    if (mode === "key" && text.endsWith(" = ")) this.offer();
  }

  close() {
    this.list.hidden = this.about.hidden = true;
    this.area.removeAttribute("aria-activedescendant");
  }
}
