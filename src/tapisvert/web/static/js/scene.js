/** The state of the table: a fold over the events of a round, live or replayed. */

/** @typedef {import('./protocol.js').AnyEvent} AnyEvent */
/** @typedef {import('./protocol.js').HandName} HandName */
/** @typedef {Extract<AnyEvent, {kind: 'settled'}>} Settled */
/** @typedef {Extract<AnyEvent, {kind: 'asked'}>} Asked */
/** @typedef {{key: string, order: number, card: string | null, turned: boolean}} Place */
/**
 * @typedef {object} Scene
 * @property {Record<string, Place[]>} zones
 * @property {Record<string, HandName>} names  by zone, or by the bet a hand counts for
 * @property {Record<string, number>} bets  cents by bet
 * @property {Record<string, Settled>} settled  by bet
 * @property {Extract<AnyEvent, {kind: 'said'}>[]} said
 * @property {Extract<AnyEvent, {kind: 'claimed'}> | null} claimed  what the bank pays of a pot
 * @property {Asked | null} ask
 * @property {Extract<AnyEvent, {kind: 'ended'}> | null} ended
 */

/** @param {readonly AnyEvent[]} events @returns {Scene} */
export function fold(events) {
  /** @type {Scene} */
  const scene = { zones: {}, names: {}, bets: {}, settled: {}, said: [], claimed: null, ask: null,
    ended: null };
  let dealt = 0;
  const zone = (/** @type {string} */ id) => (scene.zones[id] ??= []);
  for (const event of events) {
    switch (event.kind) {
      case 'staked':
        scene.bets[event.bet] = (scene.bets[event.bet] ?? 0) + event.cents;
        break;
      case 'dealt':
        for (const card of event.cards) {
          zone(event.zone).push({ key: `card-${dealt}`, order: dealt, card, turned: false });
          dealt += 1;
        }
        break;
      case 'revealed':
        scene.zones[event.zone] = zone(event.zone).map((place, at) => (
          { ...place, card: event.cards[at], turned: place.turned || place.card === null }));
        break;
      case 'moved': {
        const from = zone(event.zone);
        zone(event.to)
          .push(...event.cards.flatMap((card) => from.find((place) => place.card === card) ?? []));
        scene.zones[event.zone] = from.filter(({ card }) => card === null
          || !event.cards.includes(card));
        break;
      }
      case 'named': scene.names[event.zone] = event.hand; break;
      case 'asked': scene.ask = event; break;
      case 'chose': scene.ask = null; break;
      case 'said': scene.said.push(event); break;
      case 'claimed': scene.claimed = event; break;
      case 'settled': scene.settled[event.bet] = event; break;
      case 'ended': scene.ended = event; break;
    }
  }
  return scene;
}

const RANKS = '23456789TJQKA';

/**
 * The ranks of a hand, by count, then from high to low; a joker as the card it stands for.
 * @param {HandName} hand
 */
function ranksOf({ cards, joker }) {
  const ranks = cards.map((card) => (card === 'Jk' ? joker ?? 'A' : card)[0]);
  const many = (/** @type {string} */ rank) => ranks.filter((each) => each === rank).length;
  return ranks.toSorted((a, b) => many(b) - many(a) || RANKS.indexOf(b) - RANKS.indexOf(a));
}

/** The first ranks in which two hands of one kind differ, and who has the higher; null if they are
 * equal. @param {HandName} mine @param {HandName} theirs */
export function kicker(mine, theirs) {
  const [own, other] = [ranksOf(mine), ranksOf(theirs)];
  const at = own.findIndex((rank, place) => rank !== other[place]);
  if (at < 0) return null;
  const how = RANKS.indexOf(own[at]) > RANKS.indexOf(other[at]) ? 'won' : 'lost';
  return { how, mine: own[at], theirs: other[at] };
}

/** Hold two hands against each other. @param {HandName} mine @param {HandName} theirs
 * @param {readonly string[]} order kinds of hands, the weakest first */
export function against(mine, theirs, order) {
  const above = order.indexOf(mine.category) - order.indexOf(theirs.category);
  if (above) return above > 0 ? 'won' : 'lost';
  return kicker(mine, theirs)?.how ?? 'copy';
}

/** Whether a round ended with a fold: its last choice gave bets up.
 * @param {readonly AnyEvent[]} events @param {Record<string, string[]>} [loses] of the layout */
export function folded(events, loses = {}) {
  const last = events.findLast(({ kind }) => kind === 'chose');
  return events.at(-1)?.kind === 'ended' && last?.kind === 'chose' && last.option in loses;
}

/** The kinds of beats: a deal, a turn of cards, their names, the payment. */
const BEAT = /** @type {const} */ ({
  dealt: 'deal', moved: 'deal', revealed: 'turn', named: 'name', said: 'pay', claimed: 'pay',
    settled: 'pay',
});

/**
 * Split the events from `start` on into beats, each one movement. Chips join the next beat.
 * @param {readonly AnyEvent[]} events @param {number} start
 * @returns {{kind: string, end: number}[]}
 */
export function beats(events, start) {
  /** @type {{kind: string, end: number}[]} */
  const found = [];
  for (let place = start; place < events.length; place += 1) {
    const kind = BEAT[/** @type {keyof typeof BEAT} */ (events[place].kind)];
    const last = found.at(-1);
    if (last && (kind === undefined || last.kind === '' || kind === last.kind)) {
      last.end = place + 1;
      last.kind ||= kind ?? '';
    } else found.push({ kind: kind ?? '', end: place + 1 });
  }
  return found;
}
