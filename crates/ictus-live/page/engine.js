// Where the engine of this page runs: in the program that serves it. A static copy of the page has `inside.js` here instead.

export { Served as Engine } from "./served.js";
export { ask } from "./ask-served.js";
