// A plain file server: files as they are, nothing else, as any web server has them.

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

import { program } from "./browser.js";

const KINDS = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".png": "image/png" };

/** Writes the site into a folder; the folder. */
export function site(folder) {
  execFileSync(program, ["site", "-o", folder]);
  return folder;
}

/** Serves a folder as a subfolder of a site; resolves to the address of its page, what was asked for in vain, and a way to stop. */
export async function serve(folder) {
  const missing = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    try {
      if (!name.startsWith("/some/place/")) throw new Error("not here");
      const body = await readFile(join(folder, name.slice("/some/place/".length)));
      // A server that does not know a kind says so: the page must not depend on it.
      response.writeHead(200, { "content-type": KINDS[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      missing.push(name);
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}/some/place/`, missing, stop };
}
