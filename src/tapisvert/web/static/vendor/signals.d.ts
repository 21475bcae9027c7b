// The types of signals.js, from the package it is bundled from.
export * from "@preact/signals-core";
