import { ACE, best, rankOf } from '../../settle/ranking.js';
import { refuse } from '../../settle/table.js';
/** @typedef {import('../../settle/table.js').Table} Table */

/** Ace 1, courts 10. @param {string} card */
const valueOf = (card) => (rankOf(card) === ACE ? 1 : Math.min(rankOf(card) + 2, 10));

/** The best total, and what it is called; half of a split hand is never a blackjack.
 * @param {string[]} cards @param {boolean} [split]
 * @param {boolean} [hard21] a split ace with a ten is called a hard 21 */
function points(cards, split = false, hard21 = false) {
  const least = cards.reduce((sum, card) => sum + valueOf(card), 0);
  const soft = least <= 11 && cards.some((card) => valueOf(card) === 1); // an ace counts 11
  const total = soft ? least + 10 : least;
  const natural = total === 21 && cards.length === 2 && !split;
  return { value: total, total, category: natural ? 'blackjack' : total > 21
    ? 'bust' : soft && !(hard21 && total === 21) ? 'soft' : 'hard' };
}
/** @param {string[]} cards */
const isBlackjack = (cards) => points(cards).category === 'blackjack';

/** Settled at the deal, on the first two of each hand and the up card. @param {Table} table */
function royalPoker(table) {
  if (!table.staked.has('royal')) return;
  const { shares, prizes_cents } = table.sheet.royal;
  const { category } =
    (table.names.royal = best([...table.zones['hand-1'], ...table.zones['hand-2'],
    table.zones.house[0]]));
  // The pot cannot be known here: the bank's word.
  const cents = shares[category] ? table.answers.shift() : prizes_cents[category] ?? 0;
  if (!Number.isSafeInteger(cents) || cents < 0) refuse('answers', cents);
  table.settle('royal', cents);
}

/** The up card is an ace: say whether a hand goes on. @param {Table} table @param {string} n */
function insure(table, n) {
  const hand = `hand-${n}`;
  const [key, taken] = isBlackjack(table.zones[hand])
    ? ['even-money', { id: 'even-money', legal: true }]
    : ['insurance', { id: 'insure', legal: true, bet: `insurance-${n}`,
      cents: table.stake(hand) / 2 }];
  const ends = table.ask(key, [taken, { id: 'decline', legal: true }], hand, hand) === 'even-money';
  if (ends) table.pay(hand, table.sheet.hand.even_money_pays);
  return !ends;
}

/** Play a hand, or half of a split one; return what still stands. @param {Table} table
 * @param {string} n @param {string} zone
 * @param {boolean} split @returns {{zone: string, bets: string[]}[]} */
function play(table, n, zone, split) {
  const [stake, bets, after] = [`hand-${n}`, [zone], table.sheet.hand.double_after_split];
  const extra = zone === stake ? `double-${n}` : `double-${n}b`;
  const aces = split && rankOf(table.zones[zone][0]) === ACE;
  for (let last = aces; ; table.take(zone, 1)) {
    const cards = table.zones[zone];
    const { total, category } =
      (table.names[zone] = points(cards, split, aces && table.edition > 1));
    if (category === 'bust') return table.lose(...bets), [];
    if (last || (total === 21 && category === 'hard')) return [{ zone, bets }];
    const first = cards.length === 2;
    const doubles = split && after !== '10-11' ? after === 'any' : total === 10 || total === 11;
    const splits = !split && valueOf(cards[0]) === valueOf(cards[1]);
    const choice = table.ask('play', [{ id: 'hit', legal: true }, { id: 'stand', legal: true },
      { id: 'double', legal: first && doubles, bet: extra, cents: table.stake(stake) },
      { id: 'split', legal: first && splits, bet: `split-${n}`, cents: table.stake(stake) }],
        stake, zone);
    if (choice === 'stand') return [{ zone, bets }];
    if (choice === 'split') [table.zones[zone], table.zones[`split-${n}`]] =
      [[cards[0]], [cards[1]]];
    if (choice === 'split') return [zone, `split-${n}`].flatMap((half) => (table.take(half, 1),
      play(table, n, half, true)));
    if ((last = choice === 'double')) bets.push(extra);
  }
}

/** Draw if anything stands, and settle it. @param {Table} table
 * @param {{zone: string, bets: string[]}[]} standing @returns {void} */
function house(table, standing) {
  const { total: drawn, category } = (table.names.house = points(table.show('house')));
  if (standing.length
    && (drawn < 17 || (drawn === 17 && category === 'soft' && table.sheet.house.hits_soft_17)))
    return table.take('house', 1), house(table, standing);
  for (const { zone, bets } of standing) {
    const { total } = points(table.zones[zone]);
    if (drawn > 21 || total > drawn) for (const bet of bets) table.pay(bet, table.sheet.hand.pays);
    else if (total === drawn) table.push(...bets);
    else table.lose(...bets);
  }
}

/** Blackjack Royal Poker: one or two hands, and a bet on the first five cards.
 * @param {Table} table */
function blackjack(table) {
  const { sheet, zones } = table;
  const staked = ['1', '2'].filter((n) => table.staked.has(`hand-${n}`));
  for (const n of staked) table.names[`hand-${n}`] = points(table.take(`hand-${n}`, 2));
  const [up] = table.take('house', 2, 1);
  royalPoker(table);
  const open = valueOf(up) === 1 ? staked.filter((n) => insure(table, n)) : staked;
  if (!open.length) return; // the house does not even look
  const natural = open.filter((n) => isBlackjack(zones[`hand-${n}`]));
  const others = open.filter((n) => !natural.includes(n));
  const beaten = isBlackjack(zones.house); // the house has looked: an ace or a ten-value is up
  for (const n of open) table.pay(`insurance-${n}`, beaten ? sheet.insurance.pays : undefined);
  for (const n of natural) table.pay(`hand-${n}`, beaten ? '0:1' : sheet.hand.blackjack_pays);
  if (beaten) table.lose(...others.map((n) => `hand-${n}`));
  house(table, beaten ? [] : others.flatMap((n) => play(table, n, `hand-${n}`, false)));
}

/** @type {import('../../settle/table.js').Settlement} */
export default {
  editions: [1, 2],
  spots: { 'hand-1': [], 'hand-2': [], royal: ['hand-1', 'hand-2'] },
  play: blackjack,
};
