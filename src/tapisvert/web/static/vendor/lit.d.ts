// The types of lit.js, as far as we use them. They need no other package, so that a game in a
// package of its own can be checked; tests/web/test_game_files.py compares them with lit-html.
export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}
type Tag = (strings: TemplateStringsArray, ...values: unknown[]) => TemplateResult;
export const html: Tag;
export const svg: Tag;
/** Renders nothing; as an attribute's value, it takes the attribute away. */
export const nothing: unique symbol;
export function render(value: unknown, container: HTMLElement | DocumentFragment): unknown;

export function classMap(classes: Readonly<Record<string, string | boolean | number>>): unknown;
export function keyed(key: unknown, value: unknown): unknown;
export function live(value: unknown): unknown;
export function ref(target: (element: Element | undefined) => void): unknown;
export function repeat<T>(
  items: Iterable<T>,
  key: (item: T, index: number) => unknown,
  template: (item: T, index: number) => unknown,
): unknown;
export function unsafeSVG(text: string): unknown;
