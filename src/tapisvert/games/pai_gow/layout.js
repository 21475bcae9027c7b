/** How Fortune Pai Gow Poker lies on the felt. Its choice is made by cards: two of seven go into
 * the low hand. */
import { html, nothing } from '../../vendor/lit.js';
import { computed, signal } from '../../vendor/signals.js';
import { Face } from '../../js/cards.js';
import { choose, locked, phase, round, scene } from '../../js/play.js';
import { coach, indices, say, set as setting, settings, words } from '../../js/store.js';
import { Act, t, working } from '../../js/views/parts.js';

/** @typedef {import('../../js/store.js').GameView} GameView */

/** What the player has picked, and in which round; before that it is what the house way
 * suggests, and nothing in practice. */
const picked = signal({ round: '', cards: /** @type {string[]} */ ([]) });
const options = computed(() => round.value?.ask?.options ?? []);
const suggested =
  computed(() => options.value.find((option) => option.suggested)?.id.split(' ') ?? []);
const first = computed(() => (phase.value === 'practice' ? [] : suggested.value));
const low = computed(() => (picked.value.round === round.value?.id
  ? picked.value.cards : first.value));
/** The set the picked cards make, whichever was picked first. */
const set = computed(() => options.value.find(({ id }) => low.value.length === 2
  && low.value.every((card) => id.includes(card))));

/** @param {string[]} cards */
function pick(cards) {
  if (locked.value) return;
  picked.value = { round: round.value?.id ?? '', cards };
  say(told(round.value?.game ?? '').join(' '));
}

/** Put a card into the low hand or take it out; of three, the first gives way.
 * @param {string} card */
const toggle = (card) => pick(low.value.includes(card) ? low.value.filter((each) => each !== card)
  : [...low.value, card].slice(-2));

/** Both hands as they would be. @param {string} game */
function told(game) {
  const made = set.value;
  if (!made) return [];
  const hands = Object.entries(made.hands).map(([side, hand]) => (
    t(`set.${side}`, { hand: words.value.hand(hand, game) }, game)));
  return [hands.join(' · '), ...(made.why_not ? [t(`why-not.${made.why_not}`, {}, game)] : [])];
}

const JOKER = 'Jk', RANKS = 'AKQJT98765432', SUITS = 'shdc';
/** High cards come first, and the joker before them. @param {string} card */
const rank = (card) => (card === JOKER ? -1 : RANKS.indexOf(card[0]));
/** The joker has no suit. @param {string} card */
const suit = (card) => (card === JOKER ? SUITS.length : SUITS.indexOf(card[1]));
/** The orders of the player's cards. @type {Record<string, (card: string) => number[]>} */
const ORDERS = {
  dealt: () => [],
  rank: (card) => [rank(card), suit(card)],
  suit: (card) => [suit(card), rank(card)],
};

/** The cards in the chosen order; a hand with cards face down stays as it lies.
 * @param {import('../../js/scene.js').Place[]} places */
function sort(places) {
  const order = ORDERS[settings.value.sorting];
  if (!order || places.some(({ card }) => card === null)) return places;
  const keys = new Map(places.map((place) => [place, order(place.card ?? '')]));
  return places.toSorted((one, other) => (keys.get(one) ?? [])
    .map((key, at) => key - (keys.get(other) ?? [])[at]).find(Boolean) ?? 0);
}

/** The order after the present one. */
function nextOrder() {
  const names = Object.keys(ORDERS);
  return names[(names.indexOf(settings.value.sorting) + 1) % names.length];
}

/** Show the cards in the next order, and read them out. */
function sortNext() {
  setting('sorting', nextOrder());
  const cards = sort(scene.value.zones.player ?? []).map(({ card }) => card);
  say(t('read.zone', { zone: 'player', cards }, round.value?.game));
}

/** A card that can be picked. @param {import('../../js/scene.js').Place} place
 * @param {number} at */
function Pick({ key, order, card }, at) {
  if (card === null) return nothing;
  const hint = first.value.includes(card) ? 'suggested' : '';
  return html`<li class="card" data-key=${key} data-order=${order}>
    <button class="pickable ${hint}" aria-pressed=${low.value.includes(card)}
      @click=${() => toggle(card)}
      aria-keyshortcuts=${working(String(at + 1)) || nothing}>
      <span class="vh">${words.value.card(card)}${hint
        ? `, ${t('set.suggested', {}, round.value?.game)}` : nothing}</span>
      ${Face(card, indices.value)}<kbd
        aria-hidden="true">${working(String(at + 1))}</kbd></button></li>`;
}

/** @param {GameView} game @param {boolean} off */
function Options({ id }, off) {
  const made = set.value;
  const why = made?.why_not ? t(`why-not.${made.why_not}`, {}, id) : made
    ? '' : t('set.two', {}, id);
  return [
    Act(t('option.sort', {}, id), t('key.sort', {}, id), sortNext,
      { kind: 'sort', note: t(`set.${nextOrder()}`, {}, id) }),
    Act(t('option.suggested', {}, id), t('key.suggested', {}, id), () => pick(suggested.value),
      { off: off || Boolean(made?.suggested), kind: 'option', note: t('set.auto', {}, id) }),
    Act(t('option.confirm', {}, id), t('key.confirm', {}, id), () => choose(made?.id ?? ''),
      { off: off || why !== '', kind: coach.value?.isBest(made?.id) ? 'option best' : 'option',
        note: why || coach.value?.note(made?.id) }),
  ];
}

/** @type {import('../../js/views/felt.js').Layout} */
export default {
  rows: [
    [{ id: 'house', cards: 7 }, { id: 'house-low', cards: 0 }, { id: 'house-high', cards: 0 }],
    [{ id: 'player', cards: 7 }, { id: 'player-low', cards: 0 }, { id: 'player-high', cards: 0 }],
  ],
  bets: ['main', 'fortune'],
  own: ['player-low', 'player-high'],
  rivals: { 'player-low': 'house-low', 'player-high': 'house-high' },
  order: ['high-card', 'pair', 'two-pair', 'three-of-a-kind', 'straight', 'flush', 'full-house',
    'four-of-a-kind',
    'straight-flush', 'royal-flush', 'five-aces'],
  stays: 'house-not-eligible',
  sort,
  choosing: { zone: 'player', Card: Pick, told: ({ id }) => told(id), Options },
};
