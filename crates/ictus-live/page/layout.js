// Where everything stands on the stage.
//
// Strings and bars lie in rows, or stand in columns when there are many; membranes and plates are seen from above their near
// edge; masses, barriers and modal objects stand where they touch something. Every place on an object has a point on the
// stage and, for what extends, the other way round.

import { meshLines, sheetEdges } from "./sheet.js";

const MANY_LINES = 8;
const LABEL = 20; // px under a sheet for its name

/**
 * The places of an object's points: `at` as fractions of its sides, `on` for those on the body, `rim` for those on the rim of a
 * circle. The points of the square around a circle that are off it lie on its rim.
 */
export function pointPlaces({ shape, points: [columns, rows] }) {
  const fraction = (index, count) => (count > 1 ? index / (count - 1) : 0.5);
  return Array.from({ length: columns * rows }, (_, k) => {
    const [x, y] = [fraction(k % columns, columns), fraction(Math.floor(k / columns), rows)];
    const radius = 2 * Math.hypot(x - 0.5, y - 0.5);
    if (shape !== "circle" || radius < 1 - 1e-9) return { at: [x, y], on: true, rim: false };
    return { at: [0.5 + (x - 0.5) / radius, 0.5 + (y - 0.5) / radius], on: radius <= 1 + 1e-9, rim: true };
  });
}

/** A string or bar: from a to b, displaced along its normal. */
class Line {
  constructor(index, object, a, b, room) {
    Object.assign(this, { type: "line", index, object, a, b, room });
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    this.length = Math.hypot(dx, dy);
    this.along = { x: dx / this.length, y: dy / this.length };
    // Up for a row, to the left for a column.
    this.normal = dx !== 0 ? { x: 0, y: -1 } : { x: -1, y: 0 };
    const bar = object.kind === "bar";
    this.thickness = bar ? Math.max(4, Math.min(16, 0.34 * room)) : 2.2;
    // Half the room to each side, less half of what it is thick.
    this.amplitude = bar ? Math.max(0.16 * room, 0.5 * (room - this.thickness)) : 0.42 * room;
  }

  point(at, u = 0) {
    const t = at[0] ?? 0.5;
    return {
      x: this.a.x + t * (this.b.x - this.a.x) + u * this.normal.x,
      y: this.a.y + t * (this.b.y - this.a.y) + u * this.normal.y,
    };
  }

  place({ x, y }) {
    const t = ((x - this.a.x) * this.along.x + (y - this.a.y) * this.along.y) / this.length;
    return [Math.min(1, Math.max(0, t))];
  }

  /** Distance of a point in px, and height above the line. */
  distance(p) {
    const [t] = this.place(p);
    const q = this.point([t]);
    return Math.hypot(p.x - q.x, p.y - q.y);
  }

  height(p) {
    return (p.x - this.a.x) * this.normal.x + (p.y - this.a.y) * this.normal.y;
  }
}

/** A membrane or plate: origin + x ex + y ey, displaced upwards. */
class Sheet {
  constructor(index, object, box) {
    Object.assign(this, { type: "sheet", index, object });
    this.places = pointPlaces(object);
    this.edges = sheetEdges(object, this.places);
    this.lines = meshLines(object);
    this.round = object.shape === "circle";
    const [lx, ly] = object.sides;
    const free = object.edges.includes("free");
    // A rectangle is seen a little from the side; a circle stays an upright ellipse.
    const lean = this.round ? 0 : 0.36;
    const depth = 0.55;
    const width = lx + lean * ly;
    const amplitude = Math.min((free ? 0.16 : 0.28) * box.h, 90);
    // A free edge swings up and down beyond where it rests.
    const high = free ? box.h - 2 * amplitude - LABEL : 0.66 * box.h;
    const scale = Math.min(box.w / width, high / (depth * ly));
    const [w, h] = [scale * width, scale * depth * ly];
    this.ex = { x: scale * lx, y: 0 };
    this.ey = { x: scale * lean * ly, y: -h };
    this.origin = { x: box.x + 0.5 * (box.w - w), y: box.y + 0.5 * (box.h + h) - (free ? 0.5 * LABEL : 0) };
    // A held edge stands still, but the points next to it may swing as far as any.
    const beside = 0.5 * (box.h - h) + h / (object.points[1] - 1);
    this.amplitude = this.room = free ? amplitude : Math.min(amplitude, beside);
    this.labelled = { x: this.origin.x, y: this.origin.y + (free ? amplitude : 0) + 16 };
    this.normal = { x: 0, y: -1 };
  }

  point(at, u = 0) {
    const [x = 0.5, y = 0.5] = at;
    return { x: this.origin.x + x * this.ex.x + y * this.ey.x, y: this.origin.y + y * this.ey.y - u };
  }

  place(p) {
    const y = (p.y - this.origin.y) / this.ey.y;
    const x = (p.x - this.origin.x - y * this.ey.x) / this.ex.x;
    if (!this.round) return [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
    const radius = Math.max(1, 2 * Math.hypot(x - 0.5, y - 0.5));
    return [0.5 + (x - 0.5) / radius, 0.5 + (y - 0.5) / radius];
  }

  distance(p) {
    const q = this.point(this.place(p));
    return Math.hypot(p.x - q.x, p.y - q.y);
  }

  height(p, at) {
    return this.point(at).y - p.y;
  }
}

/** A modal object: its points side by side on a block. */
class Block {
  constructor(index, object, box) {
    Object.assign(this, { type: "block", index, object, box });
    this.count = object.points[0];
    this.amplitude = 0.3 * box.h;
    this.room = box.h;
    this.normal = { x: 0, y: -1 };
  }

  point(at, u = 0) {
    const number = at[0] ?? 0;
    return { x: this.box.x + ((number + 0.5) / this.count) * this.box.w, y: this.box.y + 0.6 * this.box.h - u };
  }

  place(p) {
    const number = Math.floor(((p.x - this.box.x) / this.box.w) * this.count);
    return [Math.min(this.count - 1, Math.max(0, number))];
  }

  distance(p) {
    const dx = Math.max(this.box.x - p.x, 0, p.x - this.box.x - this.box.w);
    const dy = Math.max(this.box.y + 0.35 * this.box.h - p.y, 0, p.y - this.box.y - 0.85 * this.box.h);
    return Math.hypot(dx, dy);
  }

  height(p) {
    return this.box.y + 0.6 * this.box.h - p.y;
  }
}

/** A mass or barrier, at a point. */
class Dot {
  constructor(index, object, at, partner, partnerAt) {
    Object.assign(this, { type: object.kind === "barrier" ? "wall" : "dot", index, object, at, partner, partnerAt });
    this.amplitude = partner ? partner.amplitude : 60;
    this.room = 1.5 * this.amplitude;
    this.normal = partner?.normal ?? { x: 0, y: -1 };
    this.radius = object.tool ? 8 : 12;
  }

  point(_at, u = 0) {
    return { x: this.at.x + u * this.normal.x, y: this.at.y + u * this.normal.y };
  }

  place() {
    return [];
  }

  distance(p) {
    return Math.max(0, Math.hypot(p.x - this.at.x, p.y - this.at.y) - this.radius);
  }

  height(p) {
    return (p.x - this.at.x) * this.normal.x + (p.y - this.at.y) * this.normal.y;
  }
}

/** Lays an instrument out on a stage of this size in px; one item per object, null for those that are not shown. */
export function layOut(description, width, height) {
  const items = new Array(description.objects.length).fill(null);
  const indexed = description.objects.map((object, index) => ({ object, index }));
  const of = (fits) => indexed.filter(({ object }) => fits(object) && !object.tool);
  const lines = of(({ shape }) => shape === "line");
  const sheets = of(({ shape }) => shape && shape !== "line");
  const blocks = of(({ kind }) => kind === "modal");
  const margin = Math.max(24, 0.05 * width);
  const top = Math.min(84, 0.16 * height);
  const space = { x: margin, y: top, w: width - 2 * margin, h: height - top - 16 };
  const [above, below] = divide(space, lines, [...sheets, ...blocks]);
  placeLines(items, lines, above);
  const boxes = sheets.length + blocks.length;
  // As many columns as make them largest.
  const size = (columns) => Math.min(below.w / columns / 1.6, below.h / Math.ceil(boxes / columns));
  let columns = 1;
  for (let more = 2; more <= boxes; more++) if (size(more) > size(columns)) columns = more;
  const rows = Math.ceil(boxes / columns);
  [...sheets, ...blocks].forEach(({ object, index }, n) => {
    const [column, row] = [n % columns, Math.floor(n / columns)];
    const cell = { w: below.w / columns, h: below.h / rows };
    const box = { x: below.x + column * cell.w + 8, y: below.y + row * cell.h, w: cell.w - 16, h: cell.h };
    items[index] = object.kind === "modal" ? new Block(index, object, box) : new Sheet(index, object, box);
  });
  placeDots(items, description, space);
  return items;
}

/** Room for lines and for sheets: one above the other, or side by side where there is width for it. */
function divide(space, lines, others) {
  if (!others.length) return [space, { ...space, h: 0 }];
  if (!lines.length) return [{ ...space, h: 0 }, space];
  const longish = others.some(({ object: { sides } }) => sides[0] > 2.5 * sides[1]);
  if (lines.length >= 4 && !longish && space.w > 1.5 * space.h) {
    const w = Math.max(0.58, Math.min(0.72, 0.5 + 0.012 * lines.length)) * space.w;
    return [{ ...space, w: w - 20 }, { ...space, x: space.x + w, w: space.w - w }];
  }
  const h = Math.min(0.55, 0.34 + 0.05 * lines.length) * space.h;
  return [{ ...space, h }, { ...space, y: space.y + h, h: space.h - h }];
}

function placeLines(items, lines, box) {
  const longest = Math.max(...lines.map(({ object }) => object.sides[0]));
  const stand = lines.length >= MANY_LINES && box.w > 1.1 * box.h;
  const pitch = (stand ? box.w : box.h) / Math.max(1, lines.length);
  lines.forEach(({ object, index }, n) => {
    const relative = Math.max(0.3, object.sides[0] / longest);
    const centre = (n + 0.5) * pitch;
    if (stand) {
      const [x, middle, half] = [box.x + centre, box.y + 0.5 * box.h, 0.46 * box.h * relative];
      items[index] = new Line(index, object, { x, y: middle - half }, { x, y: middle + half }, pitch);
    } else {
      const [y, middle, half] = [box.y + centre, box.x + 0.5 * box.w, 0.5 * box.w * relative];
      items[index] = new Line(index, object, { x: middle - half, y }, { x: middle + half, y }, Math.min(pitch, 220));
    }
  });
}

/** Masses and barriers stand beside what they touch; what touches nothing stands in a row. */
function placeDots(items, description, space) {
  const alone = [];
  description.objects.forEach((object, index) => {
    if (items[index] || !["mass", "barrier"].includes(object.kind)) return;
    const spots = [];
    for (const contact of description.contacts) {
      for (const [own, other, side] of [[contact.from, contact.to, -1], [contact.to, contact.from, 1]]) {
        const item = items[other.object];
        if (own.object === index && item && item.type !== "dot" && item.type !== "wall" && !contact.spread) {
          const distance = Math.min(46, 0.4 * item.room + 16);
          const p = item.point(other.at, side * distance);
          spots.push({ ...p, item, at: other.at });
        }
      }
    }
    if (object.kind === "barrier" && spots.length > 3) return;
    if (spots.length) {
      const mean = (key) => spots.reduce((sum, spot) => sum + spot[key], 0) / spots.length;
      items[index] = new Dot(index, object, { x: mean("x"), y: mean("y") }, spots[0].item, spots[0].at);
    } else if (!description.contacts.some(({ from, spread }) => spread && from.object === index)) {
      alone.push(index);
    }
  });
  alone.forEach((index, n) => {
    const at = { x: space.x + ((n + 0.5) / alone.length) * space.w, y: space.y + 0.5 * space.h };
    items[index] = new Dot(index, description.objects[index], at, null);
  });
}
