/** The standard order of poker hands, best first; cards after the bar are no part of the hand. */

/** @type {import('../views/rankings.js').Example[]} */
export default [
  { is: 'royal-flush', cards: 'As Ks Qs Js Ts' },
  { is: 'straight-flush', cards: '9h 8h 7h 6h 5h' },
  { is: 'four-of-a-kind', cards: 'Qs Qh Qd Qc | 4h' },
  { is: 'full-house', cards: 'Th Td Tc 6s 6c' },
  { is: 'flush', cards: 'Kd Jd 9d 6d 3d' },
  { is: 'straight', cards: 'Ts 9h 8d 7c 6s' },
  { is: 'straight', as: 'wheel', cards: '5d 4s 3h 2c As' },
  { is: 'three-of-a-kind', cards: '8s 8h 8c | Kd 2c' },
  { is: 'two-pair', cards: 'Jh Jc 4s 4d | 9h' },
  { is: 'pair', cards: '7h 7c | As Td 5s' },
  { is: 'high-card', cards: 'As | Jd 8c 6h 3s' },
];
