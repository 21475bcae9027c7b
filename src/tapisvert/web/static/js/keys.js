/** The keyboard: a key presses the button that shows it (aria-keyshortcuts). One switch turns single keys off. */
import { bets, funds, game, hurry, moving, round, scene } from './play.js';
import { go, panel, say, settings, toggleSound, words } from './store.js';

/** Keys that are the same everywhere: read-outs and panels. @type {Record<string, () => void>} */
const EVERYWHERE = {
  '?': () => { panel.value = 'shortcuts'; },
  L: () => go('/history'),
  M: toggleSound,
  I: () => say([...hands(() => true), ...rest()].join(' ') || words.value.write('read.nothing')),
  F: () => say(hands((zone) => !zone.startsWith('house')).join(' ') || words.value.write('read.nothing')),
  G: () => say(hands((zone) => zone.startsWith('house')).join(' ') || words.value.write('read.nothing')),
};

/** The hands in words. @param {(zone: string) => boolean} wanted */
const hands = (wanted) => Object.entries(scene.value.zones).filter(([zone]) => wanted(zone)).map(([zone, places]) => (
  words.value.write('read.zone', { zone, cards: places.map(({ card }) => card) }, game.value?.id)));

/** Everything else in words: the bets, what is asked or how it ended, the money. */
function rest() {
  const { ask, settled, bets: staked } = scene.value;
  const id = game.value?.id ?? '';
  const lying = Object.entries(round.value ? staked : bets.value).map(([bet, cents]) => (
    words.value.write('read.bet', { bet, cents }, id)));
  const told = [...(ask ? [ask] : []), ...Object.values(settled)].map((event) => words.value.tell(event, id));
  return [...lying, ...told, words.value.write('read.balance', { cents: funds.value })];
}

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
