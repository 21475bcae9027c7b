// The types of signals.js, as far as we use them. They need no other package, so that a game in a
// package of its own can be checked; tests/web/test_game_files.py compares them with signals-core.
export interface ReadonlySignal<T> {
  readonly value: T;
  peek(): T;
  subscribe(tell: (value: T) => void): () => void;
}
export interface Signal<T> extends ReadonlySignal<T> {
  value: T;
}
export function signal<T>(value: T): Signal<T>;
export function computed<T>(count: () => T): ReadonlySignal<T>;
/** Run now, and again whenever a signal it has read changes; call what it returns to end it. */
export function effect(run: () => void | (() => void)): () => void;
export function batch<T>(run: () => T): T;
export function untracked<T>(run: () => T): T;
