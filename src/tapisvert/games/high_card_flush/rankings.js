/** The hands of High Card Flush, best first: by length, then by ranks; then runs of one suit. */

/** @type {import('../../js/views/rankings.js').Ranking} */
export default [
  {
    id: 'hands',
    hands: [
      { is: 'flush-7', cards: 'Qh Th 9h 7h 5h 4h 2h' },
      { is: 'flush-6', cards: 'Ks Js 9s 8s 4s 3s | 6d' },
      { is: 'flush-5', cards: 'Jd Td 7d 4d 2d | As Kc' },
      { is: 'flush-4', as: 'ace-first', cards: 'Ac 4c 3c 2c | Qh 9s 8d' },
      { is: 'flush-4', as: 'then-ten', cards: 'Kh Qh Jh Th | 8s 6d 2c' },
      { is: 'flush-4', as: 'then-nine', cards: 'Ks Qs Js 9s | Ad 7h 5c' },
      { is: 'flush-3', cards: 'Qd 8d 5d | Ks 9s Tc 4c' },
      { is: 'flush-2', cards: 'Ah 7h | Ks Js Qd 8d 5c' },
    ],
  },
  {
    id: 'runs',
    hands: [
      { is: 'straight-flush-5', cards: 'Jh Th 9h 8h 7h | Kd 2s' },
      { is: 'straight-flush-3', cards: '3s 2s As | Jd 9h 8c 6d' },
    ],
  },
];
