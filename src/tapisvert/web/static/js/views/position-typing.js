/** Cards that are typed: a rank, then a suit. Either has the keys of the reader's language. */

/** Keys of ranks. J and K also stand on the cards of a French reader who wants K Q J; a T that
 * follows a rank is a suit in French, so there it begins no card.
 * @type {Record<string, Record<string, string>>} */
const RANKS = {
  fr: keyed('023456789RDVKQJA', 'T23456789KQJKQJA'),
  en: keyed('023456789TJQKA', 'T23456789TJQKA'),
};
const SUITS = 'shdc', TEN = '1', JOKER = 'Jk';
/** The joker after its J: K is a suit in French. @type {Record<string, string>} */
const JOKER_ENDS = { fr: 'O', en: 'KO' };

/** @param {string} keys @param {string} ranks @returns {Record<string, string>} */
function keyed(keys, ranks) {
  return Object.fromEntries([...keys].map((key, at) => [key, ranks[at]]));
}

/**
 * What a key makes of what was typed before: a card, a beginning, or nothing.
 * @param {string} begun a rank, or the 1 of a ten @param {string} key a character in upper case
 * @param {{language: string, suits: string, joker: boolean}} how  the suits in the order of SUITS
 * @returns {{card?: string, begun?: string, unknown?: boolean}}
 */
export function typed(begun, key, { language, suits, joker }) {
  const ranks = RANKS[language] ?? RANKS.en, suit = SUITS[suits.indexOf(key)];
  if (begun === TEN) return key === '0' ? { begun: RANKS.fr[key] } : { unknown: true };
  if (joker && begun === JOKER[0] && (JOKER_ENDS[language] ?? JOKER_ENDS.en).includes(key))
    return { card: JOKER };
  if (begun) return suit ? { card: begun + suit } : { unknown: true };
  if (key === TEN) return { begun: TEN };
  return key in ranks ? { begun: ranks[key] } : { unknown: true };
}
