/** What each option of a position is worth, and what the best play is afterwards. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { Face } from '../cards.js';
import { consulted } from '../consult.js';
import { get, tried } from '../net.js';
import { indices, route, say, words } from '../store.js';
import { Heads, t, units } from './parts.js';
import { complete, missing, room, written } from './position-board.js';
import { Silent, Ways, rowsOf } from './values.js';

/** @typedef {import('./position-board.js').Laid} Laid */
/** @typedef {import('./position-board.js').Form} Form */

const found = signal(/** @type {Form | null} */ (null));
const silent = signal(/** @type {import('../consult.js').Silence | null} */ (null));
/** The sentence of a refusal. */
const refused = signal('');
let asking = {};

/** Ask what the options of a board are worth, and then what follows them.
 * @param {Form} form @param {Laid} board */
export async function value(form, board) {
  const mine = asking = {};
  const wanted = () => mine === asking && route.value.name === 'position';
  [found.value, silent.value, refused.value] = [null, null, ''];
  if (!complete(form, board)) return;
  const path = `/positions/${form.game}?${written(board)}`;
  const answer = await consulted(form.game, path, wanted, (why) => { silent.value = why; });
  if (!wanted()) return;
  if (!answer) {
    const silence = /** @type {import('../consult.js').Silence | null} */ (silent.peek());
    if (silence?.why === 'none') explain(path, wanted);
    return;
  }
  found.value = answer;
  const { best, options } = answer.advice;
  if (best) say(t('coach.said', { option: optionName(best, form.game),
    value: units(options[best]) }));
  const { body } = await tried(`${path}&next=yes`);
  if (body && wanted()) found.value = body;
}

/** Ask again for the sentence of a refusal. @param {string} path @param {() => boolean} wanted */
async function explain(path, wanted) {
  try {
    await get(path);
  } catch (refusal) {
    const { code, message } = /** @type {import('../net.js').Refusal} */ (refusal);
    if (wanted()) refused.value = code === 'advice/not_proved' ? t('position.unproved') : message;
  }
}

/** @param {string} name @param {string} game */
export const fieldName = (name, game) => words.value.find(`position.field.${name}`, game)
  ?? words.value.find(`zone.${name}`, game) ?? name;

const CARDS = /^(?:[2-9TJQKA][cdhs]|Jk)(?: (?:[2-9TJQKA][cdhs]|Jk))*$/;

/** The suits in the id of a set. */
const SUITS = /(?<!J)[cdhs]/g;

/** An option in words; a set is called by its cards. @param {string} id @param {string} game */
function optionName(id, game) {
  const own = words.value.find(`position.option.${id}`, game)
    ?? words.value.find(`option.${id}`, game);
  return own ?? id.split(' ').map((card) => words.value.card(card)).join(', ');
}

/** An option in the table: a set is drawn. @param {string} id @param {string} game */
const Option = (id, game) => (CARDS.test(id)
  ? html`<span class="set"><span class="vh">${optionName(id, game)}</span>${id.split(' ')
    .map((card) => html`<span class="card">${Face(card, indices.value)}</span>`)}</span>`
  : html`<span>${optionName(id, game)}</span>`);

/**
 * @param {Form} form @param {Laid} board @param {(name: string, on: boolean) => void} setFlag
 */
export function PositionValues(form, board, setFlag) {
  const lacking = missing(form, board), answer = found.value;
  if (!complete(form, board)) {
    return html`<section class="worth coach"><h2>${t('position.values')}</h2>
      <p class="wanting">${t('position.missing', { fields: lacking.map(({ field, count }) =>
        t('position.missing-part', { name: fieldName(field.name, form.game), count }))
        .join(', ') })}</p></section>`;
  }
  const note = words.value.find(`${form.game}.position.note`), advice = answer?.advice;
  return html`<section class="worth coach" data-valued=${advice ? '' : nothing}>
    <h2>${t('position.values')}</h2>
    ${advice ? Table(advice, form.game) : refused.value
      ? html`<p class="bad" role="alert">${refused.value}</p>`
      : html`<p>${silent.value && silent.value.why !== 'none' ? Silent(silent.value) : '…'}</p>`}
    ${Object.entries(answer?.flags ?? {}).map(([name, on]) => html`<label class="flag"><input
      type="checkbox" .checked=${on} @change=${(/** @type {Event} */ event) => setFlag(name,
        /** @type {HTMLInputElement} */ (event.target).checked)}>
      ${words.value.find(`position.flag.${name}`, form.game) ?? name}</label>`)}
    ${advice ? html`<p class="dim">${t('position.unit')}
      ${note && advice.best ? note : nothing}</p>` : nothing}
    ${GoOn(form, board)}</section>`;
}

/** The field on which the round goes on, where there is one with several cards at a time.
 * @param {Form} form @param {Laid} board */
function GoOn(form, board) {
  const field = form.fields.find(({ name, counts }) =>
    counts.length > 1 && room({ name, counts }, board.cards[name].length) > 1);
  return field ? html`<p class="dim">${t('position.more', {
    count: room(field, board.cards[field.name].length),
    name: fieldName(field.name, form.game) })}</p>` : nothing;
}

/** @param {NonNullable<Form['advice']>} advice @param {string} game */
function Table(advice, game) {
  // Of two sets that are worth the same only the suits differ, and they do not matter.
  const rows = rowsOf(advice.options, (id) => (CARDS.test(id) ? id.replace(SUITS, '') : id));
  if (!rows.length) return html`<p class="none">${t('position.no-choice')}</p>`;
  const most = rows[0].worth, least = rows[rows.length - 1].worth;
  return html`<div class="values" tabindex=${rows.length > 6 ? 0 : nothing}>
    <table><caption class="vh">${t('coach.values')}</caption>
    <thead>${advice.insurance ? Heads('coach.option', 'coach.value')
      : Heads('coach.option', 'coach.value', 'coach.cost')}</thead>
    <tbody>${rows.map(({ ids, worth }) => {
      const [is, id] = [(/** @type {string | null} */ one) => ids.includes(one ?? ''), ids[0]];
      return html`<tr class=${is(advice.best) || is(advice.insurance) ? 'best' : ''}>
      <th scope="row">${Option(id, game)}${Ways(ids)}
        ${is(advice.best) ? html`<em>${t('coach.best')}</em>` : nothing}
        ${is(advice.insurance) ? html`<em>${t('position.insurance')}</em>` : nothing}
        ${is(advice.house_way) ? html`<em>${t('coach.house-way')}</em>` : nothing}
        <progress aria-hidden="true" max="1"
          .value=${most > least ? (worth - least) / (most - least) : 1}></progress></th>
      <td><b>${units(worth)}</b></td>${advice.insurance ? nothing : html`
      <td>${is(advice.best) ? '–' : units(worth - most)}</td>`}</tr>
      ${advice.next[id] ? html`<tr class="then"><td colspan=${advice.insurance ? 2 : 3}>${
        Next(advice.next[id], game)}</td></tr>` : nothing}`; })}</tbody></table></div>`;
}

/** The best play of the decision that follows. @param {readonly
 * import('../protocol.js').NextDecision[]} next @param {string} game */
function Next(next, game) {
  const whole = next.reduce((sum, { boards }) => sum + boards, 0);
  return next.map(({ best, cards, boards }) => {
    const option = best ? optionName(best, game).toLocaleLowerCase() : '';
    const drawn = cards.map((card) => card.replace(/^T$/, '10')).join(', ');
    return html`<small>${next.length === 1 ? t('position.next-every', { option }) : boards
      ? t('position.next-boards', { option, count: boards, whole })
      : t(best ? 'position.next-cards' : 'position.next-over', { option, cards: drawn })}</small>`;
  });
}
