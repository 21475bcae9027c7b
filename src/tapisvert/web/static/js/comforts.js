/** Comforts of the table: looks, favourite bets, chips, vibration. Fetched with the settings, and
 * at the start by players who have chosen any. */
import { effect, signal, untracked } from '../vendor/signals.js';
import { total } from './bets.js';
import * as list from './favourites.js';
import * as play from './play.js';
import { kept, say, set, settings, wallet, words } from './store.js';
import { style } from './style.js';
import { Row } from './views/favourites.js';

/** @typedef {import('./bets.js').Bets} Bets */

/** The module is fetched at the start from now on. */
const stay = () => { if (!settings.value.comforts) set('comforts', 'on'); };

/** Choose a setting that this module applies. @param {string} name @param {string} value */
export function choose(name, value) {
  set(name, value);
  stay();
}

// Looks: each is a style sheet, which applies where its media query does -------------------------

/** @type {Record<string, Record<string, string>>} */
const LOOKS = {
  theme: { light: 'all', auto: '(prefers-color-scheme: light)' },
  cards: { large: 'all' },
  hand: { left: 'all' },
};
const SHEETS = /** @type {Record<string, string>} */ ({ theme: 'light', cards: 'large-cards',
  hand: 'left-hand' });

/** Apply a sheet under a media query, or not at all. @param {string} name @param {string} media */
function wear(name, media) {
  const found = document.querySelector(`link[href$="/css/${name}.css"]`);
  if (found instanceof HTMLLinkElement) found.media = media;
  else if (media !== 'not all') style(name, media);
}

effect(() => {
  for (const [name, sheet] of Object.entries(SHEETS)) {
    wear(sheet, LOOKS[name][settings.value[name]] ?? 'not all');
  }
  // The server sends the page in this theme, so that it never flashes in another one.
  document.cookie =
    `tapis_theme=${settings.value.theme}; path=/; max-age=31536000; samesite=strict`;
});

// Favourite bets, by game -------------------------------------------------------------------------

/** @type {import('../vendor/signals.js').Signal<Record<string, Bets[]>>} */
const favourites = signal(kept('favourites'));
/** Values of chips by currency. @type {import('../vendor/signals.js').Signal<Record<string,
 * number[]>>} */
const trays = signal(kept('trays'));
addEventListener('storage', ({ key }) => {
  if (key === 'favourites') favourites.value = kept(key);
  if (key === 'trays') trays.value = kept(key);
});

const here = () => play.game.value?.id ?? '';
/** What is kept is a list, unless somebody has written there. @template T @param {T[]} [found] */
const listed = (found) => (Array.isArray(found) ? found : []);
/** The favourites of this table. */
export const mine = () => listed(favourites.value[here()]);
/** Why the chips on the table cannot be saved; nothing if they can. */
export const whyNot = () => list.whyNot(mine(), play.bets.value);

/** @param {Bets[]} next @param {string} told */
function keep(next, told) {
  favourites.value = { ...favourites.value, [here()]: next };
  localStorage.setItem('favourites', JSON.stringify(favourites.value));
  stay();
  say(words.value.write(told));
}

/** Save the chips on the table as a favourite. */
export const save = () => keep(list.withOne(mine(), play.bets.value), 'favourite.saved');
/** @param {Bets} bets */
export const forget = (bets) => keep(list.without(mine(), bets), 'favourite.forgotten');
/** Put a favourite down. @param {Bets} bets */
export const recall = (bets) => play.change(list.recall(play.spots.value, play.bets.value, bets,
  wallet.value.balance_cents));

/** The row of favourites on the felt. */
export const Favourites = () => Row(mine(), whyNot() === '', recall, save, here());

// The chips in the tray, by currency --------------------------------------------------------------

/** The values chosen for this currency. */
export const tray = () => listed(trays.value[wallet.value.currency]);

/** @param {number[]} values none is the house's choice */
export function lay(values) {
  trays.value = { ...trays.value, [wallet.value.currency]: values };
  localStorage.setItem('trays', JSON.stringify(trays.value));
  stay();
  const chips = play.chips.value;
  if (!chips.includes(play.chip.value)) [play.chip.value] = chips;
}

// Vibration: off unless chosen; only some devices can ---------------------------------------------

export const vibrates = 'vibrate' in navigator;
/** Milliseconds on, off, on... @type {Record<string, number[]>} */
const PULSES = { dealing: [15], decide: [30], won: [40, 60, 40] };

let before = play.phase.peek();
effect(() => {
  const phase = play.phase.value;
  untracked(() => {
    const { returned_cents: returned = 0 } = play.round.value ?? {};
    const event = phase === 'settled' && returned > total(play.scene.value.bets) ? 'won' : phase;
    // A browser allows it after the first press.
    if (phase !== before && settings.value.vibration === 'on' && event in PULSES && vibrates
      && navigator.userActivation?.hasBeenActive) navigator.vibrate(PULSES[event]);
    before = phase;
  });
});
