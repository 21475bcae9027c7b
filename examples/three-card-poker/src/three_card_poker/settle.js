import { RANKS, inOrder, rankOf, ranksOf } from '../../settle/ranking.js';

const ORDER = ['high-card', 'pair', 'flush', 'straight', 'three-of-a-kind', 'straight-flush'];

/**
 * What three cards are worth: three.16.
 * @param {string[]} cards
 * @returns {import('../../settle/ranking.js').Hand}
 */
function handOf(cards) {
  const all = ranksOf(cards);
  const count = (/** @type {number} */ rank) => all.filter((each) => each === rank).length;
  const groups = [...new Set(all)].sort((a, b) => count(b) - count(a) || b - a);
  const ranks = groups.map((rank) => RANKS[rank]).join('');
  const isWheel = ranks === 'A32';
  const isStraight = isWheel || (groups.length === 3 && groups[0] - groups[2] === 2);
  const isFlush = groups.length === 3 && cards.every((card) => card[1] === cards[0][1]);
  const complete = [isStraight ? 'straight' : '', isFlush ? 'flush' : ''].filter(Boolean).join('-');
  const category = complete || ['three-of-a-kind', 'pair', 'high-card'][groups.length - 1];
  const keys = isStraight ? [isWheel ? 1 : groups[0]] : groups;
  const told = keys.map((rank) => RANKS[rank]).join('');
  return { value: inOrder(ORDER.indexOf(category), ...keys), category, ranks: told };
}

/** Add two prices, such as "1:1" and "3:2". @param {string} one @param {string} [other] */
function sum(one, other = '0:1') {
  const [[gain, per], [more, each]] = [one, other].map((odds) => odds.split(':').map(BigInt));
  return `${gain * each + more * per}:${per * each}`;
}

/**
 * Whether the house qualifies: three.7.
 * @param {{category: string}} hand
 * @param {string[]} cards
 * @param {string[]} least
 */
function qualifies({ category }, cards, least) {
  const needs = least.map(rankOf);
  const highest = ranksOf(cards).slice(0, needs.length);
  return category !== 'high-card' || inOrder(...highest) >= inOrder(...needs);
}

/**
 * Three Card Poker: three cards each, one decision.
 * @param {import('../../settle/table.js').Table} table
 */
function threeCardPoker(table) {
  const { sheet } = table;
  const [player, house] = [table.take('player', 3), table.take('house', 3, 0)];
  const mine = (table.names.player = handOf(player));
  const choice = table.ask('play-or-fold', [
    { id: 'play', legal: true, bet: 'play', cents: sheet.play.times_ante * table.stake('ante') },
    { id: 'fold', legal: true },
  ], 'ante');
  if (choice === 'fold') return table.lose('ante', 'pair-plus'); // a fold forfeits both
  const theirs = (table.names.house = handOf(table.show('house')));
  const bonus = sheet['ante-bonus'].pays[mine.category]; // on the ante, whoever wins
  const qualified = qualifies(theirs, house, sheet.house.qualifies_with);
  if (!qualified || mine.value > theirs.value) table.pay('ante', sum(sheet.ante.pays, bonus));
  else if (mine.value === theirs.value) table.pay('ante', bonus ?? '0:1');
  else if (bonus) { // the stake is lost: the bonus alone comes back
    const [gain, per] = bonus.split(':').map(BigInt);
    table.settle('ante', Number((BigInt(table.stake('ante')) * gain) / per));
  } else table.lose('ante');
  if (!qualified || mine.value === theirs.value) table.push('play');
  else if (mine.value > theirs.value) table.pay('play', sheet.play.pays);
  else table.lose('play');
  table.names['pair-plus'] = mine;
  return table.pay('pair-plus', sheet['pair-plus'].pays[mine.category]);
}

/** @type {import('../../settle/table.js').Settlement} */
export default {
  editions: [1],
  spots: { ante: [], 'pair-plus': ['ante'] },
  play: threeCardPoker,
};
