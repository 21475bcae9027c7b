/** Keys and hasty presses. A key presses the button that names it in aria-keyshortcuts. */
import { go, panel, settings, toggleSound } from './store.js';

/** Set by a table: whether cards move, how to finish that, keys that read aloud. */
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
  `${panel.value ? 'dialog ' : ''}[aria-keyshortcuts~="${CSS.escape(key)}"]:not(:disabled)`);

const HASTE_MS = 700, NEAR_PX = 12;
const DEALS = '.acts :is(.primary, .again)', DECIDES = '.option, .pickable, .again';

/**
 * The last press that dealt, repeated a bet or hurried the cards. Presses that follow at the same
 * place or by the same key never decide; each makes the wait longer. Moving the pointer ends it.
 */
let hasty = { at: -HASTE_MS, key: '', x: 0, y: 0 };
/** Whether the current press is one of those: its click is dropped. */
let dropped = false;

/** @param {string} key the key that is pressed; none is the pointer */
const inHaste = (key) => hasty.key === key && performance.now() - hasty.at < HASTE_MS;
/** @param {PointerEvent} event */
const near = ({ clientX, clientY }) => Math.hypot(clientX - hasty.x, clientY - hasty.y) <= NEAR_PX;

/** @param {PointerEvent} event */
function down(event) {
  const hurries = table.moving();
  const on = (/** @type {string} */ what) => event.target instanceof Element
    && event.target.closest(what) !== null;
  dropped = hurries || (on(DECIDES) && inHaste('') && near(event));
  if (dropped || on(DEALS)) hasty = { at: performance.now(), key: '', x: event.clientX,
    y: event.clientY };
  if (!hurries) return;
  event.preventDefault();
  table.hurry();
}

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
  const hurries = table.moving() && event.key !== 'Tab', haste = inHaste(event.key);
  const again = event.key === 'Enter' && haste && target.matches(DECIDES);
  if (hurries || again || target.matches(DEALS)) hasty = { at: performance.now(), key: event.key,
    x: 0, y: 0 };
  if (hurries) table.hurry();
  if (hurries || again) return void event.preventDefault();
  if (event.key === ' ') return void space(event, target);
  const single = event.key.length === 1;
  if (single && settings.value.keys === 'off') return;
  const key = single ? event.key.toUpperCase() : event.key;
  const found = button(key), deals = found?.matches('.again');
  if (deals) hasty = { at: performance.now(), key: event.key, x: 0, y: 0 };
  if (found) { if (!deals || !haste) found.click(); } // a repeated key deals once
  else if (!panel.value && key in { ...EVERYWHERE, ...table.keys })
    ({ ...EVERYWHERE, ...table.keys })[key]();
  else return;
  event.preventDefault();
}

/** Controls on which Space presses the gold button instead of them. */
const OURS = '.option[data-given], .acts .primary, .spot, .chip';

/**
 * Space deals, so it must not decide by accident: a decision button ignores it if the page itself
 * set the focus. After Tab it accepts it.
 * @param {KeyboardEvent} event @param {HTMLElement} target
 */
function space(event, target) {
  const control = target.matches('button, a, input, summary, select');
  if (control && !target.matches(OURS)) return;
  event.preventDefault();
  if (panel.value) return;
  /** @type {HTMLElement | null} */
  const next = document.querySelector('.acts .primary:not(:disabled)');
  next?.click();
}

export function listen() {
  addEventListener('keydown', press);
  addEventListener('keyup', (event) => {
    if (event.key === ' ' && event.target instanceof Element && event.target.matches(OURS))
      event.preventDefault();
  });
  addEventListener('focusout', (event) => {
    if (event.target instanceof HTMLElement) delete event.target.dataset.given;
  });
  addEventListener('pointerdown', down, { capture: true });
  addEventListener('pointermove', (event) => { if (!near(event)) hasty.at = -HASTE_MS; });
  addEventListener('click', (event) => {
    if (!dropped || !event.detail) return; // a key's click has no detail
    dropped = false;
    event.stopPropagation();
    event.preventDefault();
  }, { capture: true });
}

/** Focus the next action; an open panel keeps the focus. */
export function guide() {
  if (panel.value) return;
  /** @type {HTMLElement | null} */
  const next = document.querySelector('.acts :is(.option, .primary):not(:disabled)');
  if (!next) return;
  next.focus({ preventScroll: true });
  if (next.classList.contains('option')) next.dataset.given = '';
}
