/** The hands of a table as cards, and the letters of the cards. Fetched with help. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { Face } from '../cards.js';
import { fetched } from '../net.js';
import { indices, words } from '../store.js';
import { t } from './parts.js';

/** @typedef {{is: string, cards: string, as?: string}} Example  `as`: told by words of its own */
/** @typedef {{id: string, hands: Example[]}[]} Ranking */

const loaded = signal(/** @type {Record<string, Ranking>} */ ({}));
const asked = new Set();

/** The examples of a table; none while they come. @param {string} game */
function rankingOf(game) {
  if (!asked.has(game)) {
    asked.add(game);
    fetched(() => import(`../../games/${game}/rankings.js`)).then((module) => {
      loaded.value = { ...loaded.value, [game]: module.default };
    });
  }
  return loaded.value[game] ?? [];
}

/** @param {string} kind @returns {(card: string) => unknown} */
const Card = (kind) => (card) => html`<li class="card ${kind}">
  <span class="vh">${words.value.card(card)}</span>${Face(card, indices.value)}</li>`;

/** What a hand is called at this table. @param {string} is @param {string} game */
const nameOf = (is, game) => (words.value.find(`row.${is}`, game) ? t(`row.${is}`, {}, game)
  : t(`ranking.name.${is}`, {}, game));

/** Cards after the bar are no part of the hand. @param {Example} example @param {string} game */
function Hand({ is, cards, as = is }, game) {
  const [made, others = []] = cards.split(' | ').map((part) => part.split(' '));
  return html`<li><p><b>${nameOf(is, game)}</b> <span>${t(`ranking.${as}`, {}, game)}</span></p>
    <ul class="hand">${made.map(Card(''))}${others.map(Card('aside'))}</ul></li>`;
}

/** @param {string} key @param {string} game */
const Introduction = (key, game) => (words.value.find(`ranking.about.${key}`, game)
  ? html`<p>${t(`ranking.about.${key}`, {}, game)}</p>` : nothing);

/** @param {string} game */
export const Rankings = (game) => rankingOf(game).map(({ id, hands }) => html`
  <h4>${t(`ranking.title.${id}`, {}, game)}</h4>${Introduction(id, game)}
  <ol class="ranking">${hands.map((hand) => Hand(hand, game))}</ol>`);

/** The indices of the cards, in the letters the player has chosen. */
export const Letters = () => html`<h4>${t('ranking.letters')}</h4>
  <ul class="letters">${[...'AKQJ'].map((rank) => html`<li>
    <span class="card">${Face(`${rank}s`, indices.value)}</span>
    <span><b>${indices.value[rank] ?? rank}</b> = ${t(`rank.${rank}`)}</span></li>`)}</ul>
  <p class="dim">${t('ranking.letters-set')}</p>`;
