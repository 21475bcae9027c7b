/** How Casino Stud lies on the felt: zones from top to bottom, bets from left to right. */

/** @type {import('../views/parts.js').Layout} */
export default {
  zones: [{ id: 'house', cards: 5 }, { id: 'player', cards: 5 }],
  bets: ['bonus', 'ante', 'play'],
  own: 'player',
};
