// The ring buffer without an audio thread, for pages that browsers do not trust with one: those that come over the network without encryption,
// as on a phone that plays by `ictus play --lan`. It sounds later, and drawing can hold it up.

import { Ring } from "./ring.js";

const BLOCK = 128; // frames that the ring is asked for at once
const FRAMES = 1024; // that the browser asks for at once

/** A node that plays what comes through a port, and how many s it takes at a time. */
export function plainOutput(context, port) {
  const ring = new Ring();
  ring.connect(port);
  const node = context.createScriptProcessor(FRAMES, 0, 2);
  node.onaudioprocess = ({ outputBuffer }) => {
    const [left, right] = [outputBuffer.getChannelData(0), outputBuffer.getChannelData(1)];
    for (let at = 0; at < left.length; at += BLOCK) ring.process(left.subarray(at, at + BLOCK), right.subarray(at, at + BLOCK));
  };
  return { node, burst: (2 * FRAMES) / context.sampleRate };
}
