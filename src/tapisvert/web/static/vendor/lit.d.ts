// The types of lit.js, from the package it is bundled from.
export { html, svg, render, nothing } from "lit-html";
export type { RenderOptions, RootPart, SVGTemplateResult, TemplateResult } from "lit-html";
export { classMap } from "lit-html/directives/class-map.js";
export { keyed } from "lit-html/directives/keyed.js";
export { live } from "lit-html/directives/live.js";
export { ref } from "lit-html/directives/ref.js";
export type { Ref, RefOrCallback } from "lit-html/directives/ref.js";
export { repeat } from "lit-html/directives/repeat.js";
export { unsafeSVG } from "lit-html/directives/unsafe-svg.js";
