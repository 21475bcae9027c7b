/** Pay tables and returns, from the sheet of the table. */
import { html, nothing } from '../../vendor/lit.js';
import { words } from '../store.js';
import { Heads, t } from './parts.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../scene.js').Scene} Scene */

/** What each bet of a sheet pays: one price, or rows as they are printed. @param {GameView} game */
const paying = (game) => Object.entries(game.sheet).flatMap(([bet, part]) => {
  const { pays, shares = {}, prizes_cents: prizes = {} } = /** @type {any} */ (part ?? {});
  if (typeof pays === 'string') return [{ bet, price: pays, rows: [] }];
  const rows = [
    ...Object.entries(pays ?? {}).map(([row, odds]) => [row, words.value.odds(odds)]),
    ...Object.entries(shares)
      .map(([row, share]) => [row, t('pays.share', { percent: words.value.share(share) })]),
    ...Object.entries(prizes).map(([row, cents]) => [row, words.value.money(cents)]),
  ];
  return rows.length ? [{ bet, price: '', rows }] : [];
});

/** @param {GameView} game @param {Scene} [scene] with it, the row that paid is lit */
export const PayTables = (game, scene) => paying(game).flatMap(({ bet, rows }) => (
  rows.length ? PayTable(bet, rows, game, scene?.settled[bet]?.row) : []));

/** @param {string} bet @param {string[][]} rows @param {GameView} game @param {string} [reached] */
const PayTable = (bet, rows, game, reached) => html`
  <table class="pays"><caption>${t('pays.title', { bet }, game.id)}</caption>
    <thead class="vh">${Heads('pays.hand', 'pays.odds')}</thead>
    <tbody>${rows.map(([row, price]) => html`<tr class=${row === reached ? 'lit' : ''}>
      <th scope="row">${t(`row.${row}`, {}, game.id)}
        ${row === reached ? html`<em>${t('pays.reached')}</em>` : nothing}</th>
      <td>${price}</td></tr>`)}</tbody></table>`;

/** Bets that pay one price. @param {GameView} game */
export const FlatPays = (game) => paying(game).flatMap(({ bet, price }) => (
  price ? html`<p>${t('pays.flat', { bet, odds: price }, game.id)}</p>` : []));

/** The returns the rule sheet prints, in percent by bet; other rules have none printed.
 * @param {GameView} game */
export const printed = (game) => /** @type {Record<string, string>} */ (
  game.rules ? {} : game.sheet.published ?? {});

/** Strategies whose figure stands for the bet; the others are habits. */
export const MEASURES = ['optimal', 'house-way', 'none'];

/** A part of 1 in percent, to two digits. @param {string} value */
export const inPercent = (value) => (100 * Number(value)).toFixed(2);

/** The return of each bet, in percent: proved if available, else as published.
 * @param {GameView} game */
export function returnsOf(game) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const { bet, strategy, return: value } of game.returns) {
    if (MEASURES.includes(strategy)) found[bet] ??= inPercent(value);
  }
  return { ...printed(game), ...found };
}

/** @param {string} bet @param {string} game */
export const betName = (bet, game) => (bet === 'main' ? t('returns.main') : t(`bet.${bet}`,
  {}, game));

/** @param {GameView} game */
export const Returns = (game) => Object.entries(returnsOf(game)).map(([bet, value]) => html`
  <div><dt>${betName(bet, game.id)}</dt><dd>${words.value.percent(value)}</dd></div>`);

/** The rules print one figure for a bet; it stands beside the first of ours. @param {GameView} game
 * @param {string} bet @param {number} n */
const isFirst = (game, bet, n) => game.returns.findIndex((each) => each.bet === bet) === n;

/** Every proved figure: the best play first, then the other strategies.
 * @param {GameView} game */
export const Proved = (game) => (game.returns.length ? html`
  <table class="plain proved"><caption>${t('returns.proved')}</caption>
    <thead>${Heads('limits.bet', 'returns.played', 'returns.counted', 'returns.printed')}</thead>
    <tbody>${game.returns.map(({ bet, strategy, return: value }, n) => html`<tr>
      <th scope="row">${betName(bet, game.id)}</th>
      <td>${t(`strategy.${strategy}`, {}, game.id)}</td>
      <td>${words.value.percent((100 * Number(value)).toFixed(4))}</td>
      <td>${isFirst(game, bet, n) && printed(game)[bet] ? words.value.percent(printed(game)[bet])
        : nothing}</td>
    </tr>`)}${Object.entries(printed(game))
      .filter(([bet]) => !game.returns.some((each) => each.bet === bet))
      .map(([bet, value]) => html`<tr>
      <th scope="row">${betName(bet, game.id)}</th><td>${
        t('returns.uncounted')}</td><td>–</td><td>${words.value.percent(value)}</td></tr>`)}
    </tbody></table>` : html`<dl class="figures">${Returns(game)}</dl>`);
