/** The hands of Fortune Pai Gow Poker, best first, and what the joker does in them. */

/** @type {import('../../js/views/rankings.js').Ranking} */
export default [
  {
    id: 'high',
    hands: [
      { is: 'five-aces', cards: 'As Ah Ad Ac Jk' },
      { is: 'royal-flush', cards: 'As Ks Qs Js Ts' },
      { is: 'straight-flush', cards: '9h 8h 7h 6h 5h' },
      { is: 'four-of-a-kind', cards: 'Qs Qh Qd Qc | 4h' },
      { is: 'full-house', cards: 'Th Td Tc 6s 6c' },
      { is: 'flush', cards: 'Kd Jd 9d 6d 3d' },
      { is: 'straight', as: 'top-straight', cards: 'Ad Ks Qh Jc Td' },
      { is: 'straight', as: 'wheel', cards: '5d 4s 3h 2c As' },
      { is: 'straight', as: 'next-straight', cards: 'Kc Qd Js Th 9c' },
      { is: 'three-of-a-kind', cards: '8s 8h 8c | Kd 2c' },
      { is: 'two-pair', cards: 'Jh Jc 4s 4d | 9h' },
      { is: 'pair', cards: '7h 7c | As Td 5s' },
      { is: 'high-card', cards: 'As | Jd 8c 6h 3s' },
    ],
  },
  {
    id: 'low',
    hands: [
      { is: 'pair', as: 'low-pair', cards: '2h 2d' },
      { is: 'high-card', as: 'low-high-card', cards: 'As Kd' },
    ],
  },
  {
    id: 'joker',
    hands: [
      { is: 'straight', as: 'joker-straight', cards: '9s 8h Jk 6c 5d' },
      { is: 'flush', as: 'joker-flush', cards: 'Jk Kh 9h 6h 3h' },
      { is: 'pair', as: 'joker-ace', cards: 'Jk Ad | Ts 7h 4c' },
      { is: 'high-card', as: 'joker-low', cards: 'Jk 9d' },
    ],
  },
  {
    id: 'seven-cards',
    hands: [
      { is: 'straight-flush-7', cards: 'Th 9h 8h 7h 6h 5h 4h' },
      { is: 'royal-flush-king-queen', cards: 'As Ks Qs Js Ts Kd Qd' },
      { is: 'straight-flush-7-joker', cards: 'Tc 9c 8c Jk 6c 5c 4c' },
    ],
  },
];
