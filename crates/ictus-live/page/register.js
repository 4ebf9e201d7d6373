// A static copy works without a network after the first visit to any of its pages: what keeps it is started here.
//
// Where there is no such thing, or it is not allowed, the pages work as long as there is a network.

navigator.serviceWorker?.register("offline.js").then(() => navigator.serviceWorker.ready).then(({ active }) => active.postMessage("pictures"), () => {});
