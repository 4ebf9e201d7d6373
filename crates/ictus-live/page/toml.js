// The text of a scene, read as one types: what every line is made of, which tables there are, and where the cursor is in them.
//
// A text that is being written is broken most of the time. So this is no reader: it never fails, and what it makes of an error does not
// matter, for the engine's own reader tells those.

const NUMBER = /^[+-]?(?:\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?\d+)?|inf|nan)$/;
const QUOTES = ['"""', "'''", '"', "'"];

/** Cuts a line into [kind, text]: comment, header, key, string, number, word, plain. `open` is the quote of a string that began before. */
export function pieces(line, open = null) {
  const found = [];
  const add = (kind, text) => text && found.push([kind, text]);
  let at = 0;
  if (open) {
    const end = line.indexOf(open);
    if (end < 0) return { found: [["string", line]], open };
    at = end + open.length;
    add("string", line.slice(0, at));
    open = null;
  } else {
    const header = line.match(/^\s*\[\[?[^\]#"']*\]?\]?(?=\s*(?:#|$))/);
    if (header && !line.includes("=")) {
      add("header", header[0]);
      at = header[0].length;
    }
  }
  while (at < line.length) {
    const rest = line.slice(at);
    const quote = QUOTES.find((quote) => rest.startsWith(quote));
    if (quote) {
      const length = stringLength(rest, quote);
      add("string", rest.slice(0, length ?? rest.length));
      if (length === null && quote.length === 3) return { found, open: quote };
      at += length ?? rest.length;
    } else if (rest[0] === "#") {
      add("comment", rest);
      at = line.length;
    } else {
      const [word] = rest.match(/^[\w+.-]+|^\s+|^[^]/u);
      const kind = /^\s*=/.test(rest.slice(word.length)) && /^[\w.-]+$/.test(word) ? "key" : NUMBER.test(word) ? "number" : /^(?:true|false)$/.test(word) ? "word" : "plain";
      add(kind, word);
      at += word.length;
    }
  }
  return { found, open: null };
}

/** Length of the string that begins a text, its quotes included; null if it does not end. */
function stringLength(text, quote) {
  for (let at = quote.length; at < text.length; at++) {
    if (text[at] === "\\" && quote[0] === '"') at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return null;
}

const pathOf = (text) => text.split(".").map((part) => part.trim().replaceAll(/^["']|["']$/g, ""));

/**
 * Reads a text and finds the cursor in it.
 *
 * `tables`: every table as {path, keys, places, body}: keys with the texts of their values and where these are, and where a table with a header
 * begins below it. `at`: {mode: header, key, value or none; table, key, from, to, typed, quote}:
 * what is typed there is the text from `from` to the cursor, and `to` ends the word around it.
 */
export function survey(text, cursor) {
  const root = { path: [], keys: new Map(), places: new Map(), body: null };
  const tables = [root];
  const stack = [{ kind: "table", table: root, key: null }];
  let where = null;
  let at = 0;
  const top = () => stack.at(-1);
  const see = (from, to, found) => {
    if (where === null && cursor >= from && cursor <= to) where = { table: top().table, key: top().key, from, to, quote: null, ...found };
  };
  const begin = (path, body = null) => {
    const table = { path, keys: new Map(), places: new Map(), body };
    tables.push(table);
    return table;
  };
  // What a scalar is the value of, in an array too.
  const take = (value, from, to) => {
    const { table, key } = top();
    top().isDone = true;
    if (key === null) return;
    table.keys.set(key, value);
    table.places.set(key, [from, to]);
  };
  while (at < text.length) {
    const letter = text[at];
    const isKeyNext = top().kind !== "array" && top().key === null;
    const isHeader = letter === "[" && stack.length === 1 && isKeyNext;
    // A word and a header are found with what is typed of them.
    if (/[#\s=,[\]{}]/.test(letter) && !isHeader) see(at, at, { mode: isKeyNext ? "key" : top().isDone ? "none" : "value" });
    if (letter === "#") {
      const end = lineEnd(text, at);
      see(at + 1, end, { mode: "none" });
      at = end;
    } else if (letter === "\n") {
      // A statement ends with its line, but for arrays that go on.
      while (top().kind === "inline") stack.pop();
      if (top().kind === "table") [top().key, top().isDone] = [null, false];
      at += 1;
    } else if (/\s/.test(letter)) {
      at += 1;
    } else if (isHeader) {
      const end = lineEnd(text, at);
      const [, brackets, name] = text.slice(at, end).match(/^(\[\[?)([^\]#]*)/);
      const from = at + brackets.length;
      const isArray = brackets.length === 2;
      see(from, from + name.length, { mode: "header", isArray, key: null });
      see(at, from, { mode: "none" });
      const table = begin(pathOf(name), Math.min(end + 1, text.length));
      stack.splice(0, stack.length, { kind: "table", table, key: null });
      at = end;
    } else if (letter === "[") {
      stack.push({ kind: "array", table: top().table, key: top().key });
      at += 1;
    } else if (letter === "{") {
      const { table, key } = top();
      stack.push({ kind: "inline", table: begin(key === null ? table.path : [...table.path, ...pathOf(key)]), key: null });
      at += 1;
    } else if (letter === "]" || letter === "}") {
      if (stack.length > 1) stack.pop();
      top().isDone = true;
      at += 1;
    } else if (letter === "," || letter === "=") {
      if (letter === "," && top().kind === "inline") top().key = null;
      top().isDone = false;
      at += 1;
    } else {
      at = word(at, isKeyNext);
    }
  }
  see(0, text.length, { mode: top().kind !== "array" && top().key === null ? "key" : top().isDone ? "none" : "value", from: cursor, to: cursor });
  return { tables, at: where };

  function word(from, isKey) {
    const quote = QUOTES.find((quote) => text.startsWith(quote, from));
    if (quote) {
      const limit = quote.length === 3 ? text.length : lineEnd(text, from);
      const length = stringLength(text.slice(from, limit), quote);
      const end = length === null ? limit : from + length;
      const inner = [from + quote.length, length === null ? end : end - quote.length];
      // Between the quotes; what is typed goes there.
      see(...inner, { mode: isKey ? "key" : "value", quote, isClosed: length !== null });
      if (isKey) top().key = text.slice(...inner);
      else take(text.slice(...inner), from, end);
      return Math.max(end, from + 1);
    }
    const [found] = text.slice(from, from + 400).match(/^[^\s#"'[\]{},=]+/) ?? [text[from]];
    see(from, from + found.length, { mode: isKey ? "key" : "value" });
    if (isKey) top().key = found;
    else take(found, from, from + found.length);
    return from + found.length;
  }
}

function lineEnd(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
