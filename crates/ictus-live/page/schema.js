// What may stand where in a scene, from the reader's own schema (docs/scene.schema.json): keys, words, names.

/** Which families of a scene a key names one of, where the schema says only that it is a text. */
const NAMES = {
  strike: ["exciters"], pluck: ["exciters"], bow: ["exciters"], damp: ["exciters"], release: ["exciters"], trigger: ["exciters"],
  play: ["exciters"], damper: ["exciters"], string: ["objects"], move: ["exciters", "contacts", "pickups"], turn: ["controls"],
  contact: ["contacts", "exciters"], parameter: ["exciters", "contacts", "objects"], set: ["exciters", "contacts", "objects"],
};
const OF_PARAMETERS = ["parameter", "set"];
const POINT = "#/definitions/point";

export class Schema {
  constructor(document) {
    this.document = document;
  }

  /** A node with what it refers to; its own description counts. */
  resolved(node) {
    const reference = node.$ref ?? (node.allOf?.length === 1 ? node.allOf[0].$ref : undefined);
    if (!reference) return node;
    const target = this.document.definitions[reference.slice("#/definitions/".length)] ?? {};
    return { ...target, ...(node.description ? { description: node.description } : {}), reference };
  }

  /** Every alternative of a node that is not itself a choice. */
  alternatives(node) {
    const found = this.resolved(node);
    return found.anyOf ? found.anyOf.flatMap((one) => this.alternatives(one)) : [found];
  }

  /** The tables that may be at a path of keys: lists are looked into. */
  tables(path) {
    let nodes = [this.document];
    for (const key of path) {
      nodes = this.inside(nodes).flatMap((node) => {
        const next = node.properties?.[key] ?? (typeof node.additionalProperties === "object" ? node.additionalProperties : null);
        return next ? [next] : [];
      });
    }
    return this.inside(nodes);
  }

  inside(nodes) {
    return nodes.flatMap((node) => this.alternatives(node)).flatMap((node) => {
      if (node.items && !Array.isArray(node.items)) return this.inside([node.items]);
      return node.properties || typeof node.additionalProperties === "object" ? [node] : [];
    });
  }

  /** Whether a node is nothing but tables: not one that may also be a number drawn by a table. */
  isSection(node) {
    return this.alternatives(node).every((one) => this.inside([one]).length > 0);
  }

  /** The tables at a path that agree with what is written in it already. */
  fitting(path, keys, but = null) {
    const agrees = ({ properties = {} }) => Object.entries(properties).every(([key, node]) => node.const === undefined || key === but || !keys.has(key) || keys.get(key) === String(node.const));
    const all = this.tables(path);
    const fitting = all.filter(agrees);
    return fitting.length ? fitting : all;
  }

  /** Keys that can be added to a table: {label, about, required}. */
  keys({ path, keys }, typed = null) {
    const found = new Map();
    for (const { properties = {}, required = [] } of this.fitting(path, keys)) {
      for (const [key, node] of Object.entries(properties)) {
        if ((keys.has(key) && key !== typed) || (path.length === 0 && this.isSection(node))) continue;
        const before = found.get(key);
        const needed = required.includes(key);
        found.set(key, { label: key, about: before?.about ?? this.resolved(node).description ?? "", required: needed && (before?.required ?? true) });
      }
    }
    const order = (a, b) => Number(b.required) - Number(a.required) || a.label.localeCompare(b.label);
    return [...found.values()].sort(order);
  }

  /** The nodes of a key. */
  nodes({ path, keys }, key) {
    return this.fitting(path, keys, key).flatMap((table) => (table.properties?.[key] ? [{ node: table.properties[key], table }] : []));
  }

  /** Values of a key: {label, about, isText}. `tables` are those of the scene, for the names in it. */
  values(table, key, tables) {
    const found = new Map();
    const add = (label, about, isText) => found.has(label) || found.set(label, { label, about, isText });
    for (const { node, table: of } of this.nodes(table, key)) {
      const { description = "" } = this.resolved(node);
      for (const one of this.alternatives(node).flatMap((one) => this.elements(one))) {
        if (one.reference === POINT || (one.description ?? "").startsWith("a point")) continue;
        if (one.const !== undefined) add(String(one.const), of.description ?? description, typeof one.const === "string");
        for (const word of one.enum ?? []) add(String(word), description, typeof word === "string");
        if (one.type === "boolean") ["true", "false"].forEach((word) => add(word, description, false));
      }
      if (this.isPlace(node)) this.names(table.path, tables, ["objects"], true).forEach((name) => add(name, description, true));
      else if (NAMES[key] && !found.size) this.named(table, key, tables).forEach((name) => add(name, description, true));
      if (!found.size) this.examples(node).forEach((example) => add(String(example), description, typeof example === "string"));
    }
    return [...found.values()];
  }

  // What a list may have in it.
  elements(node) {
    const items = node.items === undefined ? [] : [node.items].flat();
    return [node, ...items.flatMap((item) => this.alternatives(item))];
  }

  examples(node) {
    return this.alternatives(node).flatMap((one) => one.examples ?? []).slice(0, 4);
  }

  isPlace(node) {
    return node.$ref === POINT || node.allOf?.[0]?.$ref === POINT;
  }

  named({ path }, key, tables) {
    const found = this.names(path, tables, NAMES[key], false);
    if (!OF_PARAMETERS.includes(key)) return found;
    return tables.flatMap(({ path: [family, name, ...more], keys }) => (NAMES[key].includes(family) && name && !more.length ? [...keys.keys()].filter((one) => !["kind", "law", "on", "name", "rule", "from", "to"].includes(one)).map((one) => `${name}.${one}`) : []));
  }

  /** What can stand in a header after what is typed of it: {label, about}. */
  headers(typed, isArray) {
    const before = typed.split(".").slice(0, -1);
    return this.tables(before).flatMap(({ properties = {} }) => Object.entries(properties).flatMap(([key, node]) => {
      const one = this.resolved(node);
      const isList = one.type === "array" && Boolean(one.items) && !Array.isArray(one.items) && this.inside([one.items]).length > 0;
      const isTable = this.inside([one]).length > 0;
      if (!isTable || isList !== isArray || this.isPlace(node) || one.anyOf?.some(({ type }) => type && type !== "object")) return [];
      const label = [...before, key].join(".");
      return [{ label: typeof one.additionalProperties === "object" ? `${label}.` : label, about: one.description ?? "" }];
    }));
  }

  /** Names of families of a scene, or places on what has them. In a set, `each` is the object of the note. */
  names(path, tables, families, arePlaces) {
    const inSet = path[0] === "sets";
    const found = new Set(inSet && arePlaces ? ["each@0.5", "each"] : []);
    for (const table of tables) {
      const [family, name, part, inner, ...more] = table.path;
      if (families.includes(family) && name && part === undefined) found.add(arePlaces ? this.place(name, table) : name);
      if (family === "sets" && families.includes(part) && inner && !more.length) found.add(inSet && name === path[1] && arePlaces ? `each.${inner}` : `${name}.${inner}`);
    }
    return [...found];
  }

  /** How a point of an object is written: by two fractions where it has sides, by one where it has a length, by a number where it has points. */
  place(name, { path, keys }) {
    const has = (key) => keys.has("kind") && this.fitting(path, keys).every(({ properties }) => properties?.[key]);
    if (has("sides")) return `${name}@0.5,0.5`;
    if (has("length")) return `${name}@0.5`;
    return has("points") ? `${name}#1` : name;
  }
}
