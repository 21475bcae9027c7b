/** The rounds of the player, newest first, each with its replay and its check. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { get } from '../net.js';
import { Act, t } from './parts.js';
import { Rounds } from './rounds.js';

/** @typedef {import('../store.js').RoundSummary} RoundSummary */

const rounds = signal(/** @type {RoundSummary[] | null} */ (null));
const next = signal(/** @type {number | null} */ (null));

/** @param {string} [before] */
async function load(before = '') {
  const page = await get(`/rounds${before}`);
  rounds.value = [...(before ? rounds.value ?? [] : []), ...page.rounds];
  next.value = page.next;
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

export const arrive = () => load();

export const View = () => html`<main class="page"><h2 class="vh">${t('history.title')}</h2>
  ${rounds.value === null ? nothing : rounds.value.length ? List(rounds.value)
    : html`<p class="dim">${t('lobby.no-rounds')}</p>`}</main>`;

/** @param {readonly RoundSummary[]} list */
const List = (list) => html`${Rounds(list)}<p class="row">
  ${next.value === null ? nothing : Act(t('history.more'), '', () => load(`?before=${next.value}`))}
  ${Act(t('history.csv'), '', () => save('csv'))}${Act(t('history.json'), '',
    () => save('json'))}</p>`;
