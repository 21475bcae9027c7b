/** How Three Card Poker lies on the felt. */

/** @type {import('../../js/views/felt.js').Layout} */
export default {
  rows: [[{ id: 'house', cards: 3 }], [{ id: 'player', cards: 3 }]],
  bets: ['pair-plus', 'ante', 'play'],
  own: ['player'],
  rivals: { player: 'house' },
  loses: { fold: ['ante', 'pair-plus'] },
};
