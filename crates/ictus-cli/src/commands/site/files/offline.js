// Keeps the site's files in the browser, so that all of it works without a network after the first visit. With one, every file is fetched anew.

const SHELF = "ictus";
const FILES = /* files */ [];
const PICTURES = /* pictures */ []; // of the documentation: fetched when all else is there

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELF).then((shelf) => shelf.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => event.waitUntil(keepPictures()));

async function keepPictures() {
  const shelf = await caches.open(SHELF);
  // A picture that cannot be fetched now is kept as it is seen.
  for (const name of PICTURES) if (!(await shelf.match(name))) await shelf.add(name).catch(() => {});
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const shelf = await caches.open(SHELF);
  try {
    const fetched = await fetch(request);
    if (fetched.ok) await shelf.put(request, fetched.clone());
    return fetched;
  } catch (error) {
    // The scene asked for is part of the page's address, not of the file's.
    const kept = await shelf.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
