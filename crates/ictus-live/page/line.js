// Strings and bars on the stage: their rest, the envelope of the last states, and how they lie now.

/** Draws a line, without its envelope where motion is not wanted. */
export function drawLine(stage, pen, item, motion) {
  const { colours } = stage;
  const bar = item.object.kind === "bar";
  const colour = bar ? colours.bar : colours.string;
  pen.lineJoin = "round";
  pen.lineCap = bar ? "butt" : "round";
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(item.a.x, item.a.y);
  pen.lineTo(item.b.x, item.b.y);
  pen.stroke();
  if (motion.trail.length > 1 && !stage.calm.matches) {
    const extreme = (pick) => path(item, (k) => pick(...motion.trail.map((state) => motion.offset(k, state))));
    pen.beginPath();
    follow(pen, [...extreme(Math.max), ...extreme(Math.min).reverse()]);
    pen.closePath();
    pen.globalAlpha = 0.16;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
  }
  pen.beginPath();
  // A bar bends without corners; a plucked string has one.
  (bar ? curve : follow)(pen, path(item, (k) => motion.offset(k)));
  pen.strokeStyle = colour;
  pen.lineWidth = item.thickness;
  pen.stroke();
  [item.a, item.b].forEach((end, n) => drawEnd(stage, pen, item, end, n));
  const upright = item.a.x === item.b.x;
  stage.label(pen, item, upright ? { x: item.a.x, y: item.b.y + 14 } : { x: item.a.x + 10, y: item.a.y - Math.max(7, bar ? 0.5 * item.room - 9 : 0) });
}

/** How an end is held: a wall where it is clamped, a pin where it is supported, nothing where it is free. */
function drawEnd(stage, pen, item, end, number) {
  const held = item.object.edges[number];
  if (held === "supported") {
    stage.disc(pen, end, Math.min(4, 0.3 * item.room), stage.colours.muted);
  } else if (held === "clamped") {
    const [half, { x, y }] = [Math.min(14, 0.42 * item.room), item.normal];
    const out = number ? 1 : -1;
    const wall = { x: end.x + out * item.along.x, y: end.y + out * item.along.y };
    pen.strokeStyle = stage.colours.muted;
    pen.lineWidth = 4;
    pen.beginPath();
    pen.moveTo(wall.x - half * x, wall.y - half * y);
    pen.lineTo(wall.x + half * x, wall.y + half * y);
    pen.stroke();
  }
}

function path(item, offset) {
  const count = item.object.points[0];
  return Array.from({ length: count }, (_, k) => item.point([k / (count - 1)], offset(k)));
}

function follow(pen, points) {
  points.forEach(({ x, y }, n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)));
}

/** A smooth curve through points (Catmull and Rom). */
function curve(pen, points) {
  pen.moveTo(points[0].x, points[0].y);
  for (let n = 0; n + 1 < points.length; n++) {
    const [before, from, to, next] = [points[Math.max(0, n - 1)], points[n], points[n + 1], points[Math.min(points.length - 1, n + 2)]];
    const [ax, ay] = [from.x + (to.x - before.x) / 6, from.y + (to.y - before.y) / 6];
    const [bx, by] = [to.x - (next.x - from.x) / 6, to.y - (next.y - from.y) / 6];
    pen.bezierCurveTo(ax, ay, bx, by, to.x, to.y);
  }
}
