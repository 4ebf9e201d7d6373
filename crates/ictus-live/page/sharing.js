// A whole scene in the part of an address behind "#", which a browser sends to nobody: compressed (deflate), then in letters (base64url).

const NAME = "scene";

/** Most letters of a scene in an address, and most bytes that may become of them. */
const MOST_LETTERS = 128 << 10;
export const MOST_BYTES = 256 << 10;

async function through(stream, bytes, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    // A few letters can become gigabytes: stop in time.
    if (length > most) {
      await reader.cancel();
      throw new Error("it is too long");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The address of the page with a scene in it. */
export async function addressOf(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MOST_BYTES) throw new Error(`the scene has ${Math.ceil(bytes.length / 1024)} kB; a link holds at most ${MOST_BYTES >> 10} kB`);
  const packed = await through(new CompressionStream("deflate-raw"), bytes);
  let letters = "";
  for (let at = 0; at < packed.length; at += 8192) letters += String.fromCharCode(...packed.subarray(at, at + 8192));
  const encoded = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (encoded.length > MOST_LETTERS) throw new Error("the scene is too long for a link");
  const address = new URL(location.href);
  [address.search, address.hash] = ["", `${NAME}=${encoded}`];
  return address.href;
}

/** Whether an address has a scene in it, whole or broken. */
export function isShared(hash) {
  return hash.startsWith(`#${NAME}=`);
}

/** The scene in an address. Fails in a sentence. */
export async function sceneIn(hash) {
  const encoded = hash.slice(NAME.length + 2);
  const broken = (why) => new Error(`The link is broken: ${why}. Ask for the whole link again.`);
  if (!encoded) throw broken("it has no scene in it");
  if (encoded.length > MOST_LETTERS) throw broken("it is too long");
  if (!/^[\w-]+$/.test(encoded)) throw broken("it has letters in it that no link of this page has");
  let packed;
  try {
    packed = Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw broken("a part of it is missing");
  }
  let bytes;
  try {
    bytes = await through(new DecompressionStream("deflate-raw"), packed, MOST_BYTES);
  } catch (error) {
    throw broken(error.message === "it is too long" ? error.message : "a part of it is missing or changed");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw broken("there is no text in it");
  }
}
