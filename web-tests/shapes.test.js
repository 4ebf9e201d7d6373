// What the stage draws: discs round, free edges swinging, held ones still, and nothing beyond its room.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browse, gallery, measured, picture, play, ready, root, sounds, spot } from "./browser.js";

let server, shapes;
before(async () => {
  server = await play();
  shapes = await play(join(root, "web-tests/scenes/shapes.toml"));
});
after(async () => {
  await server.stop();
  await shapes.stop();
});

async function visit(t, address, scene, options) {
  const { page, complaints, close } = await browse(options);
  t.after(close);
  await page.goto(`${address}?scene=${scene}`);
  await ready(page, scene);
  t.after(() => assert.deepEqual(complaints, []));
  return page;
}

const number = async (page, name) => (await measured(page)).instrument.objects.findIndex((object) => object.name === name);

/** Strikes a place with the pointer, as hard as the slider goes. */
async function strikeHard(page, index, at) {
  await page.locator("#speed").evaluate((input) => {
    input.value = input.max;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const { x, y } = await spot(page, index, at);
  await page.mouse.click(x, y);
}

/**
 * Watches the canvas for a number of pictures: for every object the largest offset in px that was drawn anywhere, at the
 * ends and on the rim, and how far any path went beyond the stage.
 */
const watch = (page, pictures) => page.evaluate(async (pictures) => {
  const { stage } = globalThis.ictus;
  const seen = stage.items.map((item) => item && { name: item.object.name, type: item.type, room: item.amplitude, largest: 0, low: 0, high: 0, rim: 0 });
  stage.items.forEach((item, index) => {
    if (!item) return;
    const point = Object.getPrototypeOf(item).point;
    item.point = function watched(at, u = 0) {
      const one = seen[index];
      const size = Number.isFinite(u) ? Math.abs(u) : Infinity;
      one.largest = Math.max(one.largest, size);
      if (at[0] === 0) one.low = Math.max(one.low, size);
      if (at[0] === 1) one.high = Math.max(one.high, size);
      const far = item.object.shape === "circle" ? 2 * Math.hypot(at[0] - 0.5, at[1] - 0.5) : 2 * Math.max(...at.map((x) => Math.abs(x - 0.5)));
      if (far > 1 - 1e-9) one.rim = Math.max(one.rim, size);
      return point.call(this, at, u);
    };
  });
  const pen = stage.canvas.getContext("2d");
  let beyond = 0;
  for (const name of ["moveTo", "lineTo", "bezierCurveTo"]) {
    pen[name] = function watched(...numbers) {
      for (let n = 0; n < numbers.length; n += 2) {
        const [x, y] = [numbers[n], numbers[n + 1]];
        beyond = Math.max(beyond, -x, -y, x - stage.width, y - stage.height);
      }
      return CanvasRenderingContext2D.prototype[name].apply(this, numbers);
    };
  }
  for (let n = 0; n < pictures; n++) await new Promise(requestAnimationFrame);
  for (const item of stage.items) delete item?.point;
  for (const name of ["moveTo", "lineTo", "bezierCurveTo"]) delete pen[name];
  return { seen, beyond };
}, pictures);

for (const [scene, kind, at] of [["marimba", "bar", [0.5]], ["bronze-plate", "plate", [0.44, 0.57]], ["hammered-string", "string", [0.3]]]) {
  test(`a full stroke on the ${scene} stays within its room from the first picture on`, async (t) => {
    const page = await visit(t, server.url, scene);
    const objects = (await measured(page)).instrument.objects;
    const struck = objects.findIndex((object) => object.kind === kind);
    const watching = watch(page, 60);
    await strikeHard(page, struck, at);
    await sounds(page, 1e-3);
    const { seen, beyond } = await watching;
    const { largest, room } = seen[struck];
    t.diagnostic(`${largest.toFixed(2)} px drawn of ${room.toFixed(2)} px`);
    // Half of it at least: it is drawn as large as the room allows.
    assert.ok(largest > 0.5 * room, `only ${largest} px of ${room} px`);
    for (const one of seen.filter((one) => one && ["line", "sheet", "block"].includes(one.type))) {
      assert.ok(one.largest <= 1.0001 * one.room, `${one.name}: ${one.largest} px of ${one.room} px`);
    }
    assert.ok(beyond <= 0, `${beyond} px beyond the stage`);
  });
}

/** How far in px any point of a sheet would be drawn beyond the stage if it swung as far as there is room, up or down; what is held stands still. */
const sheetsBeyond = (page) => page.evaluate(() => {
  const { stage } = globalThis.ictus;
  let beyond = 0;
  for (const item of stage.items.filter((item) => item?.type === "sheet")) {
    const held = new Set(item.edges.flatMap(({ held, points }) => (held === "free" ? [] : points)));
    item.places.forEach(({ at, on }, k) => {
      if (!on || held.has(k)) return;
      for (const u of [item.room, -item.room]) {
        const { x, y } = item.point(at, u);
        beyond = Math.max(beyond, -x, -y, x - stage.width, y - stage.height);
      }
    });
  }
  return beyond;
});

test("nothing in the gallery leaves its room when it is struck or plucked", async (t) => {
  const page = await visit(t, server.url, "tromba-marina");
  let most = ["", 0];
  for (const scene of gallery) {
    await page.selectOption("#scenes", scene);
    await ready(page, scene);
    assert.equal(await sheetsBeyond(page), 0, scene);
    const watching = watch(page, 24);
    await page.evaluate(() => {
      const { instrument: { objects } } = globalThis.ictus.measured;
      objects.forEach(({ playable, kind, reach }, object) => {
        if (!playable) return;
        globalThis.ictus.say({ type: "strike", object, at: [0.4, 0.4], velocity: 8 });
        if (kind === "string") globalThis.ictus.say({ type: "pluck", object, at: [0.3], height: 1.2 * reach });
      });
    });
    const { seen, beyond } = await watching;
    for (const one of seen.filter((one) => one && ["line", "sheet", "block"].includes(one.type))) {
      if (one.largest / one.room > most[1]) most = [`${scene}: ${one.name}`, one.largest / one.room];
      assert.ok(one.largest <= 1.0001 * one.room, `${scene}, ${one.name}: ${one.largest} px of ${one.room} px`);
    }
    assert.ok(beyond <= 0, `${scene}: ${beyond} px beyond the stage`);
  }
  t.diagnostic(`${most[0]} ${(100 * most[1]).toFixed(0)} % of its room`);
});

test("free edges and ends swing, held ones stand still, and a body that flies away stays on the stage", async (t) => {
  const page = await visit(t, shapes.url, "shapes");
  const struck = [["gong", [0.85, 0.6]], ["head", [0.4, 0.4]], ["glass", [0.2, 0.3]], ["board", [0.4, 0.4]], ["bar", [0.5]], ["tine", [0.7]]];
  const watching = watch(page, 180);
  for (let n = 0; n < 2; n++) for (const [name, at] of struck) await strikeHard(page, await number(page, name), at);
  const { seen, beyond } = await watching;
  const flown = await page.evaluate((gong) => Math.abs(globalThis.ictus.measured.state.objects[gong].shape[544]), await number(page, "gong"));
  t.diagnostic(`the gong has flown ${flown.toFixed(2)} m`);
  assert.ok(flown > 0.1, `${flown} m`);
  for (const { name, largest, room } of seen) {
    t.diagnostic(`${name}: ${largest.toFixed(1)} px of ${room.toFixed(1)} px`);
    assert.ok(largest <= 1.0001 * room && largest > 0.5 * room, `${name}: ${largest} px of ${room} px`);
  }
  assert.ok(beyond <= 0, `${beyond} px beyond the stage`);
  const of = (name) => seen.find((one) => one.name === name);
  for (const name of ["gong", "glass"]) assert.ok(of(name).rim > 0.4 * of(name).room, `the rim of ${name}: ${of(name).rim} px`);
  for (const name of ["head", "board"]) assert.ok(of(name).rim < 0.01, `the rim of ${name}: ${of(name).rim} px`);
  assert.ok(of("bar").low > 0.2 * of("bar").room && of("bar").high > 0.2 * of("bar").room, JSON.stringify(of("bar")));
  assert.ok(of("tine").low < 0.01 && of("tine").high > 0.5 * of("tine").room, JSON.stringify(of("tine")));
});

/** Box in px of the stage around what is painted of one object, and how much of that box is. */
const painted = (page, index) => page.evaluate((index) => {
  const { stage } = globalThis.ictus;
  // Alone on the stage, without its name, so that what is painted is the body.
  const { items } = stage;
  stage.items = items.map((one, n) => (n === index ? one : null));
  stage.label = () => {};
  stage.draw();
  const { canvas, scale } = stage;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const filled = (x, y) => data[4 * (Math.round(y * scale) * canvas.width + Math.round(x * scale)) + 3] > 0;
  for (let y = 0; y < stage.height; y++) {
    for (let x = 0; x < stage.width; x++) if (filled(x, y)) [box[0], box[1], box[2], box[3]] = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
  }
  let count = 0;
  for (let y = box[1]; y <= box[3]; y++) for (let x = box[0]; x <= box[2]; x++) count += filled(x, y);
  stage.items = items;
  delete stage.label;
  return { box, filling: count / ((box[2] - box[0] + 1) * (box[3] - box[1] + 1)) };
}, index);

test("a circle is drawn as an ellipse, and the pointer plays it inside its rim only", async (t) => {
  const page = await visit(t, shapes.url, "shapes");
  const stage = await page.locator("#stage").boundingBox();
  await page.evaluate(() => {
    globalThis.said = [];
    const { link } = globalThis.ictus;
    const say = link.say.bind(link);
    link.say = (message) => {
      if (message.type === "strike") globalThis.said.push(message);
      return say(message);
    };
  });
  for (const name of ["gong", "head"]) {
    await page.getByRole("button", { name: "Rest" }).click();
    await page.waitForTimeout(300);
    const index = await number(page, name);
    const { box, filling } = await painted(page, index);
    t.diagnostic(`${name} fills ${filling.toFixed(3)} of its box, an ellipse π/4`);
    assert.ok(Math.abs(filling - Math.PI / 4) < 0.02, `${name} fills ${filling} of its box`);
    const [x, y, rx, ry] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (box[2] - box[0]) / 2, (box[3] - box[1]) / 2];
    const click = async (right, up) => {
      await page.evaluate(() => (globalThis.said.length = 0));
      await page.mouse.click(stage.x + x + right * rx, stage.y + y - up * ry);
      return page.evaluate(() => globalThis.said);
    };
    for (const [right, up] of [[0, 0], [0.9, 0], [0, 0.9], [-0.6, -0.7], [0.68, 0.68], [-0.97, 0]]) {
      const said = await click(right, up);
      assert.equal(said.length, 1, `${name} at ${right}, ${up}`);
      assert.equal(said[0].object, index);
      const [atX, atY] = said[0].at;
      const [wantX, wantY] = [0.5 + 0.5 * right, 0.5 + 0.5 * up];
      assert.ok(Math.hypot(atX - wantX, atY - wantY) < 0.02, `${name}: ${said[0].at} for ${[wantX, wantY]}`);
    }
    // The corners of the box around it, and a little beyond the rim.
    for (const [right, up] of [[0.95, 0.95], [-0.95, 0.95], [0.9, -0.9], [-0.9, -0.9], [0.8, 0.8]]) {
      assert.deepEqual((await click(right, up)).filter(({ object }) => object === index), [], `${name} at ${right}, ${up}`);
    }
  }
});

test("shapes look right in the light, in the dark and on a phone", async (t) => {
  for (const [name, options] of [
    ["shapes-light", { width: 1400, height: 900 }],
    ["shapes-dark", { width: 1400, height: 900, colorScheme: "dark" }],
    ["shapes-phone", { width: 390, height: 844 }],
  ]) {
    const page = await visit(t, shapes.url, "shapes", options);
    for (const [body, at] of [["gong", [0.85, 0.6]], ["head", [0.4, 0.4]], ["glass", [0.2, 0.3]], ["board", [0.4, 0.4]], ["bar", [0.5]], ["tine", [0.7]]]) {
      const { x, y } = await spot(page, await number(page, body), at);
      await page.mouse.click(x, y);
    }
    await page.waitForTimeout(400);
    await picture(page, name);
  }
});
