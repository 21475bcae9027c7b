/** The hands of Three Card Poker, best first; cards after the bar are no part of the hand. */

/** @type {import('../../js/views/rankings.js').Ranking} */
export default [
  {
    id: 'hands',
    hands: [
      { is: 'straight-flush', cards: 'Jh Th 9h' },
      { is: 'three-of-a-kind', cards: '8s 8h 8c' },
      { is: 'straight', cards: '7s 6h 5d' },
      { is: 'straight', as: 'wheel', cards: '3d 2s Ah' },
      { is: 'flush', cards: 'Kd 9d 6d' },
      { is: 'pair', cards: '7h 7c | As' },
      { is: 'high-card', cards: 'Qs | 6d 4h' },
    ],
  },
];
