/** How High Card Flush lies on the felt: the cards by suit, the best flush first. */

const RANKS = '23456789TJQKA';

/** @typedef {import('../../js/scene.js').Place} Place */

/** How far to the right a card lies: short and low flushes last. @param {string[]} cards */
function order(cards) {
  const rank = (/** @type {string} */ card) => RANKS.indexOf(card[0]) + 10;
  const suits = [...'cdhs'].map((suit) => cards.filter((card) => card[1] === suit)
    .sort((a, b) => rank(b) - rank(a)));
  const worth = (/** @type {string[]} */ suit) => `${suit.length}${suit.map(rank).join('')}`;
  return suits.sort((a, b) => (worth(a) < worth(b) ? 1 : -1)).flat();
}

/** @param {Place[]} places */
function sort(places) {
  const cards = places.flatMap(({ card }) => card ?? []);
  if (cards.length < places.length) return places; // face down
  const sorted = order(cards);
  return places.toSorted((a, b) => sorted.indexOf(a.card ?? '') - sorted.indexOf(b.card ?? ''));
}

/** @type {import('../../js/views/felt.js').Layout} */
export default {
  rows: [[{ id: 'house', cards: 7 }], [{ id: 'player', cards: 7 }]],
  bets: ['straight-flush', 'flush', 'ante', 'raise'],
  own: ['player'],
  loses: { fold: ['ante'] },
  sort,
  lift: true,
};
