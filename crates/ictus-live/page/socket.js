// The worker that owns the socket: audio goes straight on to the worklet, all else to the page.
//
// It asks for audio up to a frame a little ahead of what was played. How far ahead adapts: after the sound ran dry, more by as
// much as it came too late; less again, by a part of what was never used, when it did not run dry for a moment. Where less was too
// little, that moment gets longer.
//
// A socket that has closed is opened again, until the program answers; only a program that refuses to talk to this page is left alone.

import { Recording } from "./recording.js";

const VERSION = 2;
const AUDIO = 1;
const SOUND = 3;
const SOUND_HEADER = 4; // bytes before its samples
const JITTER = 0.012; // s of audio that is always ahead, beyond what the browser takes at a time
const LATE = 0.004; // s that are added beyond what came too late
const LONGEST = 0.3;
const SETTLING = 2; // s at the start in which the page holds things up as it never will again
const WATCHED = [1.5, 60]; // s without a dropout before less is tried: at first, and at most
const SHRUNK = 20; // s in which a dropout says that less was too little
const AGAIN = [250, 4000]; // ms before a lost connection is tried again: at first, and at most
const FINAL = new Set(["malformed", "oversized", "too-fast", "version", "hello"]); // ends after which it would end again

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
let [watched, sinceShrunk] = [WATCHED[0], Infinity]; // s
let address = null; // and scene to open it with
let again = AGAIN[0]; // ms
let recording = null;
const sent = new Map(); // marks on their way, and when they left
let nextMark = 1;

onmessage = ({ data }) => {
  if (data.open) {
    ({ rate } = data.open);
    shortest = data.open.burst + JITTER;
    ring = data.open.ring;
    ring.onmessage = ({ data }) => hearRing(data);
    address = { url: data.open.url, first: data.open.first };
    connect();
  } else if (data.calm) {
    [watched, sinceShrunk] = [WATCHED[0], Infinity];
    setAhead(shortest);
  } else if (data.say) {
    // After a lost connection, what was chosen last is played again.
    if (data.say.type === "choose") address.first = { scene: data.say.scene, ...(data.say.text === undefined ? {} : { text: data.say.text }) };
    say(data.say);
  } else if (data.record !== undefined) {
    record(data.record);
  } else if (data.sound) {
    data.sound.onmessage = ({ data }) => hearSound(data);
  }
};

// What drives the instrument.
function hearSound(samples) {
  if (socket?.readyState !== WebSocket.OPEN) return;
  const packet = new Uint8Array(SOUND_HEADER + samples.byteLength);
  packet[0] = SOUND;
  packet.set(new Uint8Array(samples.buffer), SOUND_HEADER);
  socket.send(packet);
}

function say(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function connect() {
  socket = new WebSocket(address.url);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    [asked, played] = [0, 0];
    ring.postMessage({ restart: true });
    setAhead(shortest);
    sent.clear();
    say({ type: "hello", version: VERSION, rate, ...address.first });
    want();
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") hearReply(JSON.parse(data));
    else if (new Uint8Array(data, 0, 1)[0] === AUDIO) passOn(data);
    else postMessage({ state: data }, [data]);
  };
  let last = null;
  const hearReply = (reply) => {
    if (reply.type === "instrument") again = AGAIN[0];
    if (reply.type === "error") last = reply.code;
    postMessage({ reply });
  };
  socket.onclose = ({ code }) => {
    const returns = !FINAL.has(last);
    postMessage({ closed: code, returns });
    if (!returns) return;
    setTimeout(connect, again);
    again = Math.min(2 * again, AGAIN[1]);
  };
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
  if (report.dropouts > dropouts && sinceShrunk < SHRUNK) watched = Math.min(2 * watched, WATCHED[1]);
  if (report.dropouts > dropouts) [dropouts, grown] = [report.dropouts, played > SETTLING * rate ? 0 : Infinity];
  if (dropouts > 0) grow(report.starved / rate + LATE);
  want();
  if (report.level !== undefined) {
    calm += (32 * 128) / rate;
    sinceShrunk += (32 * 128) / rate;
    spare = Math.min(spare, report.least / rate);
    if (calm > WATCHED[1]) watched = WATCHED[0];
    if (calm > watched && ahead > shortest) {
      if (0.5 * spare > LATE) sinceShrunk = 0;
      setAhead(ahead - 0.5 * spare);
    }
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
