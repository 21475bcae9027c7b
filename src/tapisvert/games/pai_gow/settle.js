import { ACE, RANKS, choose, high, isComplete, largest, longestRun, low, ranksOf, reaches, suitsOf,
  without } from '../../settle/ranking.js';

/** @typedef {{low: string[], high: string[], lowHand: import('../../settle/ranking.js').Hand,
 * highHand: import('../../settle/ranking.js').Hand}} Setting */
const [KING, QUEEN, TWO] = [11, 10, 0];
// A sheet written before these were figures was played by these.
const FIRST_WAY = { fours_stay_to: '6', fours_stay_with_ace_to: 'T', two_pairs_stay_to: '6',
  two_pairs_split_from: 'J',
  two_pairs_split_with: '6', pair_stays_from: 'T' };
// What a hand is as well: the row that pays most counts, and that is for the sheet to say.
const AS_WELL = new Map([['royal-flush', ['straight-flush', 'flush', 'straight']],
  ['straight-flush', ['flush', 'straight']],
  ['four-of-a-kind', ['three-of-a-kind']], ['full-house', ['three-of-a-kind']]]);

/** All 21 ways to set seven cards. @param {string[]} cards @returns {Setting[]} */
const settingsOf = (cards) => choose(cards, 2).map((two) => {
  const rest = without(cards, two);
  return { low: two, high: rest, lowHand: low(two), highHand: high(rest) };
});

/** The high hand must not be the weaker; from two pair up it never is. @param {Setting} setting */
function isLegal({ lowHand, highHand: { category, ranks = '' } }) {
  const two = category === 'pair' ? ranks[0] + ranks[0] : ranks.slice(0, 2);
  return reaches(category, 'two-pair') || low([...two]).value >= lowHand.value;
}

/** The ranks of the house's low hand, by the first rule that fits. @param {string[]} cards
 * @param {Setting[]} settings
 * @param {Record<string, string>} way the ranks that rules turn on @returns {number[]} */
function lowRanks(cards, settings, way) {
  const ranks = ranksOf(cards);
  const [fives, fours, threes, pairs, singles] = [5, 4, 3, 2, 1].map((count) =>
    [...new Set(ranks)].filter((rank) => ranks.filter((each) => each === rank).length === count));
  const twice = (/** @type {number} */ rank) => [rank, rank];
  const figure = (/** @type {string} */ name) => RANKS.indexOf(way[name]);
  const [others, straights] = [singles.slice(0, 2),
    settings.filter(({ highHand }) => isComplete(highHand))];
  if (fives.length) return twice(pairs[0] === KING ? KING : ACE); // 1
  if (fours.length && singles.length < 3) return twice(threes[0] ?? pairs[0]); // 2
  const most = figure(singles[0] === ACE ? 'fours_stay_with_ace_to' : 'fours_stay_to');
  if (fours.length) return fours[0] <= Math.max(most, figure('fours_stay_to'))
    ? others : twice(fours[0]); // 3
  if (threes.length === 2) return twice(threes[0]); // 4
  if (threes.length && pairs[0] === TWO && singles[0] === ACE && singles[1] === KING)
    return others; // 5
  if ((threes.length && pairs.length) || pairs.length === 3) return twice(pairs[0]); // 4, 5, 6
  if (threes.length && straights.some(({ lowHand }) => lowHand.category === 'pair'))
    return twice(threes[0]); // 7
  if (threes.length) return threes[0] === ACE ? [ACE, singles[0]] : others;
  const split = pairs[0] >= figure('two_pairs_split_from')
    && pairs[1] >= figure('two_pairs_split_with');
  const stay = pairs[0] <= figure('two_pairs_stay_to') || singles[0] === ACE;
  if (pairs.length === 2) return pairs[0] === ACE || split || !stay ? twice(pairs[1]) : others; // 8
  if (!straights.length) return pairs.length ? others : singles.slice(1, 3); // 11
  const top = largest(straights, ({ lowHand }) => lowHand.value); // 9, 10
  const better = low(others.map((rank) => RANKS[rank])).value > top.lowHand.value;
  return better && pairs[0] >= figure('pair_stays_from') && singles[0] === ACE
    ? others : ranksOf(top.low);
}

/** How the house sets seven cards; of several cards of those ranks, those that leave the best high
 * hand (12).
 * @param {string[]} cards @param {Record<string, string>} way */
function houseWay(cards, way) {
  const settings = settingsOf(cards);
  const wanted = lowRanks(cards, settings, way).join();
  return largest(settings.filter(({ low: two }) => ranksOf(two).join() === wanted),
    ({ highHand }) => highHand.value);
}

/** Every row of the Fortune Bonus that seven cards reach. @param {string[]} cards
 * @param {Setting[]} settings */
function fortuneRows(cards, settings) {
  const jokers = cards.includes('Jk') ? 1 : 0;
  const rows = settings.flatMap(({ low: rest, highHand: { category } }) => {
    const kingQueen = ranksOf(rest).join() === [KING, QUEEN].join() && rest[0][1] === rest[1][1]
      ? '-king-queen' : '';
    return [category, category + kingQueen, ...(AS_WELL.get(category) ?? [])];
  });
  const run = suitsOf(cards).some((suited) => suited.length === 7 - jokers
    && longestRun(ranksOf(suited), jokers) === 7);
  return run ? [...rows, jokers ? 'straight-flush-7-joker' : 'straight-flush-7'] : rows;
}

/** Fortune Pai Gow Poker: seven cards set as two hands.
 * @param {import('../../settle/table.js').Table} table */
function paiGow(table) {
  const { sheet } = table;
  const [player, house] = [table.take('player', 7), table.take('house', 7, 0)];
  const settings = settingsOf(player);
  const options = settings.map((each) => ({ id: each.low.join(' '), legal: isLegal(each) }));
  const choice = table.ask('set', options, 'main');
  const mine = settings[options.findIndex(({ id }) => id === choice)];
  const theirs = houseWay(house, { ...FIRST_WAY, ...sheet.house_way });
  table.show('house');
  for (const [who, set] of Object.entries({ player: mine, house: theirs })) {
    Object.assign(table.zones, { [`${who}-low`]: set.low, [`${who}-high`]: set.high });
    Object.assign(table.names, { [`${who}-low`]: set.lowHand, [`${who}-high`]: set.highHand });
    delete table.zones[who];
  }
  const won = Number(mine.lowHand.value > theirs.lowHand.value)
    + Number(mine.highHand.value > theirs.highHand.value);
  const isOut = theirs.lowHand.category !== 'pair'
    && theirs.lowHand.ranks?.[0] === sheet.house.not_eligible_with;
  table.pay('main', isOut || won === 1 ? '0:1' : won === 2 ? sheet.main.pays : undefined);
  const paid = fortuneRows(player, settings).map((row) => sheet.fortune.pays[row]).filter(Boolean);
  table.pay('fortune', largest([undefined, ...paid],
    (odds) => (odds ? odds.split(':')[0] / odds.split(':')[1] : -1)));
}

/** @type {import('../../settle/table.js').Settlement} */
export default {
  editions: [1],
  spots: { main: [], fortune: ['main'] },
  play: paiGow,
};
