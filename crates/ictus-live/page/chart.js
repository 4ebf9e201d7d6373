// Panels of a picture: curves over axes, as SVG.

import { quantity } from "./format.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [460, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [78, 10, 10, 36];
const COLOURS = ["#1f77b4", "#d9541a", "#2a9d5c", "#9a4fb8", "#b58900", "#d6336c", "#0b8a8f", "#6b7a2a", "#7a5230", "#5b6ee1"];
const CORRECTED = "7 3 2 3";
const DASHES = { kinetic: "6 4", potential: "2 3", total: "" };

function shape(name, attributes = {}, text = "") {
  const node = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  return node;
}

/** How each curve is drawn: variants of a scheme share its colour. */
export function strokes(names) {
  const bases = [...new Set(names.filter((name) => name !== "exact").map((name) => name.split("+")[0]))];
  return new Map(names.map((name) => {
    const isExact = name === "exact";
    const colour = COLOURS[bases.indexOf(name.split("+")[0]) % COLOURS.length];
    const attributes = isExact ? { class: "exact" } : { class: "curve", stroke: colour, ...(name.includes("+") ? { "stroke-dasharray": CORRECTED } : {}) };
    const sample = () => {
      const svg = shape("svg", { viewBox: "0 0 26 8", "aria-hidden": "true" });
      svg.classList.add("chart");
      svg.append(shape("path", { d: "M1 4H25", ...attributes }));
      const box = document.createElement("span");
      box.append(svg);
      return box;
    };
    return [name, { attributes, sample, colour }];
  }));
}

// What each panel shows: titles, units, its range by the extent of the exact motion, and how far schemes may widen it.
const KINDS = {
  phase: {
    title: "Phase portrait", x: ["compression", "m"], y: ["velocity", "m/s"], curves: ["phase"],
    range: ({ compression: c, velocity: v }) => ({ x: [-0.25 * c, 1.2 * c], y: [-1.15 * v, 1.15 * v], slack: v }),
    marks: ({ max_compression: x, output_velocity: v }) => ({ x: [x], y: [v, 0] }),
  },
  force: {
    title: "Force over compression", x: ["compression", "m"], y: ["force", "N"], curves: ["force"],
    range: ({ compression: c, force: f }) => ({ x: [-0.25 * c, 1.2 * c], y: [-0.08 * f, 1.12 * f], slack: f }),
    marks: ({ max_compression: x }) => ({ x: [x], y: [0] }),
  },
  energy: {
    title: "Energy (dashed: kinetic, dotted: potential)", x: ["time", "s"], y: ["energy", "J"], curves: ["kinetic", "potential", "total"],
    range: ({ time, energy: e }) => ({ x: time, y: [-0.04 * e, 1.12 * e], slack: e }),
    marks: ({ final_energy: e }) => ({ x: [], y: [e] }),
  },
  displacement: {
    title: "Displacement (positive: inside the wall)", x: ["time", "s"], y: ["displacement", "m"], curves: ["displacement"],
    range: ({ time, compression: c, highest }) => (highest < -2 * c ? { x: time, y: [1.1 * highest, c], slack: -highest } : { x: time, y: [-c, 1.2 * c], slack: c }),
    marks: ({ max_compression: x }) => ({ x: [], y: [x, 0] }),
  },
};

export class Chart {
  constructor(kind) {
    this.kind = KINDS[kind];
    this.figure = document.createElement("figure");
    this.figure.className = "chart";
    const caption = document.createElement("figcaption");
    caption.textContent = this.kind.title;
    this.svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": this.kind.title });
    this.clip = `clip-${kind}`;
    this.figure.append(caption, this.svg);
  }

  draw(extent, tracks, styles) {
    const { kind } = this;
    const { x, y, slack } = kind.range(extent);
    const range = { x, y: widened(y, slack, tracks, kind.curves) };
    const at = {
      x: (value) => LEFT + ((value - range.x[0]) / (range.x[1] - range.x[0])) * (WIDTH - LEFT - RIGHT),
      y: (value) => HEIGHT - BOTTOM - ((value - range.y[0]) / (range.y[1] - range.y[0])) * (HEIGHT - TOP - BOTTOM),
    };
    const parts = [...this.axes(range, at)];
    const inside = shape("g", { "clip-path": `url(#${this.clip})` });
    const marks = kind.marks(extent);
    for (const value of marks.x) inside.append(shape("path", { class: "mark", d: `M${at.x(value)} ${TOP}V${HEIGHT - BOTTOM}` }));
    for (const value of marks.y) inside.append(shape("path", { class: "mark", d: `M${LEFT} ${at.y(value)}H${WIDTH - RIGHT}` }));
    const dots = tracks.length <= 5 && kind.curves.length === 1;
    for (const track of tracks) {
      const { attributes, colour } = styles.get(track.name);
      for (const name of kind.curves) {
        const points = track[name];
        if (!points.length) continue;
        const line = shape("path", { ...attributes, d: `M${points.map(([px, py]) => `${near(at.x(px), WIDTH)} ${near(at.y(py), HEIGHT)}`).join("L")}` });
        if (DASHES[name]) {
          line.setAttribute("stroke-dasharray", DASHES[name]);
          line.setAttribute("opacity", track.name === "exact" ? "0.5" : "0.6");
          if (track.name === "exact") line.classList.add("thin");
        }
        line.dataset.track = track.name;
        inside.append(line);
        if (dots && colour && track.dotted) for (const [px, py] of points) inside.append(shape("circle", { cx: near(at.x(px), WIDTH), cy: near(at.y(py), HEIGHT), r: 2.4, fill: colour }));
      }
    }
    const clip = shape("clipPath", { id: this.clip });
    clip.append(shape("rect", { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM }));
    this.svg.replaceChildren(clip, ...parts, inside);
  }

  *axes(range, at) {
    const [xName, xUnit] = this.kind.x;
    const [yName, yUnit] = this.kind.y;
    for (const value of ticks(range.x, 5)) {
      yield shape("path", { class: "grid", d: `M${at.x(value)} ${TOP}V${HEIGHT - BOTTOM}` });
      yield shape("text", { x: at.x(value), y: HEIGHT - BOTTOM + 14, "text-anchor": "middle" }, quantity(value, xUnit));
    }
    for (const value of ticks(range.y, 5)) {
      yield shape("path", { class: "grid", d: `M${LEFT} ${at.y(value)}H${WIDTH - RIGHT}` });
      yield shape("text", { x: LEFT - 6, y: at.y(value) + 4, "text-anchor": "end" }, quantity(value, yUnit));
    }
    yield shape("text", { x: WIDTH - RIGHT, y: HEIGHT - 5, "text-anchor": "end" }, xName);
    yield shape("text", { x: 12, y: TOP + (HEIGHT - TOP - BOTTOM) / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${TOP + (HEIGHT - TOP - BOTTOM) / 2})` }, yName);
  }
}

// What a failing scheme throws far off is cut at the edge of the panel; numbers stay small enough to be drawn.
function near(value, size) {
  return Math.round(100 * Math.min(3 * size, Math.max(-2 * size, Number.isFinite(value) ? value : 0))) / 100;
}

function widened([low, high], slack, tracks, curves) {
  const margin = 0.05 * (high - low);
  let range = [low, high];
  for (const track of tracks) for (const name of curves) for (const [, value] of track[name]) {
    if (value < low - slack || value > high + slack) continue;
    range = [value < low ? Math.min(range[0], value - margin) : range[0], value > high ? Math.max(range[1], value + margin) : range[1]];
  }
  return range;
}

/** Round numbers of a range, about so many. */
function ticks([low, high], count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const found = [];
  for (let n = Math.ceil(low / step); n * step <= high + 1e-9 * step; n++) found.push(n === 0 ? 0 : n * step);
  return found;
}
