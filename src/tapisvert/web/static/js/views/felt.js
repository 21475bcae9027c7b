/** The felt, live or replayed: cards, chips, hands, bets and their results. */
import { html, nothing, repeat, svg } from '../../vendor/lit.js';
import { Back, Face } from '../cards.js';
import { against, kicker } from '../scene.js';
import { indices, words } from '../store.js';
import { Heads, t } from './parts.js';

/** @typedef {import('../scene.js').Place} Place */
/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../scene.js').Scene} Scene */
/** @typedef {import('../protocol.js').HandName} HandName */
/** @typedef {{id: string, cards: number}} ZoneLayout  a zone, and the places it shows empty */
/**
 * How a game lies on the felt.
 * @typedef {object} Layout
 * @property {ZoneLayout[][]} rows  zones from top to bottom, and from left to right
 * @property {string[]} bets  from left to right
 * @property {string[]} own  the player's zones
 * @property {(places: Place[]) => Place[]} [sort]  the order cards are shown in
 * @property {Record<string, string>} [rivals] by each of the player's hands, the one of the house
 * it is held against
 * @property {string[]} [order] the kinds of hands, weakest first, where each hand is marked as won
 * or lost
 * @property {boolean} [lift]  whether the cards that make a hand stand out
 * @property {string[]} [mark]  hands that mark the cards they are made of, where some make several
 * @property {string[]} [onHand]  questions that are answered on the hand they are about
 * @property {string[]} [steps]  the questions of a round, in their order
 * @property {(game: GameView) => unknown} [Corner]  what lies beside the cards
 * @property {Record<string, string[]>} [loses]  options that give bets up, and which
 * @property {string} [stays]  why a stake that is returned lies ready for the next round
 * @property {Choosing} [choosing] how a choice is made by cards, if not by a button for each option
 */
/**
 * @typedef {object} Choosing
 * @property {string} zone  where the cards to choose from lie
 * @property {(place: Place, at: number) => unknown} Card
 * @property {(game: GameView) => string[]} told  what the choice would make
 * @property {(game: GameView, off: boolean) => unknown} Options
 */

/** A card where it lies; a card face down shows its back. @param {Place} place
 * @param {string} [used] how it is told apart */
const Card = ({ key, order, card, turned }, used = '') => html`
  <li class="card ${card === null ? 'down' : ''} ${used}" data-key=${key} data-order=${order}>
  <span class="vh">${words.value.card(card)}</span>
  ${card === null ? Back() : turned ? Turned(card) : Face(card, indices.value)}</li>`;

/** A card that was face down has two sides while it turns. @param {string} card */
const Turned = (card) => html`<span class="sides">
  <span class="front">${Face(card, indices.value)}</span><span
    class="rear">${Back()}</span></span>`;

/** What a chip of that value looks like. @param {number} cents */
export const colour = (cents) => [50_000, 10_000, 2_500, 500, 100, 0].find((value) =>
  cents >= value) ?? 0;

/** Chips on a spot. @param {string} key @param {number} cents */
export const Stack = (key, cents) =>
  html`<span class="stack" aria-hidden="true" data-value=${colour(cents)}
  data-key="chips-${key}" data-order="0"><b>${words.value.short(cents)}</b></span>`;

/** What is printed on the cloth: a long sentence in smaller letters. @param {GameView} game */
export function Inscription(game) {
  const text = t('felt', game.sheet, game.id);
  return html`<svg class="arc" viewBox="0 0 1000 120" aria-hidden="true">${svg`
    <path id="arc" d="M60 10Q500 90 940 10" fill="none"/>
    <text font-size=${Math.min(25, 1080 / text.length)}><textPath href="#arc" startOffset="50%"
      text-anchor="middle">${text}</textPath></text>`}</svg>`;
}

/**
 * The rows of a table, with the middle after the first.
 * @param {Layout} layout @param {GameView} game @param {Scene} scene @param {unknown} middle
 * @param {{won?: boolean, choosing?: Choosing, answers?: unknown}} [how]
 */
export const Rows = (layout, game, scene, middle, how = {}) => layout.rows.map((row, place) => html`
  <div class="zones">${row.filter((zone) => lies(zone, game, scene))
    .map((zone) => Zone(zone, layout, game, scene, how))}
  </div>${place ? nothing : middle}`);

/** Whether a zone is there: with its cards, or waiting for them. @param {ZoneLayout} zone
 * @param {GameView} game @param {Scene} scene */
function lies({ id, cards }, game, { zones, bets }) {
  if (zones[id]) return zones[id].length > 0;
  const unstaked = game.spots.some((spot) => spot.id === id) && !bets[id]
    && Object.keys(bets).length > 0;
  return cards > 0 && !unstaked;
}

/**
 * A hand, or the places where its cards will lie.
 * @param {ZoneLayout} zone @param {Layout} layout @param {GameView} game @param {Scene} scene
 * @param {{won?: boolean, choosing?: Choosing, answers?: unknown}} how
 */
function Zone({ id, cards }, layout, game, scene, { won = false, choosing, answers }) {
  const lost = scene.settled[id] && scene.settled[id].outcome !== 'won'; // one of several hands
  const kind = won && !lost && layout.own.includes(id) ? 'won' : scene.ask?.hand === id
    ? 'active' : '';
  const places = scene.zones[id] && (layout.sort?.(scene.zones[id]) ?? scene.zones[id]);
  const makes = (/** @type {string} */ hand, /** @type {Place} */ { card }) =>
    scene.names[hand]?.cards.includes(card ?? '');
  const used = (/** @type {Place} */ place) => (layout.lift && makes(id, place) ? 'lifted'
    : (layout.mark ?? []).filter((hand) => makes(hand, place)).map((hand) => `for-${hand}`)
      .join(' '));
  const Each = choosing?.zone === id ? choosing.Card : (/** @type {Place} */ place) =>
    Card(place, used(place));
  return html`<section class="zone ${id} ${kind}" aria-label=${t(`zone.${id}`, {}, game.id)}
    aria-current=${kind === 'active' || nothing}>
    <h2>${t(`zone.${id}`, {}, game.id)}</h2>
    <ul class="hand">${places ? repeat(places, (place) => place.key, Each)
      : Array.from({ length: cards }, () => html`<li class="slot"></li>`)}</ul>
    <p class="name">${scene.names[id]
      ? html`<span>${words.value.hand(scene.names[id], game.id)}</span>` : nothing}
      ${Mark(id, layout, game, scene)}</p>${kind === 'active' ? answers : nothing}
  </section>`;
}

/**
 * The result of a hand against its rival, where several hands are marked.
 * @param {string} id @param {Layout} layout @param {GameView} game @param {Scene} scene
 */
function Mark(id, { rivals, order, stays }, game, { names, settled }) {
  const mine = names[id], theirs = names[rivals?.[id] ?? ''];
  if (!order || !mine || !theirs) return nothing;
  // Returned without comparing.
  const apart = Object.values(settled).some(({ why }) => why === stays);
  const how = apart ? 'push' : against(mine, theirs, order);
  return html`<span class="mark ${how}">${t(`mark.${how}`, {}, game.id)}</span>`;
}

/**
 * Where two hands have the same name, the card that decides between them.
 * @param {Layout} layout @param {GameView} game @param {Scene} scene
 */
export const deciding = ({ rivals }, game, { names }) => Object.entries(rivals ?? {})
  .flatMap(([id, rival]) => {
  const mine = names[id], theirs = names[rival];
  const name = (/** @type {HandName} */ hand) => words.value.hand({ ...hand, joker: null },
    game.id);
  const found = mine && theirs && name(mine) === name(theirs) ? kicker(mine, theirs) : null;
  return found ? [t(`kicker.${found.how}`, { ...found, zone: id }, game.id)] : [];
});

/**
 * The inside of a spot: its ring with chips or their replacement, and its name.
 * @param {string} bet @param {number} cents @param {string} instead @param {GameView} game
 */
export const Ring = (bet, cents, instead, game) => html`<span class="ring" aria-hidden="true">
  ${cents ? Stack(bet, cents) : html`<span class="hint">${instead}</span>`}</span>
  <span class="label">${t(`bet.${bet}`, {}, game.id)}</span>`;

/** What an empty spot says. @param {string} bet @param {GameView} game */
export const hint = (bet, game) => (
  words.value.find(`spot.${bet}`, game.id) ? t(`spot.${bet}`, game.sheet, game.id) : '');

/** A spot that only holds chips; once its bet is settled, the result. @param {string} bet
 * @param {GameView} game @param {Scene} scene */
export function Held(bet, game, scene) {
  const cents = scene.bets[bet] ?? 0, line = scene.settled[bet];
  if (!cents && !hint(bet, game) && !game.spots.some(({ id }) => id === bet)) return nothing;
  const net = line ? words.value.signed(line.returned_cents - line.staked_cents) : '';
  const label = line ? t('spot.settled', { bet, net }, game.id) : t('spot.holds', { bet, cents },
    game.id);
  return html`<div class="spot ${bet} ${line?.outcome}" role="group" aria-label=${label}>
    ${Ring(bet, line ? 0 : cents, net || hint(bet, game), game)}</div>`;
}

/** What became of every bet, in words. @param {GameView} game @param {Scene} scene */
export const Ledger = (game, { settled, bets, names, zones }) => html`
  <div class="account ${Object.keys(bets).length > 3 ? 'long' : ''}"
    tabindex=${Object.keys(bets).length > 3 ? 0 : nothing}>
  <table class="ledger"><caption class="vh">${t('ledger.title')}</caption>
    <thead class="vh">${Heads('ledger.bet', 'ledger.why', 'ledger.net')}</thead>
    <tbody>${Object.keys(bets).map((bet) => (
      settled[bet] ? Line(settled[bet], zones[bet] ? undefined : names[bet],
        game) : nothing))}</tbody>
  </table></div>`;

/**
 * One settled bet, with the hand it was settled by.
 * @param {import('../scene.js').Settled} line @param {HandName | undefined} hand
 * @param {GameView} game
 */
function Line(line, hand, game) {
  const why = t(`why.${line.why}`, line, game.id), made = hand ? words.value.hand(hand,
    game.id) : '';
  // A row is not named twice: "four of a kind, eights" says all that "four of a kind" does.
  const same = made.startsWith(why);
  return html`<tr class=${line.outcome}>
  <th scope="row">${Stack(line.bet, line.staked_cents)}<span>${t(`bet.${line.bet}`, {},
    game.id)}</span></th>
  <td>${same ? made : why}${line.odds
    ? html` <span class="odds">· <b>${words.value.odds(line.odds)}</b></span>` : nothing}
    ${made && !same ? html`<small>${made}</small>` : nothing}
    ${line.capped ? html`<em>${t('event.capped')}</em>` : nothing}</td>
  <td class="sum"><b>${words.value.signed(line.returned_cents - line.staked_cents)}</b>
    <span>${t(`outcome.${line.outcome}`)}</span></td></tr>`;
}

/** How a round ended, in one sentence. @param {NonNullable<Scene['ended']>} ended */
export function result({ staked_cents: staked, returned_cents: returned }) {
  const net = returned - staked;
  const tone = net > 0 ? 'win' : net < 0 ? 'loss' : 'even';
  return { tone, text: t(`result.${tone}`, { cents: Math.abs(net) }) };
}
