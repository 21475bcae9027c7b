/** The rounds of the player, newest first, each with its replay and its check; of one game and of
 * some days, if wanted. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { get } from '../net.js';
import { facts, games, words } from '../store.js';
import { style } from '../style.js';
import { Act, Busy, t } from './parts.js';
import { Rounds } from './rounds.js';

/** @typedef {import('../store.js').RoundSummary} RoundSummary */
/** @typedef {{game: string, from: string, to: string}} Wanted  a game and days, or nothing */

const rounds = signal(/** @type {RoundSummary[] | null} */ (null));
const next = signal(/** @type {number | null} */ (null));
const wanted = signal(/** @type {Wanted} */ ({ game: '', from: '', to: '' }));

/** The games to choose from: those of this house, and those the player has rounds of. */
const offered = signal(/** @type {string[]} */ ([]));

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the address asks for; nonsense counts as nothing. @returns {Wanted} */
function addressed() {
  const asked = new URLSearchParams(location.search);
  const day = (/** @type {string} */ name) => {
    const given = asked.get(name) ?? '';
    return DAY.test(given) && !Number.isNaN(new Date(`${given}T00:00`).getTime()) ? given : '';
  };
  const game = asked.get('game') ?? '';
  return { game: game in facts ? game : '', from: day('from'), to: day('to') };
}

/** The start of a day of this browser's calendar, or of a day after it. @param {string} day
 * @param {number} later */
function start(day, later) {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** @param {Wanted} of @returns {Record<string, string>} */
const asQuery = ({ game, from, to }) => ({ ...(game && { game }),
  ...(from && { from: start(from, 0) }), ...(to && { to: start(to, 1) }) });

/** Fetch rounds, and show them once their style sheet has loaded.
 * @param {Record<string, string>} [before] */
async function load(before) {
  const asked = wanted.value;
  const [page] = await Promise.all([
    get(`/rounds?${new URLSearchParams({ ...asQuery(asked), ...before })}`), style('history')]);
  if (asked !== wanted.value) return;
  rounds.value = [...(before ? rounds.value ?? [] : []), ...page.rounds];
  next.value = page.next;
}

/** Ask for other rounds, and keep in the address what was asked. @param {Partial<Wanted>} other */
function ask(other) {
  wanted.value = { ...wanted.value, ...other };
  const kept = Object.entries(wanted.value).filter(([, value]) => value);
  const search = new URLSearchParams(kept).toString();
  history.replaceState(null, '', `/history${search ? `?${search}` : ''}`);
  return load();
}

/** @type {(keyof RoundSummary)[]} */
const FIELDS = ['id', 'game', 'state', 'opened_at', 'ended_at', 'staked_cents', 'returned_cents'];

/** The list as a file. @param {'csv' | 'json'} kind */
function save(kind) {
  const list = rounds.value ?? [];
  const text = kind === 'json' ? JSON.stringify(list, null, 1)
    : [FIELDS.join(','), ...list.map((round) => FIELDS.map((field) => round[field] ?? '')
      .join(','))].join('\r\n');
  const link = document.createElement('a');
  link.href =
    URL.createObjectURL(new Blob([text],
    { type: kind === 'json' ? 'application/json' : 'text/csv' }));
  link.download = `rounds.${kind}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Which installed games belong in the filter. */
async function choices() {
  const here = new Set(games.map(({ id }) => id));
  const played = await Promise.all(Object.keys(facts).map(async (id) => here.has(id)
    || (await get(`/rounds?${new URLSearchParams({ game: id })}`)).rounds.length > 0));
  offered.value = Object.keys(facts).filter((_, at) => played[at]);
}

export async function arrive() {
  wanted.value = addressed();
  await Promise.all([load(), choices()]);
}

/** Why no round is listed. */
function none() {
  const { game, from, to } = wanted.value;
  if (from && to && from > to) return t('history.reversed');
  if (from || to) return t(game ? 'history.no-match' : 'history.no-match-days');
  return t(game ? 'history.no-match-game' : 'lobby.no-rounds');
}

/** @param {Event} event */
const valueOf = ({ target }) => /** @type {HTMLInputElement} */ (target).value;

/** The last day a date field takes: years have four digits. */
const LAST = '9999-12-31';

/** Which rounds are listed. */
function Filter() {
  const { game, from, to } = wanted.value;
  return html`<form class="filter" role="search" aria-label=${t('history.filter')}
    @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <label>${t('history.game')}<select name="game"
      @change=${(/** @type {Event} */ event) => ask({ game: valueOf(event) })}>
      <option value="" ?selected=${!game}>${t('history.all-games')}</option>
      ${offered.value.map((id) => html`<option value=${id} ?selected=${id === game}>${
        words.value.find('title', id) ?? id}</option>`)}</select></label>
    <label>${t('history.from')}<input type="date" name="from" .value=${from} max=${to || LAST}
      @change=${(/** @type {Event} */ event) => ask({ from: valueOf(event) })}></label>
    <label>${t('history.to')}<input type="date" name="to" .value=${to} min=${from || nothing}
      max=${LAST}
      @change=${(/** @type {Event} */ event) => ask({ to: valueOf(event) })}></label>
    ${game || from || to ? Act(t('history.clear'), '', () => ask({ game: '', from: '', to: '' }))
      : nothing}</form>`;
}

export function View() {
  const list = rounds.value;
  if (!list) return Busy('page');
  return html`<main class="page"><h2 class="vh">${t('history.title')}</h2>${Filter()}
  ${list.length ? List(list) : html`<p class="dim" role="status">${none()}</p>`}</main>`;
}

/** @param {readonly RoundSummary[]} list */
const List = (list) => html`${Rounds(list)}<p class="row">
  ${next.value === null ? nothing : Act(t('history.more'), '',
    () => load({ before: String(next.value) }))}
  ${Act(t('history.csv'), '', () => save('csv'))}${Act(t('history.json'), '',
    () => save('json'))}</p>`;
