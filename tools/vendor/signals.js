// All of @preact/signals-core, in one file (`make vendor`).
export * from "@preact/signals-core";
