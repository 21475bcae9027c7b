/** Ranks a hand the slow and obvious way: tries every five of the cards and keeps the
 * best. The house
 * uses precomputed tables; the two share only the rules. A higher `value` is
 * stronger.
 * @typedef {{value: number, category: string, ranks?: string, total?: number}} Hand */
export const RANKS = '23456789TJQKA';
export const ACE = 12;
const WHEEL_SECOND = 11.5; // A-2-3-4-5 at Pai Gow: between ace high and king high
const CATEGORIES = ['high-card', 'pair', 'two-pair', 'three-of-a-kind', 'straight', 'flush',
  'full-house', 'four-of-a-kind',
  'straight-flush', 'royal-flush', 'five-aces'];
const BY_SHAPE = new Map([['5', 'five-aces'], ['41', 'four-of-a-kind'], ['32', 'full-house'],
  ['311', 'three-of-a-kind'],
  ['221', 'two-pair'], ['2111', 'pair'], ['11111', 'high-card']]);

/** From 0 for a two; a joker is an ace. @param {string} card */
export const rankOf = (card) => (card === 'Jk' ? ACE : RANKS.indexOf(card[0]));
/** Highest first. @param {string[]} cards */
export const ranksOf = (cards) => cards.map(rankOf).sort((a, b) => b - a);
/** By suit. @param {string[]} cards */
export const suitsOf = (cards) =>
  [...'cdhs'].map((suit) => cards.filter((card) => card[1] === suit));
/** @param {string[]} cards @param {string[]} taken */
export const without = (cards, taken) => cards.filter((card) => !taken.includes(card));
/** @param {string} category @param {string} least */
export const reaches = (category, least) =>
  CATEGORIES.indexOf(category) >= CATEGORIES.indexOf(least);
/** A straight or a flush of any kind. @param {Hand} hand */
export const isComplete = ({ category }) => /straight|flush/.test(category);
/** The first of the largest. @template T @param {T[]} all @param {(each: T) => number} worth */
export const largest = (all, worth) => all.reduce((top, each) => (worth(each) > worth(top)
  ? each : top));
/** @param {Hand[]} hands */ const strongest = (hands) => largest(hands, ({ value }) => value);
/** Every way to take some cards. @param {string[]} cards @param {number} count
 * @returns {string[][]} */
export const choose = (cards, count) => (count === 0 ? [[]]
  : cards.flatMap((card, at) => choose(cards.slice(at + 1), count - 1)
    .map((rest) => [card, ...rest])));

/** One number that compares as a row of up to eight small ones does. @param {number[]} row */
export const inOrder = (...row) => [0, 1, 2, 3, 4, 5, 6, 7].reduce((value, at) => 16 * value
  + (row[at] ?? -1) + 1, 0);

/** Five cards without a joker. @param {string[]} cards @param {number} [wheel] what A-2-3-4-5
 * counts as @returns {Hand} */
function five(cards, wheel = 3) {
  const all = ranksOf(cards);
  const count = (/** @type {number} */ rank) => all.filter((each) => each === rank).length;
  const groups = [...new Set(all)].sort((a, b) => count(b) - count(a) || b - a);
  const [shape, ranks] = [groups.map(count).join(''), groups.map((rank) => RANKS[rank]).join('')];
  const isWheel = ranks === 'A5432';
  const isStraight = isWheel || (groups.length === 5 && groups[0] - groups[4] === 4);
  const isFlush = groups.length === 5 && cards.every((card) => card[1] === cards[0][1]);
  const complete = [isStraight ? 'straight' : '', isFlush ? 'flush' : ''].filter(Boolean).join('-');
  const keys = isStraight ? [isWheel ? wheel : groups[0]] : groups;
  const category = isFlush && ranks === 'AKQJT' ? 'royal-flush' : complete
    || (BY_SHAPE.get(shape) ?? '');
  return { value: inOrder(CATEGORIES.indexOf(category), ...keys), category, ranks: isWheel
    ? '5' : ranks };
}

/** The best five of some cards. @param {string[]} cards */
export const best = (cards) => strongest(choose(cards, 5).map((each) => five(each)));

/** Five cards of Pai Gow: the joker completes a straight or a flush, or it is an ace of no suit.
 * @param {string[]} cards */
export function high(cards) {
  if (!cards.includes('Jk')) return five(cards, WHEEL_SECOND);
  const others = without(cards, ['Jk']);
  const suit = others[0][1]; // a flush needs the suit of all four; where they differ, any will do
  const completed = without([...RANKS].map((rank) => rank + suit), others)
    .map((card) => five([...others, card], WHEEL_SECOND));
  return strongest([five([...others, 'A*'], WHEEL_SECOND), ...completed.filter(isComplete)]);
}

/** Two cards: a pair, or their ranks. @param {string[]} cards @returns {Hand} */
export function low(cards) {
  const [top, other] = ranksOf(cards);
  const category = top === other ? 'pair' : 'high-card';
  return { value: inOrder(CATEGORIES.indexOf(category), top, other), category,
    ranks: RANKS[top] + RANKS[other] };
}

/** The longest run of neighbours, the ace at either end; a joker fills a hole.
 * @param {number[]} ranks @param {number} [jokers] */
export function longestRun(ranks, jokers = 0) {
  const held = ranks.includes(ACE) ? [...ranks, -1] : ranks; // -1: the ace below the two
  const runs = (/** @type {number} */ length) => [...RANKS].some((_, at) =>
    held.filter((rank) => rank >= at - 1 && rank < at - 1 + length).length + jokers >= length);
  return Math.max(...[1, 2, 3, 4, 5, 6, 7].filter(runs));
}
