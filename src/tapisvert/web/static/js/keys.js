/** The keyboard: a key presses the button that shows it (aria-keyshortcuts). One switch turns single keys off. */
import { go, panel, settings, toggleSound } from './store.js';

/** What a table adds, once somebody sits there: whether cards fly, how to land them, and keys that read it aloud. */
export const table = {
  moving: () => false,
  hurry: () => {},
  keys: /** @type {Record<string, () => void>} */ ({}),
};

/** Keys that are the same everywhere. @type {Record<string, () => void>} */
const EVERYWHERE = {
  '?': () => { panel.value = 'shortcuts'; },
  L: () => go('/history'),
  M: toggleSound,
};

/** @param {string} key @returns {HTMLElement | null} */
const button = (key) => document.querySelector(
  `${panel.value ? 'dialog ' : ''}[aria-keyshortcuts="${CSS.escape(key)}"]:not(:disabled)`);

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (target.matches('input:not([type=radio]), textarea, select')) return;
  if (event.repeat) {
    // A key held down presses one button once, not also the one that comes after it.
    if (target.matches('button') && [' ', 'Enter'].includes(event.key)) event.preventDefault();
    return;
  }
  if (table.moving() && event.key !== 'Tab') {
    event.preventDefault();
    table.hurry();
    return;
  }
  if (event.key === ' ') return void space(event, target);
  const single = event.key.length === 1;
  if (single && settings.value.keys === 'off') return;
  const key = single ? event.key.toUpperCase() : event.key;
  const found = button(key);
  if (found) found.click();
  else if (!panel.value && key in { ...EVERYWHERE, ...table.keys }) ({ ...EVERYWHERE, ...table.keys })[key]();
  else return;
  event.preventDefault();
}

/** Where Space is ours: it presses the gold button, once, and never these. */
const OURS = '.option[data-given], .acts .primary, .spot, .chip';

/**
 * Space deals, and so must never decide by the way: a decision button that the page itself put in focus does not
 * take it. One the player has gone to (Tab) does, like any other button.
 * @param {KeyboardEvent} event @param {HTMLElement} target
 */
function space(event, target) {
  const control = target.matches('button, a, input, summary, select');
  if (control && !target.matches(OURS)) return;
  event.preventDefault();
  if (!panel.value) /** @type {HTMLElement | null} */ (document.querySelector('.acts .primary:enabled'))?.click();
}

export function listen() {
  addEventListener('keydown', press);
  addEventListener('keyup', (event) => {
    if (event.key === ' ' && event.target instanceof Element && event.target.matches(OURS)) event.preventDefault();
  });
  addEventListener('focusout', (event) => {
    if (event.target instanceof HTMLElement) delete event.target.dataset.given;
  });
  addEventListener('pointerdown', (event) => {
    if (!table.moving()) return;
    event.preventDefault();
    table.hurry();
  }, { capture: true });
}

/** Put the focus where the next act is; a panel keeps it. */
export function guide() {
  if (panel.value) return;
  /** @type {HTMLElement | null} */
  const next = document.querySelector('.acts :is(.option, .primary):not(:disabled)');
  if (!next) return;
  next.focus({ preventScroll: true });
  if (next.classList.contains('option')) next.dataset.given = '';
}
