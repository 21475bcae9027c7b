import { best, reaches } from '../../settle/ranking.js';
/** Ultimate Texas Hold'em: two cards each, five common, one raise.
 * @param {import('../../settle/table.js').Table} table */
function ultimate(table) {
  const { sheet } = table;
  const [player, house] = [table.take('player', 2), table.take('house', 2, 0)];
  /** @param {string} step @param {string} other beside the raises: listed first, but the fold
   * last */
  const ask = (step, other) => {
    const raises = sheet.play[step.replace('-', '_')].map((/** @type {number} */ times) => ({
      id: `raise-${times}`, legal: true, bet: 'play', cents: times * table.stake('ante') }));
    return table.ask(step, other === 'check' ? [{ id: other, legal: true }, ...raises] : [...raises,
      { id: other, legal: true }], 'ante');
  };
  let choice = ask('before-flop', 'check');
  table.take('board', 3);
  if (choice === 'check') choice = ask('after-flop', 'check');
  const board = table.take('board', 2);
  if (choice === 'check') choice = ask('after-river', 'fold');
  const mine = (table.names.player = best([...player, ...board]));
  table.pay('trips', sheet.trips.pays[mine.category]); // after a fold too
  if (choice === 'fold') return table.lose('ante', 'blind');
  const theirs = (table.names.house = best([...house, ...board]));
  table.show('house');
  if (mine.value > theirs.value) {
    table.pay('ante', sheet.ante.pays);
    table.pay('play', sheet.play.pays);
    // Below the table it is given back.
    table.pay('blind', sheet.blind.pays[mine.category] ?? '0:1');
  } else if (mine.value === theirs.value) table.push('ante', 'blind', 'play');
  else table.lose('ante', 'blind', 'play');
  if (!reaches(theirs.category, sheet.house.opens_with)) table.push('ante'); // whoever wins
}

/** @type {import('../../settle/table.js').Settlement} */
export default {
  editions: [1],
  spots: { ante: [], blind: ['ante'], trips: ['ante'] },
  equals: { blind: 'ante' },
  play: ultimate,
};
