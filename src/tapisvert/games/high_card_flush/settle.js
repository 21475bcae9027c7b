import { RANKS, inOrder, largest, longestRun, rankOf, ranksOf,
  suitsOf } from '../../settle/ranking.js';
/** The maximal flush: the longest, then by its ranks. @param {string[]} cards */
function flushOf(cards) {
  const top = largest(suitsOf(cards).map(ranksOf), (ranks) => inOrder(ranks.length, ...ranks));
  return { value: inOrder(top.length, ...top), category: `flush-${top.length}`,
    ranks: top.map((rank) => RANKS[rank]).join('') };
}

/** High Card Flush: seven cards each, one decision.
 * @param {import('../../settle/table.js').Table} table */
function highCardFlush(table) {
  const { sheet } = table;
  const [player, most] = [table.take('player', 7), sheet.raise.most_times];
  table.take('house', 7, 0);
  const mine = (table.names.player = flushOf(player));
  const raises = [1, 2, 3].filter((times) => times < 3 || Object.values(most).includes(3))
    .map((times) => ({
    id: `raise-${times}`, legal: times <= most[mine.category], bet: 'raise',
      cents: times * table.stake('ante') }));
  const choice = table.ask('raise-or-fold',
    [...raises, { id: 'fold', legal: mine.ranks !== 'AKQJT98' }], 'ante');
  if (choice === 'fold') table.lose('ante');
  else {
    const theirs = (table.names.house = flushOf(table.show('house')));
    const qualifies = theirs.value >= inOrder(sheet.house.qualifies_length,
      ...sheet.house.qualifies_with.map(rankOf));
    if (!qualifies || mine.value > theirs.value) table.pay('ante', sheet.ante.pays);
    if (!qualifies) table.push('raise');
    else if (mine.value > theirs.value) table.pay('raise', sheet.raise.pays);
    else if (mine.value === theirs.value) table.push('ante', 'raise');
    else table.lose('ante', 'raise');
  }
  const run = Math.max(...suitsOf(player).map((suited) => longestRun(ranksOf(suited))));
  table.pay('flush', sheet.flush.pays[mine.category]);
  table.pay('straight-flush', sheet['straight-flush'].pays[`straight-flush-${run}`]);
}

/** @type {import('../../settle/table.js').Settlement} */
export default {
  editions: [1],
  spots: { ante: [], flush: ['ante'], 'straight-flush': ['ante'] },
  play: highCardFlush,
};
