// A worker that writes FLAC, so that neither sound nor drawing waits for it.

import { flac } from "./flac.js";

onmessage = ({ data: { samples, rate } }) => {
  const file = flac(samples, rate);
  postMessage(file, [file]);
};
