/** How Casino Stud lies on the felt. */

/** @type {import('../../js/views/felt.js').Layout} */
export default {
  rows: [[{ id: 'house', cards: 5 }], [{ id: 'player', cards: 5 }]],
  bets: ['bonus', 'ante', 'play'],
  own: ['player'],
  rivals: { player: 'house' },
  loses: { fold: ['ante'] },
};
