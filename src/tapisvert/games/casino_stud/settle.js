import { best, inOrder, rankOf, ranksOf } from '../../settle/ranking.js';
/** Casino Stud: five cards each, one decision.
 * @param {import('../../settle/table.js').Table} table */
function casinoStud(table) {
  const { sheet } = table;
  const [player, house] = [table.take('player', 5), table.take('house', 5, 1)];
  const mine = (table.names.player = best(player));
  const choice = table.ask('play-or-fold', [
    { id: 'play', legal: true, bet: 'play', cents: sheet.play.times_ante * table.stake('ante') },
    { id: 'fold', legal: mine.category !== 'royal-flush' },
  ], 'ante');
  if (choice === 'fold') table.lose('ante');
  else {
    const theirs = (table.names.house = best(table.show('house')));
    const needs = sheet.house.qualifies_with.map(rankOf);
    const qualifies = theirs.category !== 'high-card'
      || inOrder(...ranksOf(house).slice(0, needs.length)) >= inOrder(...needs);
    if (!qualifies || mine.value > theirs.value) table.pay('ante', sheet.ante.pays);
    if (!qualifies) table.push('play');
    else if (mine.value > theirs.value) table.pay('play', sheet.play.pays[mine.category]);
    else if (mine.value === theirs.value) table.push('ante', 'play');
    else table.lose('ante', 'play');
  }
  // The player's five and the house's up card, after a fold too.
  const six = (table.names.bonus = best([...player, house[0]]));
  table.pay('bonus', sheet.bonus.pays[six.category]);
}

/** @type {import('../../settle/table.js').Settlement} */
export default {
  editions: [1],
  spots: { ante: [], bonus: ['ante'] },
  play: casinoStud,
};
