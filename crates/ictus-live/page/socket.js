// The worker that owns the socket: audio goes straight on to the worklet, all else to the page.
//
// It asks for audio up to a frame a little ahead of what was played. How far ahead adapts: after the sound ran dry, more by as
// much as it came too late; less again, by a part of what was never used, when it did not run dry for a while.

import { Recording } from "./recording.js";

const VERSION = 2;
const AUDIO = 1;
const JITTER = 0.012; // s of audio that is always ahead, beyond what the browser takes at a time
const LATE = 0.004; // s that are added beyond what came too late
const LONGEST = 0.3;
const SETTLING = 2; // s at the start in which the page holds things up as it never will again
const WATCHED = 30; // s without a dropout before less is tried

let socket = null;
let ring = null; // port to the worklet
let rate = 48000;
let shortest = 0.02; // s of audio ahead: the least, and what is asked for now
let ahead = shortest;
let asked = 0;
let played = 0;
let dropouts = 0;
let grown = 0; // s that the last dropout has made it longer
let calm = 0; // s since the sound last ran dry or the length last changed
let spare = LONGEST; // s that were never used since
let recording = null;
const sent = new Map(); // marks on their way, and when they left
let nextMark = 1;

onmessage = ({ data }) => {
  if (data.open) {
    ({ rate } = data.open);
    shortest = data.open.burst + JITTER;
    ring = data.open.ring;
    ring.onmessage = ({ data }) => hearRing(data);
    connect(data.open.url, data.open.scene);
  } else if (data.say) {
    say(data.say);
  } else if (data.record !== undefined) {
    record(data.record);
  }
};

function say(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function connect(url, scene) {
  socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    [asked, played] = [0, 0];
    ring.postMessage({ restart: true });
    setAhead(shortest);
    say({ type: "hello", version: VERSION, rate, ...(scene ? { scene } : {}) });
    want();
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") postMessage({ reply: JSON.parse(data) });
    else if (new Uint8Array(data, 0, 1)[0] === AUDIO) passOn(data);
    else postMessage({ state: data }, [data]);
  };
  socket.onclose = ({ code }) => postMessage({ closed: code });
}

function passOn(packet) {
  recording?.add(new Float32Array(packet, 16));
  ring.postMessage(packet, [packet]);
}

function tellEnough() {
  ring.postMessage({ enough: Math.floor((0.7 * ahead * rate) / 128) * 128 });
}

function want() {
  const frame = played + Math.ceil((ahead * rate) / 128) * 128;
  if (frame > asked) {
    asked = frame;
    say({ type: "want", frame });
  }
}

function hearRing(report) {
  if (report.heard !== undefined) return heard(report.heard);
  played = report.played;
  if (report.dropouts > dropouts) [dropouts, grown] = [report.dropouts, played > SETTLING * rate ? 0 : Infinity];
  if (dropouts > 0) grow(report.starved / rate + LATE);
  want();
  if (report.level !== undefined) {
    calm += (32 * 128) / rate;
    spare = Math.min(spare, report.least / rate);
    if (calm > WATCHED) setAhead(ahead - 0.25 * spare);
    postMessage({ stream: { fill: report.fill / rate, ahead, dropouts, peak: report.peak, level: report.level, played, flowing: report.flowing } });
    mark();
  }
}

// Makes room for what came too late by so many s; while it is still waited for, more with every report.
function grow(late) {
  if (late <= grown) return;
  setAhead(ahead + late - grown);
  grown = late;
}

function setAhead(length) {
  ahead = Math.min(LONGEST, Math.max(shortest, length));
  [calm, spare] = [0, LONGEST];
  tellEnough();
}

// Now and then a mark is sent through the engine and timed until its sound is played.
function mark() {
  if (sent.size > 4) sent.clear();
  const id = nextMark++;
  sent.set(id, performance.now());
  say({ type: "ping", id });
}

function heard(id) {
  if (!sent.has(id)) return;
  postMessage({ latency: (performance.now() - sent.get(id)) / 1000 });
  sent.delete(id);
}

function record(on) {
  if (on) {
    recording = new Recording(rate, 2);
  } else if (recording) {
    const file = recording.finish();
    recording = null;
    postMessage({ recorded: file }, [file]);
  }
}
