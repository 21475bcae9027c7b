// What the tables use of lit-html, in one file (`make vendor`).
export { html, svg, render, nothing } from "lit-html";
export { classMap } from "lit-html/directives/class-map.js";
export { keyed } from "lit-html/directives/keyed.js";
export { live } from "lit-html/directives/live.js";
export { ref } from "lit-html/directives/ref.js";
export { repeat } from "lit-html/directives/repeat.js";
export { unsafeSVG } from "lit-html/directives/unsafe-svg.js";
