/** The keyboard: a key presses the button that shows it (aria-keyshortcuts). One switch turns single keys off. */
import { hurry, moving, round, scene } from './play.js';
import { go, panel, say, settings, words } from './store.js';

/** Keys that are the same everywhere: read-outs and panels. @type {Record<string, () => void>} */
const EVERYWHERE = {
  '?': () => { panel.value = 'shortcuts'; },
  L: () => go('/history'),
  I: () => say(readOut(() => true)),
  F: () => say(readOut((zone) => zone !== 'house')),
  G: () => say(readOut((zone) => zone === 'house')),
};

/** The table in words: what lies where, and what is asked. @param {(zone: string) => boolean} wanted */
function readOut(wanted) {
  const { zones, ask } = scene.value;
  const game = round.value?.game ?? '';
  const hands = Object.entries(zones).filter(([zone]) => wanted(zone)).map(([zone, places]) => (
    words.value.write('read.zone', { zone, cards: places.map(({ card }) => card) }, game)));
  if (!hands.length) return words.value.write('read.nothing');
  return [...hands, ...(ask ? [words.value.tell(ask, game)] : [])].join(' ');
}

/** @param {string} key @returns {HTMLElement | null} */
const button = (key) => document.querySelector(
  `${panel.value ? 'dialog ' : ''}[aria-keyshortcuts="${CSS.escape(key)}"]:not(:disabled)`);

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (target.matches('input:not([type=radio]), textarea, select')) return;
  if (moving.value && event.key !== 'Tab') {
    event.preventDefault();
    hurry();
    return;
  }
  if (event.key === ' ') return void space(event, target);
  const single = event.key.length === 1;
  if (single && settings.value.keys === 'off') return;
  const key = single ? event.key.toUpperCase() : event.key;
  const found = button(key);
  if (found) found.click();
  else if (!panel.value && EVERYWHERE[key]) EVERYWHERE[key]();
  else return;
  event.preventDefault();
}

/** Buttons whose Space is ours: it presses the primary button, once, and never these. */
const OURS = '.option[data-given], .primary';

/**
 * Space deals, and so must never decide by the way: a decision button that the page itself put in focus does not
 * take it. One the player has gone to (Tab) does, like any other button.
 * @param {KeyboardEvent} event @param {HTMLElement} target
 */
function space(event, target) {
  const control = target.matches('button, a, input, summary, select');
  if (control && !target.matches(OURS)) return;
  event.preventDefault();
  if (!event.repeat) button('Space')?.click();
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
    if (!moving.value) return;
    event.preventDefault();
    hurry();
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
