// Membranes and plates on the stage: a mesh coloured by height, lines on it, and its edges as they are held.
//
// Points off a circle lie on its rim and move with it (docs/protocol.md), so the mesh of a square becomes that of a disc.

const LINES = 8; // cells between lines, along a side

/** Draws a sheet. */
export function drawSheet(stage, pen, item, motion) {
  const { colours } = stage;
  const [columns, rows] = item.object.points;
  const offsets = item.places.map((_, k) => motion.offset(k));
  const vertices = item.places.map(({ at }, k) => item.point(at, offsets[k]));
  const ramp = colourRamp(stage);
  drawRest(pen, item, colours);
  pen.lineWidth = 0.8;
  pen.lineJoin = "round";
  for (let row = rows - 2; row >= 0; row--) {
    for (let column = 0; column < columns - 1; column++) {
      const at = row * columns + column;
      const corners = [at, at + 1, at + columns + 1, at + columns];
      if (!corners.some((k) => item.places[k].on)) continue;
      const height = corners.reduce((sum, k) => sum + 0.25 * offsets[k], 0);
      pen.fillStyle = pen.strokeStyle = ramp[Math.round(127.5 + 127.5 * Math.tanh((1.6 * height) / item.amplitude))];
      pen.beginPath();
      follow(pen, corners.map((k) => vertices[k]));
      pen.closePath();
      pen.fill();
      pen.stroke();
    }
  }
  pen.strokeStyle = colours.muted;
  pen.lineWidth = 0.7;
  pen.globalAlpha = 0.4;
  for (const line of item.lines) {
    pen.beginPath();
    follow(pen, line.map((at) => item.point(at, motion.offsetAt(at))));
    pen.stroke();
  }
  pen.globalAlpha = 1;
  for (const { held, points } of item.edges) {
    pen.strokeStyle = colours.muted;
    pen.lineWidth = held === "clamped" ? 4 : 1.5;
    pen.beginPath();
    follow(pen, points.map((k) => vertices[k]));
    pen.stroke();
  }
  stage.label(pen, item, item.labelled);
}

/** Where free edges are at rest. */
function drawRest(pen, item, colours) {
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1;
  for (const { held, points } of item.edges) {
    if (held !== "free") continue;
    pen.beginPath();
    follow(pen, points.map((k) => item.point(item.places[k].at)));
    pen.stroke();
  }
}

function follow(pen, points) {
  points.forEach(({ x, y }, n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)));
}

/** 256 colours from low over the sheet's own to high. */
function colourRamp(stage) {
  if (stage.ramp) return stage.ramp;
  const parse = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const [low, middle, high] = ["low", "sheet", "high"].map((name) => parse(stage.colours[name]));
  stage.ramp = Array.from({ length: 256 }, (_, n) => {
    const t = (n - 127.5) / 127.5;
    const [from, share] = t < 0 ? [low, -t] : [high, t];
    return `rgb(${middle.map((m, k) => Math.round(m + share * (from[k] - m))).join(" ")})`;
  });
  return stage.ramp;
}

/** The lines that are drawn on a sheet, each a list of places: along the sides of a rectangle, rings and spokes on a circle. */
export function meshLines({ shape, points: [columns, rows] }) {
  const list = (count, make) => Array.from({ length: count }, (_, n) => make(n));
  const polar = (radius, turn) => [0.5 + 0.5 * radius * Math.cos(2 * Math.PI * turn), 0.5 + 0.5 * radius * Math.sin(2 * Math.PI * turn)];
  if (shape === "circle") {
    const rings = list(3, (n) => list(65, (k) => polar((n + 1) / 4, k / 64)));
    const spokes = list(12, (n) => list(13, (k) => polar(0.25 + (0.73 * k) / 12, n / 12)));
    return [...rings, ...spokes];
  }
  const along = list(LINES - 1, (n) => list(columns, (k) => [k / (columns - 1), (n + 1) / LINES]));
  const across = list(LINES - 1, (n) => list(rows, (k) => [(n + 1) / LINES, k / (rows - 1)]));
  return [...along, ...across];
}

/** The edges of a sheet: how each is held and its points in turn, of a circle all around. */
export function sheetEdges({ shape, edges, points: [columns, rows] }, places) {
  const list = (count, make) => Array.from({ length: count }, (_, n) => make(n));
  if (shape !== "circle") {
    const sides = [
      list(rows, (n) => n * columns),
      list(rows, (n) => n * columns + columns - 1),
      list(columns, (n) => n),
      list(columns, (n) => (rows - 1) * columns + n),
    ];
    return sides.map((points, n) => ({ held: edges[n], points }));
  }
  const angle = (k) => Math.atan2(places[k].at[1] - 0.5, places[k].at[0] - 0.5);
  const rim = places.flatMap((place, k) => (place.rim ? [k] : [])).sort((one, other) => angle(one) - angle(other));
  return [{ held: edges[0], points: [...rim, rim[0]] }];
}
