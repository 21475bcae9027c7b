/** The player's results: over time, by game and bet beside the proved figures, and the best
 * hands. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { Face } from '../cards.js';
import { get } from '../net.js';
import { ofGame, review } from '../reviews.js';
import { indices, learn, words } from '../store.js';
import { style } from '../style.js';
import { Figure, Heads, t } from './parts.js';
import { Accuracy } from './graded.js';
import { betName } from './pays.js';
import { Review, load } from './session.js';
import { Silent } from './values.js';

/** @typedef {import('../protocol.js').Statistics} Statistics */
/** @typedef {import('../protocol.js').BetCount} BetCount */
/** @typedef {import('../protocol.js').Band} Band */
/** @typedef {{found: import('../protocol.js').RoundReview[],
 *   why: import('../consult.js').Silence | null}} Reviewed */

const told = signal(/** @type {Statistics | null} */ (null));
/** By game, the reviews of its newest rounds.
 * @type {import('../../vendor/signals.js').Signal<Record<string, Reviewed>>} */
const reviewed = signal({});

export async function arrive() {
  told.value = null;
  const [found] = /** @type {[Statistics, void]} */ (await Promise.all([get('/statistics'),
    style('statistics')]));
  // Hands have their names at their table only.
  for (const { game } of found.best_hands) await learn(game);
  await learn(undefined, 'session.title');
  told.value = found;
  judge(found);
}

/** Review this session, then the newest rounds of each game. @param {Statistics} mine */
async function judge(mine) {
  reviewed.value = {};
  await load();
  for (const { game } of mine.games) {
    if (told.value !== mine) return;
    await review(await ofGame(game), () => told.value === mine, (found, why) => {
      reviewed.value = { ...reviewed.value, [game]: { found, why } };
    });
  }
}

/** How well the choices of a game were made. @param {string} game */
function Judged(game) {
  const { found, why } = reviewed.value[game] ?? { found: [], why: null };
  if (!found.length) return why ? html`<p>${Silent(why)}</p>` : nothing;
  return html`<div class="accuracy">${Accuracy(found.flatMap(({ choices }) => choices),
    found.length)}</div>`;
}

/** @param {number} part @param {number} whole */
const percent = (part, whole) => words.value.percent((100 * part / whole).toFixed(2));
/** An amount within a sentence: no line breaks after its sign. @param {number} cents */
const amount = (cents) => words.value.signed(cents).replace('−', '−\u2060');
/** @param {string} key @param {unknown} value */
const Told = (key, value) => html`<div><dt>${t(key)}</dt><dd>${value}</dd></div>`;

export function View() {
  const all = told.value;
  if (!all) return html`<main class="page" aria-busy="true"></main>`;
  if (!all.rounds) {
    return html`<main class="page statistics"><p class="message">${t('statistics.none')}</p>
      <p class="row"><a class="act primary" href="/">${t('statistics.play')}</a></p></main>`;
  }
  return html`<main class="page statistics">
    ${Review()}
    <section><h2>${t('statistics.all')}</h2>${Totals(all)}
      ${all.left_out ? html`<p class="dim">${t('statistics.left-out', { count: all.left_out })}</p>`
        : nothing}</section>
    <section><h2>${t('statistics.curve')}</h2>${Curve(all)}</section>
    <section class="by-game"><h2>${t('statistics.by-game')}</h2>${all.games.map(Game)}
      <p class="dim">${t('session.how-sums')}</p>
      <p class="dim">${t('statistics.base')}</p><p
        class="dim">${t('statistics.band-note')}</p></section>
    <section><h2>${t('statistics.hands')}</h2><ul
      class="best-hands">${all.best_hands.map(Hand)}</ul>
      <p class="dim">${t('statistics.hands-of', { count: all.hands_of })}</p></section></main>`;
}

/** @param {Statistics} all */
const Totals = ({ rounds, won, lost, staked_cents: staked, returned_cents: returned,
  biggest_win: win, ...all }) => html`
  <dl class="figures">${Told('statistics.rounds', rounds)}${Told('statistics.won', won)}${
    Told('statistics.lost', lost)}
    ${Figure('history.staked', staked)}${Figure('statistics.returned', returned)}
    ${Told('shell.net', words.value.signed(returned - staked))}${Told('shell.return',
      percent(returned, staked))}
    ${Told('statistics.longest-won', all.longest_won)}${Told('statistics.longest-lost',
      all.longest_lost)}
    ${win ? Told('statistics.biggest',
      html`<a href="/r/${win.round_id}">${words.value.signed(win.net_cents)}</a>`) : nothing}</dl>`;

/** The net result after every so many rounds, drawn and in a table. @param {Statistics} all */
function Curve({ curve, rounds }) {
  const nets = [0, ...curve.map(({ net_cents: net }) => net)];
  const [high, low] = [Math.max(...nets), Math.min(...nets)], tall = high - low || 1;
  /** @param {number} net */
  const y = (net) => (100 * (high - net) / tall).toFixed(2);
  const line = ['0', ...curve.map((point) => (400 * point.rounds / rounds).toFixed(1))].map((x,
    at) => `${x},${y(nets[at])}`);
  const [top, bottom, last] = [high, low, nets[nets.length - 1]].map((cents) =>
    words.value.signed(cents));
  return html`<div class="curve"><p class="ends" aria-hidden="true"><span>${top}</span><span>${
    bottom}</span></p>
    <svg viewBox="0 -2 400 104" preserveAspectRatio="none" role="img"
      aria-label=${t('statistics.curve-told', { rounds, last, top, bottom })}>
      <line class="zero" x1="0" x2="400" y1=${y(0)} y2=${y(0)}></line>
      <polyline class="net" points=${line.join(' ')}></polyline></svg>
    <p class="ends" aria-hidden="true"><span>0</span><span>${t('statistics.after',
      { rounds })}</span></p></div>
    <details><summary>${t('statistics.as-table')}</summary>
      <div class="scroll tall" tabindex="0" role="region" aria-label=${t('statistics.curve')}><table
        class="plain">
      <thead>${Heads('statistics.rounds', 'shell.net')}</thead>
      <tbody>${curve.map((point) =>
        html`<tr><td>${point.rounds}</td><td>${
        words.value.signed(point.net_cents)}</td></tr>`)}</tbody>
    </table></div></details>`;
}

/** @param {import('../protocol.js').GameCount} count */
const Game = ({ game, bets }) => html`<article>
  <h3>${t('title', {}, game)}</h3><a class="act" href="/drill/${game}">${t('page.practise')}</a>
  ${Judged(game)}
  <div class="scroll" tabindex="0" role="region" aria-label=${t('title', {}, game)}><table
    class="plain">
    <thead>${Heads('limits.bet', 'shell.return', 'statistics.proved', 'history.staked',
      'statistics.returned', 'statistics.rounds')}</thead>
    <tbody>${bets.map((bet) => html`<tr><th scope="row">${betName(bet.bet, game)}</th>
      <td>${percent(bet.returned_cents, bet.staked_cents)}</td>
      <td>${bet.band ? percent(Number(bet.band.return), 1) : '–'}</td>
      <td>${words.value.money(bet.staked_cents)}</td><td>${
        words.value.money(bet.returned_cents)}</td>
      <td>${bet.rounds}</td></tr>`)}</tbody></table></div>
  ${bets.map((bet) =>
    (bet.band ? Expected(bet, bet.band,
    game) : html`<p class="dim">${t('statistics.no-band', { bet: betName(bet.bet, game) })}</p>`))}
</article>`;

/** The position of the net result in its band. @param {BetCount} bet @param {Band} band
 * @param {string} game */
function Expected(bet, { low_cents: low, high_cents: high, mean_cents: mean, strategy }, game) {
  const net = bet.returned_cents - bet.staked_cents;
  const [from, to] = [Math.min(low, net), Math.max(high, net)], wide = to - from || 1;
  /** @param {number} cents */
  const x = (cents) => (2 + 396 * (cents - from) / wide).toFixed(1);
  const place = net < low ? 'below' : net > high ? 'above' : 'within';
  const said = { net: amount(net), low: amount(low), high: amount(high), mean: amount(mean),
    bet: betName(bet.bet, game) };
  return html`<figure class="band ${place}">
    <svg viewBox="0 0 400 20" preserveAspectRatio="none" aria-hidden="true">
      <rect x=${x(low)} y="5" width=${(396 * (high - low) / wide).toFixed(1)} height="10"></rect>
      <line class="mean" x1=${x(mean)} x2=${x(mean)} y1="2" y2="18"></line>
      <line class="mine" x1=${x(net)} x2=${x(net)} y1="0" y2="20"></line></svg>
    <figcaption>${t(`statistics.band-${place}`, said)}
      ${strategy === 'none'
        ? nothing
        : html`<small>${t('statistics.assumes', { strategy })}</small>`}</figcaption></figure>`;
}

/** @param {import('../protocol.js').BestHand} best */
const Hand = ({ game, round_id: round, hand }) => html`<li><h3>${t('title', {}, game)}</h3>
  <p class="told">${words.value.hand(hand, game)}</p>
  <ul class="hand">${hand.cards.map((card) =>
    html`<li class="card"><span class="vh">${words.value.card(card)}</span>
    ${Face(card, indices.value)}</li>`)}</ul>
  <a href="/r/${round}">${t('history.replay')}
    <span class="vh">${t('title', {}, game)}</span></a></li>`;
