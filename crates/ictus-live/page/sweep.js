// What a pointer crosses on its way: lines that it passes over, and sheets and masses that it comes upon.

/**
 * What lies between two points of the stage, in order: items, places on them, and from which side (1 or -1). Left out are the line that
 * `begun` is, which sounds already, and the sheet or mass that the pointer was on `last`.
 */
export function crossings(stage, { begun, last }, from, to) {
  const found = [];
  for (const item of stage.items) {
    if (item?.type !== "line" || !item.object.playable || item === begun) continue;
    const [before, after] = [item.height(from), item.height(to)];
    if (before > 0 === after > 0) continue;
    const share = before / (before - after);
    const p = { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
    if (item.distance(p) < 2) found.push({ item, at: item.place(p), share, side: Math.sign(after - before) });
  }
  const upon = stage.hit(to);
  if (upon && upon.type !== "line" && upon !== last) found.push({ item: upon, at: upon.place(to), share: 1, side: 1 });
  return found.sort((one, other) => one.share - other.share);
}
