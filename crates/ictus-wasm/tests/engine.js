// What the tests share: the compiled engine without a browser, and the sound files of the program.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const program = process.env.ICTUS ?? join(target, "release/ictus");
const scenes = join(root, "scenes");

export const RATE = 48000;
export const gallery = readdirSync(scenes).filter((file) => file.endsWith(".toml")).map((file) => file.slice(0, -5)).sort();
/** Where the compiled engines are. */
export const folder = join(target, "wasm");
export const module = new WebAssembly.Module(readFileSync(process.env.ICTUS_WASM ?? join(folder, "engine.wasm")));

/** An engine with scenes of the gallery on its shelf. */
export class Engine {
  constructor(names = gallery, code = module) {
    this.calls = new WebAssembly.Instance(code).exports;
    const list = names.map((name) => ({ name, text: readFileSync(join(scenes, `${name}.toml`), "utf8") }));
    this.shelve(JSON.stringify(list));
  }

  shelve(list) {
    this.write(list);
    this.calls.shelve();
  }

  write(text) {
    const bytes = new TextEncoder().encode(text);
    const at = this.calls.room(bytes.length);
    new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
  }

  /** Says something, and returns what is answered. */
  say(message) {
    this.write(typeof message === "string" ? message : JSON.stringify(message));
    this.calls.hear();
    return this.replies();
  }

  /** Asks a question, and returns its answer. */
  ask(question) {
    this.write(JSON.stringify(question));
    const length = this.calls.ask();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(this.calls.memory.buffer, this.calls.reply_at(), length)));
  }

  /** Makes audio until what was chosen has been built. */
  fade() {
    for (let n = 0; n < 100; n++) if (!this.calls.audio()) return;
    throw new Error("it does not fade out");
  }

  replies() {
    const replies = [];
    for (let length; (length = this.calls.reply()); ) {
      const bytes = new Uint8Array(this.calls.memory.buffer, this.calls.reply_at(), length);
      replies.push(JSON.parse(new TextDecoder().decode(bytes)));
    }
    return replies;
  }

  hello(scene) {
    return this.say({ type: "hello", version: 2, rate: RATE, ...(scene ? { scene } : {}) });
  }

  /** So many frames from here on, two channels interleaved. */
  frames(count) {
    const samples = new Float32Array(2 * count);
    for (let at = 0; at < samples.length; ) {
      const length = this.calls.audio();
      if (!length) throw new Error("nothing is played");
      const block = new Float32Array(this.calls.memory.buffer, this.calls.audio_at() + 16, (length - 16) / 4);
      samples.set(block.subarray(0, samples.length - at), at);
      at += block.length;
    }
    return samples;
  }
}

/** What the program renders of a scene: samples interleaved, and how many channels. */
export function rendered(scene, seconds) {
  const folder = mkdtempSync(join(tmpdir(), "ictus-wasm-"));
  try {
    const file = join(folder, "sound.wav");
    execFileSync(program, ["render", scene, "--rate", String(RATE), "--bits", "32f", "--duration", String(seconds), "-o", file], { stdio: "pipe" });
    const bytes = readFileSync(file);
    let at = 12;
    let channels = 1;
    for (;;) {
      const [name, length] = [bytes.toString("latin1", at, at + 4), bytes.readUInt32LE(at + 4)];
      if (name === "fmt ") channels = bytes.readUInt16LE(at + 10);
      if (name === "data") return { channels, samples: new Float32Array(bytes.buffer.slice(bytes.byteOffset + at + 8, bytes.byteOffset + at + 8 + length)) };
      at += 8 + length + (length & 1);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
