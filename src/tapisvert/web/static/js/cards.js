// @ts-check
/**
 * The playing cards: faces, back and the sprite they share.
 *
 * Everything heavy is drawn once, in `Sprite()`; a face is a few `<use>` of it plus the index text.
 * A face is 250 x 350. Suit colours, paper and the jumbo switch live in cards.css.
 */
import { html, nothing, svg, unsafeSVG } from '../vendor/lit.js';
import { courtSymbols, jokerSymbol } from './courts.js';

/** @typedef {'c'|'d'|'h'|'s'} Suit */
/** @typedef {[x: number, y: number]} Spot */

/** Suit pips, centred on 0 0, within 50 of it.  @type {Record<Suit, string>} */
const SUITS = {
  s: `M0-50C10-28 47-9 47 19c0 15-12 24-24 24-9 0-16-4-19-11 1 9 5 15 14 18H-18c9-3 13-9 14-18-3
    7-10 11-19 11-12 0-24-9-24-24C-47-9-10-28 0-50Z`,
  h: `M0 48C-10 27-49 5-49-21c0-17 12-27 25-27 12 0 20 8 24 19C4-40 12-48 24-48c13 0 25 10 25 27C49
    5 10 27 0 48Z`,
  d: 'M0-50C9-31 22-15 40 0 22 15 9 31 0 50-9 31-22 15-40 0-22-15-9-31 0-50Z',
  c: `M0-50A23 23 0 0 1 18-13 22.5 22.5 0 1 1 4 20C5 36 9 46 18 50H-18C-9 46-5 36-4 20A22.5 22.5 0 1
    1-18-13 23 23 0 0 1 0-50Z`,
};

const [LEFT, MIDDLE, RIGHT] = [80, 125, 170];
const [TOP, BOTTOM] = [67, 283];

/** Where the pips of a number card stand, as columns and fractions of the height.
 * @type {Record<string, Spot[]>} */
const LAYOUT = {
  2: [[MIDDLE, 0], [MIDDLE, 1]],
  3: [[MIDDLE, 0], [MIDDLE, 1 / 2], [MIDDLE, 1]],
  4: pairs(0, 1),
  5: [...pairs(0, 1), [MIDDLE, 1 / 2]],
  6: pairs(0, 1 / 2, 1),
  7: [...pairs(0, 1 / 2, 1), [MIDDLE, 1 / 4]],
  8: [...pairs(0, 1 / 2, 1), [MIDDLE, 1 / 4], [MIDDLE, 3 / 4]],
  9: [...pairs(0, 1 / 3, 2 / 3, 1), [MIDDLE, 1 / 2]],
  T: [...pairs(0, 1 / 3, 2 / 3, 1), [MIDDLE, 1 / 6], [MIDDLE, 5 / 6]],
};

/** A left and a right pip on each of the given rows.  @param {...number} rows @returns {Spot[]} */
function pairs(...rows) {
  return rows.flatMap((row) => /** @type {Spot[]} */ ([[LEFT, row], [RIGHT, row]]));
}

/** A symbol of the sprite.  @param {string} id @param {string} box @param {string} body */
function symbol(id, box, body) {
  return `<symbol id="${id}" viewBox="${box}">${body}</symbol>`;
}

const FULL = '0 0 250 350';
const GOLD = '#e3b04b';
const WINE = '#5c0d1a';
const PAPER = '#fffdf6';

/** The engraved spade of the ace: a latticed pip, a monogram and two sprays of laurel. */
function aceOfSpades() {
  const spade = (/** @type {number} */ scale, /** @type {string} */ paint) =>
    `<path d="${SUITS.s}" transform="translate(125 165) scale(${scale})" ${paint}/>`;
  const leaves = [82, 70, 58, 46, 34].flatMap((angle) => [-32, 32].map((lean) =>
    `<path d="M0 2C7-5 7-14 0-22-7-14-7-5 0 2Z" transform="rotate(${angle}) translate(102 0)
      rotate(${lean})"/>`));
  const spray = `<g transform="translate(125 170)">${leaves.join('')}</g>`;
  return symbol('card-ace-s', FULL, `
    ${spade(1.75, '')}${spade(1.6, `fill="none" stroke="${PAPER}" stroke-width="1.2"`)}
    ${spade(1.48, 'fill="url(#card-engraving)"')}
    <circle cx="125" cy="184" r="29" stroke="${PAPER}" stroke-width="3"/>
    <circle cx="125" cy="184" r="24" fill="none" stroke="${GOLD}" stroke-width="1.5"/>
    <text class="monogram" x="125" y="193" text-anchor="middle">TV</text>
    <g fill="#b98a35">${spray}<g transform="matrix(-1 0 0 1 250 0)">${spray}</g>
      <path d="M47 236A102 102 0 0 0 203 236" fill="none" stroke="#b98a35" stroke-width="2.5"/>
      <circle cx="125" cy="272" r="5"/></g>`);
}

/** The back: gold double border, lattice, a medallion of the four suits. */
function back() {
  const suits = Object.values(SUITS).map((d, i) =>
    `<path d="${d}" transform="rotate(${i * 90}) translate(0 -27) rotate(${i * -90})
      scale(.34)"/>`);
  const corners = ['1 1', '-1 1', '1 -1', '-1 -1'].map((flip) =>
    `<path d="M-101-121A30 30 0 0 0-71-151H-101Z" transform="scale(${flip})" fill="${WINE}"/>`);
  return symbol('card-back', FULL, `
    <rect x="11" y="11" width="228" height="328" rx="11" fill="#7d1424"/>
    <rect x="24" y="24" width="202" height="302" rx="5" fill="url(#card-lattice)"/>
    <g fill="none" stroke="${GOLD}"><rect x="17" y="17" width="216" height="316" rx="8"
      stroke-width="3"/>
      <rect x="24" y="24" width="202" height="302" rx="5" stroke-width="2"/></g>
    <g transform="translate(125 175)" fill="${GOLD}"><g stroke="${GOLD}"
      stroke-width="2">${corners.join('')}
      <path d="M0-104 78 0 0 104-78 0Z" fill="${WINE}"/><circle r="60" fill="#7d1424"
        stroke-width="3"/>
      <circle r="53" fill="${WINE}" stroke-width="3.5" stroke-linecap="round" stroke-dasharray="0
        8.325"/></g>
      ${suits.join('')}</g>`);
}

const PATTERNS = `
  <linearGradient id="card-paper" x2=".4" y2="1">
    <stop stop-color="#fffefb"/><stop offset="1" stop-color="#fcf7ea"/></linearGradient>
  <pattern id="card-engraving" width="8" height="8" patternUnits="userSpaceOnUse"
    patternTransform="rotate(45)">
    <path d="M0 4H8M4 0V8" stroke="${PAPER}" stroke-width=".7"/></pattern>
  <pattern id="card-lattice" width="20" height="20" patternUnits="userSpaceOnUse"
    patternTransform="translate(125 175) rotate(45)">
    <rect width="20" height="20" fill="#8c1829"/><path d="M0 10H20M10 0V20" stroke="#d19a4a"
      stroke-width="1.4"/>
    <circle r="2.4" fill="${GOLD}"/><circle cx="20" r="2.4" fill="${GOLD}"/>
    <circle cy="20" r="2.4" fill="${GOLD}"/><circle cx="20" cy="20" r="2.4"
      fill="${GOLD}"/></pattern>`;

/** What a court card has around its two figures: frame and sash. */
const FRAME = symbol('court-frame', FULL, `
  <path d="M54 150l142 38v12L54 162Z" fill="#fffaf0" stroke="#c4974a" stroke-width="2"/>
  <path d="M59 157.4 196 194" stroke="currentColor" stroke-width="4" stroke-dasharray="4 10"
    fill="none"/>
  <rect x="54" y="26" width="142" height="298" rx="5" fill="none" stroke="#c4974a"
    stroke-width="2.5"/>`);

const SPRITE = PATTERNS
  + Object.entries(SUITS).map(([s, d]) => symbol(`pip-${s}`, '-50 -50 100 100', `<path d="${d}"/>`))
    .join('')
  + courtSymbols() + FRAME + jokerSymbol() + aceOfSpades() + back();

/** The definitions every card refers to; to be rendered once per page. */
export function Sprite() {
  return html`<svg class="sprite" aria-hidden="true" width="0"
    height="0">${unsafeSVG(SPRITE)}</svg>`;
}

const TURN = 'rotate(180 125 175)';

/** One pip. @param {string} suit @param {number} x @param {number} y @param {number} size
 * @param {boolean} [down] */
function Pip(suit, x, y, size, down = false) {
  const turn = down ? `rotate(180 ${x} ${y})` : nothing;
  return svg`<use href=${`#pip-${suit}`} x=${x - size / 2} y=${y - size / 2} width=${size}
    height=${size}
    transform=${turn}></use>`;
}

/** A drawing of the sprite that covers the whole card. @param {string} id
 * @param {string} [transform] */
function Whole(id, transform) {
  return svg`<use href=${`#${id}`} width="250" height="350"
    transform=${transform ?? nothing}></use>`;
}

/** Index and small pip.  @param {string} label @param {string} suit */
function Corner(label, suit) {
  return svg`<text class=${label.length > 1 ? 'ix two' : 'ix'} x="27" y="53" text-anchor="middle">${
    label}</text>
    ${Pip(suit, 27, 84, 28)}`;
}

/** What stands in the middle of a card.  @param {string} rank @param {string} suit */
function Body(rank, suit) {
  if (rank === 'A') return suit === 's' ? Whole('card-ace-s') : Pip(suit, 125, 175, 128);
  const spots = LAYOUT[rank];
  if (spots) return spots.map(([x, row]) => Pip(suit, x, TOP + (BOTTOM - TOP) * row, 47,
    row > 1 / 2));
  const id = `court-${rank}${suit}`;
  return [Whole(id), Whole(id, TURN), Whole('court-frame'), Pip(suit, 71, 44, 25),
    Pip(suit, 179, 306, 25, true)];
}

/**
 * The face of a very small card: one huge index, one big pip.
 * @param {string} label @param {string} rank @param {string} suit
 */
function Jumbo(label, rank, suit) {
  const wide = label.length > 1;
  return svg`<text class=${wide ? 'ixl two' : 'ixl'} x=${wide ? 122 : 88} y="148"
    text-anchor="middle">${label}</text>
    ${'JQK'.includes(rank)
      ? svg`<use href="#court-crown" x="160" y="30" width="70" height="50"></use>` : nothing}
    ${Pip(suit, 150, 267, 134)}`;
}

const LETTERS = [...'JOKER'];

/** The joker's own face. */
function Joker() {
  const word = svg`<text class="ix word" text-anchor="middle">${LETTERS.map(
    (letter, i) => svg`<tspan x="26" y=${40 + 26 * i}>${letter}</tspan>`)}</text>`;
  return svg`<g class="std">${word}<g transform=${TURN}>${word}</g>${Whole('card-joker')}</g>
    <g class="jumbo"><text class="ixl word" x="125" y="66" text-anchor="middle">JOKER</text>
      ${Whole('card-joker', 'translate(-44 -14) scale(1.35)')}</g>`;
}

/**
 * A card, face up.
 * @param {string} card rank and suit, `Kh`, `Td`; `Jk` is the joker
 * @param {Record<string, string>} indices the letters printed for ranks, `{K: 'R', Q: 'D'}`
 */
export function Face(card, indices) {
  const [rank, suit] = card;
  const label = indices[rank] ?? (rank === 'T' ? '10' : rank);
  const joker = card === 'Jk';
  const corner = joker ? nothing : Corner(label, suit);
  return html`<svg class=${`face suit-${suit}`} viewBox="0 0 250 350" aria-hidden="true">
    <rect class="paper" x=".75" y=".75" width="248.5" height="348.5" rx="16.5"
      fill="url(#card-paper)"></rect>
    ${joker ? Joker() : svg`<g class="std">${corner}<g transform=${TURN}>${corner}</g>${Body(rank,
      suit)}</g>
    <g class="jumbo">${Jumbo(label, rank, suit)}</g>`}</svg>`;
}

/** A card, face down. */
export function Back() {
  return html`<svg class="face back" viewBox="0 0 250 350" aria-hidden="true">
    <rect class="paper" x=".75" y=".75" width="248.5" height="348.5" rx="16.5"
      fill="url(#card-paper)"></rect>
    ${Whole('card-back')}</svg>`;
}
