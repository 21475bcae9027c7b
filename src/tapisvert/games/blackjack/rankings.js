/** Blackjack Royal Poker: what cards and hands are worth, and its poker hands, best first. */
import standard from '../../js/rankings/standard.js';

/** @type {import('../../js/views/rankings.js').Ranking} */
export default [
  {
    id: 'values',
    hands: [
      { is: 'ace', cards: 'As' },
      { is: 'ten', cards: 'Kd Qs Jh Tc' },
      { is: 'number', cards: '9h 5c 2s' },
    ],
  },
  {
    id: 'totals',
    hands: [
      { is: 'blackjack', cards: 'As Kd' },
      { is: 'soft', cards: '8h As' },
      { is: 'hard', cards: 'Kd 6c As' },
      { is: 'bust', cards: 'Th 8d 5c' },
    ],
  },
  { id: 'royal-poker', hands: standard },
];
