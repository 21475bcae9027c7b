/** How Ultimate Texas Hold'em lies on the felt: the common cards beside the dealer's. */

/** @type {import('../../js/views/felt.js').Layout} */
export default {
  rows: [[{ id: 'house', cards: 2 }, { id: 'board', cards: 5 }], [{ id: 'player', cards: 2 }]],
  bets: ['trips', 'ante', 'blind', 'play'],
  own: ['player'],
  rivals: { player: 'house' },
  loses: { fold: ['ante', 'blind'] },
  mark: ['house', 'player'],
  steps: ['before-flop', 'after-flop', 'after-river'],
};
