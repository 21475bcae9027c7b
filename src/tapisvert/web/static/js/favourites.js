/** Favourite bets: pure functions of lists of bets and the server's spot descriptors. */
import { missing, same, total } from './bets.js';

/** @typedef {import('./bets.js').Spot} Spot */
/** @typedef {import('./bets.js').Bets} Bets */

/** As many as there are keys beside those of the chips: 6, 7, 8, 9, 0. */
export const MOST = 5;

/** Why bets cannot become a favourite, as the last part of a message key; nothing if they can.
 * @param {readonly Bets[]} kept @param {Bets} bets */
export function whyNot(kept, bets) {
  if (!total(bets)) return 'empty';
  if (kept.some((each) => same(each, bets))) return 'known';
  return kept.length >= MOST ? 'full' : '';
}

/** @param {readonly Bets[]} kept @param {Bets} bets */
export const withOne = (kept, bets) => (whyNot(kept, bets) ? [...kept] : [...kept, { ...bets }]);

/** @param {readonly Bets[]} kept @param {Bets} bets */
export const without = (kept, bets) => kept.filter((each) => !same(each, bets));

/** Whether a spot takes its chips, or none. @param {Spot} spot @param {Bets} wanted */
function takes(spot, wanted) {
  const cents = wanted[spot.id] ?? 0;
  if (spot.equals && cents !== (wanted[spot.equals] ?? 0)) return false;
  return !cents || (cents >= spot.min && cents <= spot.max && cents % spot.step === 0
    && !missing(spot, wanted));
}

/**
 * Put a favourite down instead of what lies there: the whole of it, or nothing with the reason.
 * @param {readonly Spot[]} spots @param {Bets} bets @param {Bets} wanted @param {number} funds
 * @returns {import('./bets.js').Change}
 */
export function recall(spots, bets, wanted, funds) {
  const refused = (/** @type {string} */ key, /** @type {Record<string, number>} */ args) =>
    ({ bets, notice: { key, args } });
  const needed = total(wanted);
  const fits = spots.every((spot) => takes(spot, wanted))
    && Object.keys(wanted).every((id) => spots.some((spot) => spot.id === id));
  if (!fits) return refused('favourite.limits', { cents: needed });
  if (needed > funds) return refused('bet.no-funds', { needed, funds });
  return { bets: { ...wanted } };
}
