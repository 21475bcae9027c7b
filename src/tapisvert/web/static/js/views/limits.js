/** Limits and caps, from the sheet of the table. Fetched with help and the panels. */
import { html } from '../../vendor/lit.js';
import { words } from '../store.js';
import { Heads, t } from './parts.js';

/** @typedef {import('../store.js').GameView} GameView */

/** The largest of some odds. @param {Record<string, string>} odds */
const best = (odds) => Object.values(odds).map((each) => each.split(':').map(Number))
  .reduce((one, other) => (one[0] * other[1] >= other[0] * one[1] ? one : other));

/** The most a bet returns: its cap, or the best row at its maximum.
 * @param {GameView} game */
function largest(game) {
  const caps = /** @type {Record<string, number>} */ (game.sheet.caps_cents ?? {});
  const uncapped = game.spots.flatMap(({ id, max }) => {
    const { pays, shares } = /** @type {any} */ (game.sheet[id] ?? {});
    if (id in caps || (typeof pays !== 'object' && !shares)) return [];
    if (shares) {
      return [[id, t('pays.share', { percent: words.value.share(best(shares).join(':')) })]];
    }
    const [gain, stake] = best(pays);
    return [[id, words.value.money(Math.floor(max * (gain + stake) / stake))]];
  });
  const capped = Object.entries(caps).map(([id, cents]) => [id, words.value.money(cents)]);
  return [...uncapped, ...capped];
}

/** The bets that choices add, and how many times the main stake they are. @param {GameView} game */
const added = (game) => Object.entries(game.sheet).flatMap(([bet, part]) => {
  const { times_ante: fixed, most_times: most = {}, before_flop: first, after_flop: second,
    after_river: last } = /** @type {any} */ (part ?? {});
  const upTo = Array.from({ length: Math.max(0, ...Object.values(most)) }, (_, less) => less + 1);
  const found = [fixed, upTo, first, second, last].flat().filter(Number.isInteger);
  const times = [...new Set(found)].sort((one, other) => one - other);
  return times.length ? [{ bet, times }] : [];
});

/** @param {GameView} game @returns {number[]} */
export const timesOf = (game) => added(game).flatMap(({ times }) => times);

/** The stake those bets are multiples of. @param {GameView} game */
const mainSpot = ({ spots }) => spots.find(({ main }) => main) ?? spots[0];

/** The most that a choice can add, in cents. @param {GameView} game */
export const largestRaise = (game) => mainSpot(game).max * Math.max(0, ...timesOf(game));

/** @param {GameView} game */
const Added = (game) => added(game).map(({ bet, times }) => {
  const { id, min, max } = mainSpot(game);
  return html`<tr><th scope="row">${t(`bet.${bet}`, {}, game.id)}</th>
    <td>${words.value.money(min * times[0])}</td>
    <td>${words.value.money(max * times[times.length - 1])}</td>
    <td>${t('help.times', { times, bet: id }, game.id)}</td></tr>`;
});

/** @param {GameView} game */
const hasCaps = ({ sheet }) => Object.keys(sheet.caps_cents ?? {}).length > 0;

/** @param {GameView} game */
export const Limits = (game) => html`
  <table class="plain limits"><caption>${t('limits.title')}</caption>
    <thead>${Heads('limits.bet', 'limits.min', 'limits.max', 'limits.step')}</thead>
    <tbody>${game.spots.map(({ id, min, max, step }) => html`<tr>
      <th scope="row">${t(`bet.${id}`, {}, game.id)}</th>
      ${[min, max, step].map((cents) => html`<td>${words.value.money(cents)}</td>`)}</tr>`)}
      ${Added(game)}</tbody></table>
  <table class="plain largest"><caption>${t('caps.title')}</caption>
    <thead>${Heads('limits.bet', 'caps.most')}</thead>
    <tbody>${largest(game).map(([bet, most]) => html`<tr>
      <th scope="row">${bet === 'round' ? t('caps.round') : t(`bet.${bet}`, {}, game.id)}</th>
      <td>${most}</td></tr>`)}</tbody></table>
  <p class="dim">${t(hasCaps(game) ? 'caps.note' : 'caps.none')}</p>`;
