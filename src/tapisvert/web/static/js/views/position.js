/** The page of positions: lay any cards, by any rules, and see what each choice is worth. The
 * address holds the whole position. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { Face } from '../cards.js';
import { get } from '../net.js';
import { gameOf, games, indices, learn, panel, route, say, settings, words } from '../store.js';
import { style } from '../style.js';
import { Act, rulesName, t } from './parts.js';
import { active, blank, complete, counts, isBlank, laid, missing, read, room, written,
} from './position-board.js';
import { PositionValues, fieldName, value } from './position-values.js';
import { typed as typedCard } from './position-typing.js';
import { changeable, lines, parsed } from './rules.js';

/** @typedef {import('./position-board.js').Laid} Laid */
/** @typedef {import('./position-board.js').Form} Form */
/** @typedef {import('../protocol.js').Variants} Variants */

const OWN = 'own', BACK = 'Backspace', UNDO_MAX = 200, JOKER = 'Jk';
const form = signal(/** @type {Form | null} */ (null));
const offered = signal(/** @type {Variants | null} */ (null));
/** The boards before this one. @type {Laid[]} */
let past = [];
/** The field that was chosen to be laid on. */
const chosen = signal('');
/** Why the address or the player's own rules were refused. */
const why = signal('');
const typed = signal('');
/** The rank of a card whose suit has yet to be typed. */
const begun = signal('');
/** A key that makes no card. */
const unknown = signal('');

/** @param {string} id */
export async function arrive(id) {
  if (!gameOf(id)) throw new Error(t('page.no-table'));
  form.value = null;
  past = [];
  [chosen, why, typed, begun, unknown].forEach((each) => { each.value = ''; });
  const [found, variants] = await Promise.all([get(`/positions/${id}`),
    get(`/games/${id}/variants`), learn(undefined, 'position.lead'), style('position')]);
  await learn(id);
  offered.value = variants;
  laid.value = await opened(id, found) ?? blank(found);
  typed.value = lines(laid.value.set);
  form.value = found;
  value(found, laid.value);
}

/** The position of the address, or nothing and why. @param {string} id @param {Form} found
 * @returns {Promise<Laid | null>} */
async function opened(id, found) {
  const board = read(found, new URLSearchParams(location.search));
  try {
    // The server refuses an address in the reader's language; rules are its own to check.
    if (!board) await get(`/positions/${id}${location.search}`);
    else if (board.rules || Object.keys(board.set).length)
      await get(`/positions/${id}?${written({ ...blank(found), rules: board.rules,
        set: board.set })}`);
    return board;
  } catch (refusal) {
    why.value = `${/** @type {Error} */ (refusal).message} ${t('position.blank')}`;
    return null;
  }
}

/** Show another board, value it, and write its address. @param {Laid} board */
function change(board, undoable = true) {
  const shape = /** @type {Form} */ (form.value);
  if (undoable) past = [...past, laid.value].slice(-UNDO_MAX);
  laid.value = board;
  why.value = '';
  const query = written(board);
  history.replaceState(history.state, '', `${location.pathname}${query && `?${query}`}`);
  value(shape, board);
}

/** Lay a card on the active field, or take it back. @param {string} card */
function press(card) {
  const shape = /** @type {Form} */ (form.value), { cards } = laid.value, { name } = route.value;
  if (name !== 'position') return;
  const at = shape.fields.find((field) => cards[field.name].includes(card));
  if (at) return takeBack(at.name, card);
  const field = active(shape, laid.value, chosen.value);
  if (!field) return;
  change({ ...laid.value, flags: {},
    cards: { ...cards, [field.name]: [...cards[field.name], card] } });
  if (counts(field).includes(laid.value.cards[field.name].length)
    && missing(shape, laid.value).length) chosen.value = '';
  say(t('position.laid', { field: fieldName(field.name, shape.game), card: words.value.card(card)
  }));
}

/** @param {string} field @param {string} card */
function takeBack(field, card) {
  const { cards } = laid.value;
  chosen.value = field;
  change({ ...laid.value, flags: {},
    cards: { ...cards, [field]: cards[field].filter((each) => each !== card) } });
  say(t('position.taken-back', { card: words.value.card(card) }));
}

function undo() {
  const before = past.at(-1);
  if (!before) return;
  past = past.slice(0, -1);
  change(before, false);
  typed.value = lines(before.set);
}

function clear() {
  chosen.value = '';
  change({ ...blank(/** @type {Form} */ (form.value)), rules: laid.value.rules,
    set: laid.value.set });
}

// Typing ----------------------------------------------------------------------------------------

/** Keys of this page and of the whole house. */
const OTHERS = 'ZXLM?';

/** @param {KeyboardEvent} event */
function type(event) {
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (route.value.name !== 'position' || !form.value || panel.value || event.ctrlKey
    || event.metaKey || event.altKey || target.matches('input, textarea, select')) return;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (key.length === 1 && settings.value.keys === 'off') return;
  if (key === BACK) last();
  else if (/^[A-Z0-9]$/.test(key) && !OTHERS.includes(key)) {
    const found = typedCard(begun.value, key, { language: words.value.language,
      suits: t('position.suit-keys'), joker: form.value.deck.includes(JOKER) });
    unknown.value = found.unknown ? key : '';
    if (!found.unknown) begun.value = found.begun ?? '';
    if (found.card) press(found.card);
  } else return;
  event.preventDefault();
}
addEventListener('keydown', type, { capture: true });

/** Take back what was begun, or the card laid last. */
function last() {
  unknown.value = '';
  if (begun.value) begun.value = '';
  else if (past.length) undo();
}

const MOVES = /** @type {Record<string, (columns: number) => number>} */ ({
  ArrowLeft: () => -1, ArrowRight: () => 1, ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
});

/** Arrows move among the cards. @param {KeyboardEvent} event */
function walk(event) {
  if (!(event.key in MOVES) || !(event.currentTarget instanceof HTMLElement)) return;
  const cards = [...event.currentTarget.querySelectorAll('button')];
  const at = cards.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const columns = cards.filter((card) => card.offsetTop === cards[0].offsetTop).length;
  const next = cards[at + MOVES[event.key](columns)];
  if (at < 0 || !next) return;
  event.preventDefault();
  cards.forEach((card) => { card.tabIndex = card === next ? 0 : -1; });
  next.focus();
}

// What is seen ----------------------------------------------------------------------------------

/** @param {string} id */
export function View(id) {
  const shape = form.value, game = gameOf(id);
  if (!shape || !game) return html`<main class="page" aria-busy="true"></main>`;
  const board = laid.value, back = replay();
  return html`<main class="page position ${id}"
    data-ready=${complete(shape, board) ? 'complete' : 'open'}>
    <h2>${t('title', {}, id)}</h2>
    <p class="dim">${t('position.lead', { example: `A ${t('position.suit-keys')[0]}` })}</p>
    ${settings.value.keys === 'on' ? Keys(shape) : nothing}
    ${back ? html`<p><a href=${back}>${t('position.back')}</a></p>` : nothing}
    ${why.value ? html`<p class="bad" role="alert">${why.value}</p>` : nothing}
    <div class="board">
      <div class="places">${shape.fields.map((field) => Place(shape, board, field))}</div>
      ${PositionValues(shape, board, setFlag)}
      <div class="deck" role="group" aria-label=${t('position.deck')} @keydown=${walk}>${
        [...shape.deck].sort(bySuit).map((card, at) => DeckCard(card, at, board))}</div>
    </div>
    <div class="row tools">
      ${Act(t('position.undo'), 'Z', undo, { off: !past.length })}
      ${Act(t('position.clear'), 'X', clear, { off: isBlank(board) })}
      ${Act(t('position.copy'), '', copy)}
      ${complete(shape, board) ? html`<a class="act" download="${id}.svg"
        href="/position/${id}/picture.svg?${written(board)}">${t('position.picture')}</a>`
        : nothing}
      <output class="begun">${Begun()}</output></div>
    ${Rules(shape, board)}
    <nav class="row games" aria-label=${t('drill.games')}><span
      class="dim">${t('drill.games')}</span>
      ${games.map((each) => (each.id === id ? nothing
        : html`<a href="/position/${each.id}">${t('title', {}, each.id)}</a>`))}</nav></main>`;
}

/** The replay from which a question was opened. @returns {string} */
const replay = () => (/^\/r\//.test(history.state?.from) ? history.state.from : '');

const printed = (/** @type {string} */ rank) => indices.value[rank] ?? rank.replace(/T/, '10');

/** What was typed so far, and a key that leads no further. */
function Begun() {
  const suits = [...t('position.suit-keys')].map((key, at) => `${key} ${'♠♥♦♣'[at]}`).join(', ');
  return [begun.value ? html`<b>${printed(begun.value)}…</b>` : nothing, unknown.value
    ? html`<span>${t(begun.value ? 'position.no-suit' : 'position.no-rank', { key: unknown.value,
      suits })}</span>` : nothing];
}

/** The keys of the suits, for whoever has a keyboard. @param {Form} shape */
const Keys = ({ deck }) => html`<p class="typing dim"><span>${t('position.suits')}</span>${
  [...t('position.suit-keys')].map((key, at) => html`<span><kbd>${key}</kbd> <span
    aria-hidden="true">${'♠♥♦♣'[at]}</span> ${t(`suit.${'shdc'[at]}`)}</span>`)}${
  deck.includes(JOKER) ? html`<span>${[...'JO'].map((key) => html`<kbd>${key}</kbd> `)}${
      words.value.card(JOKER)}</span>`
    : nothing}</p>`;

const SUIT_ORDER = 'shdck', RANK_ORDER = 'AKQJT98765432';
/** Spades first, the ace first. @param {string} one @param {string} other */
const bySuit = (one, other) => SUIT_ORDER.indexOf(one[1]) - SUIT_ORDER.indexOf(other[1])
  || RANK_ORDER.indexOf(one[0]) - RANK_ORDER.indexOf(other[0]);

/** @param {Form} shape @param {Laid} board @param {Form['fields'][number]} field */
function Place(shape, board, field) {
  const { name } = field, cards = board.cards[name], more = room(field, cards.length);
  const label = fieldName(name, shape.game);
  const isActive = active(shape, board, chosen.value)?.name === name;
  const isAside = !cards.length && !isActive && counts(field).includes(0); // it may stay empty
  return html`<section class="place ${isActive ? 'active' : ''}" data-field=${name}>
    <h3>${more ? html`<button class="pick" aria-pressed=${isActive}
      aria-label=${t('position.lay', { name: label })}
      @click=${() => { chosen.value = name; }}>${label}</button>` : label}</h3>
    <ul>${cards.map((card) => html`<li><button class="card"
      @click=${() => takeBack(name, card)}><span class="vh">${t('position.take-back',
        { card: words.value.card(card) })}</span>${Face(card, indices.value)}</button></li>`)}
      ${Array.from({ length: isAside ? 0 : more }, () =>
        html`<li class="slot" aria-hidden="true" @click=${() => { chosen.value = name; }}></li>`)
      }</ul></section>`;
}

/** @param {string} card @param {number} at @param {Laid} board */
const DeckCard = (card, at, board) => html`<button class="card"
  tabindex=${at ? -1 : 0} data-card=${card}
  aria-pressed=${Object.values(board.cards).some((cards) => cards.includes(card))}
  @click=${() => press(card)}><span class="vh">${words.value.card(card)}</span>${
  Face(card, indices.value)}</button>`;

/** @param {string} name @param {boolean} on */
const setFlag = (name, on) => change({ ...laid.value,
  flags: { ...laid.value.flags, [name]: on } });

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href);
    say(t('position.copied'));
  } catch {
    prompt(t('position.copy'), location.href); // not allowed here: to be copied by hand
  }
}

/** @param {Form} shape @param {Laid} board */
function Rules(shape, board) {
  const house = offered.value;
  if (!house) return nothing;
  const isOwn = board.rules === OWN || Object.keys(board.set).length > 0;
  const names = ['', ...house.variants.map(({ id }) => id), OWN];
  return html`<section class="by"><label class="field">${t('position.rules')}
    <select @change=${(/** @type {Event} */ event) => {
      const { value: name } = /** @type {HTMLSelectElement} */ (event.target);
      typed.value = '';
      change({ ...laid.value, rules: name, set: {} });
    }}>${names.map((name) => html`<option value=${name}
      ?selected=${name === (isOwn ? OWN : board.rules)}>${name === OWN ? t('position.rules-own')
      : name ? rulesName(name, shape.game) : t('rules.house')}</option>`)}</select></label>
    ${isOwn ? html`<label class="field">${t('position.own-label')}<textarea rows="3"
      spellcheck="false" autocapitalize="off" .value=${typed.value}
      @input=${(/** @type {InputEvent} */ event) => {
        typed.value = /** @type {HTMLTextAreaElement} */ (event.target).value;
      }}></textarea></label>
      <p>${Act(t('position.own-apply'), '', () => byOwn(shape))}</p>
      <details><summary>${t('rules.own-keys')}</summary>
        <pre tabindex="0">${changeable(house)}</pre></details>` : nothing}</section>`;
}

/** Count by the figures that were typed. @param {Form} shape */
async function byOwn(shape) {
  try {
    const set = parsed(typed.value, /** @type {Variants} */ (offered.value));
    await get(`/positions/${shape.game}?${written({ ...blank(shape), set })}`);
    change({ ...laid.value, rules: OWN, set });
  } catch (refusal) {
    why.value = /** @type {Error} */ (refusal).message;
  }
}
