/** What if: the same deck with another choice; its result beside its value, which separates luck
 * from error. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { consulted } from '../consult.js';
import { get } from '../net.js';
import { words } from '../store.js';
import { Grade } from './graded.js';
import { Act, Heads, money, optionName, t, units } from './parts.js';
import { Silent } from './values.js';
import { why } from './why.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../protocol.js').WhatIf} Branch */
/** @typedef {import('../protocol.js').Decision} Decision */
/** @typedef {import('../protocol.js').AdviceView} AdviceView */
/** @typedef {import('../scene.js').Asked} Asked */
/** @typedef {readonly import('../protocol.js').AnyEvent[]} Events */

/** The branch on display; null is the round as played.
 * @type {import('../../vendor/signals.js').Signal<Branch | null>} */
export const other = signal(/** @type {Branch | null} */ (null));
const played = signal(/** @type {Branch | null} */ (null));
const values = signal(/** @type {Record<string, AdviceView>} */ ({}));
const silent = signal(/** @type {import('../consult.js').Silence | null} */ (null));
let round = '', table = '';

/** @param {string[]} choices */
const asked = (choices) => new URLSearchParams(choices.map((choice) => ['choice', choice]));
/** @param {readonly string[]} choices */
const worth = (choices) => /** @type {AdviceView | undefined} */ (values.value[choices.join()]);
/** @param {Branch} branch */
const choicesOf = (branch) => branch.decisions.map(({ choice }) => choice);

/** Look at a finished round. @param {string} game @param {string} id
 * @param {readonly string[]} choices */
export async function look(game, id, choices) {
  [round, table] = [id, game];
  other.value = played.value = null;
  values.value = {};
  played.value = await get(`/rounds/${id}/what-if?${asked([...choices])}`);
  await value();
}

/** Ask the coach about every question of the branch. */
async function value() {
  const id = round, branch = other.value ?? played.value;
  if (!branch) return;
  const choices = choicesOf(branch), questions = choices.length + (branch.ask ? 1 : 0);
  const wanted = () => round === id && (other.value ?? played.value) === branch;
  for (let count = 0; count < questions && wanted(); count += 1) {
    const before = choices.slice(0, count);
    const found = worth(before) ?? await consulted(table,
      `/rounds/${id}/what-if/advice?${asked(before)}`, wanted,
      (why) => { silent.value = why; });
    if (!found) return;
    values.value = { ...values.value, [before.join()]: found };
  }
}

/** Take a choice after others. @param {string[]} choices @param {(end: number) => void} show */
async function take(choices, show) {
  const before = played.value ? choicesOf(played.value) : [];
  const same = choices.every((choice, place) => choice === before[place]);
  const branch = same ? null : await get(`/rounds/${round}/what-if?${asked(choices)}`);
  other.value = branch;
  show((branch ?? played.value)?.events.length ?? 0);
  await value();
}

/** The value of an answer, its result, and the two parts of the difference.
 * @param {Decision} decision @param {readonly string[]} before */
function account({ choice, unit_cents: unit, net_cents: net }, before) {
  const found = worth(before);
  if (!found) return null;
  const mean = found.options[choice] * unit;
  const cost = found.options[found.best] - found.options[choice];
  return { mean, net, luck: net === null ? null : net - mean, cost,
    error: (found.options[choice] - found.options[found.best]) * unit };
}

/** An amount; a narrow table has the head of its column beside it. @param {string} head
 * @param {number | null | undefined} cents */
const Cents = (head, cents) =>
  html`<td data-head=${t(head)}>${cents === null || cents === undefined ? '…' : money(cents)}</td>`;

/** Why each answer was the best, or was not. @param {Branch} branch @param {GameView} game */
const Reasons = (branch, game) => html`<ol class="reasons">${branch.decisions.map(
  (decision, place) => {
    const found = worth(choicesOf(branch).slice(0, place));
    const called = (/** @type {string} */ choice) => name(branch.events, { ...decision, choice },
      game);
    return found ? html`<li>${why(found, game.id, called, decision.choice)}</li>` : nothing;
  })}</ol>`;

/** How an answer is called in the question that was put. @param {Events} events
 * @param {Decision} decision @param {GameView} game */
function name(events, { step, choice }, game) {
  const question = events.find((event) => event.kind === 'asked' && event.step === step);
  const option = question?.kind === 'asked' ? question.options.find(({ id }) => id === choice)
    : undefined;
  return optionName(option ?? { id: choice, hands: {} }, game);
}

/** Every decision of the round as it was played. @param {Branch} branch @param {GameView} game */
const Decisions = (branch, game) => html`<div class="wide" tabindex="0"><table>
  <caption class="vh">${t('what-if.decisions')}</caption>
  <thead>${Heads('coach.option', 'what-if.mean', 'what-if.result', 'what-if.luck',
    'what-if.error')}</thead>
  <tbody>${branch.decisions.map((decision, place) => {
    const found = account(decision, choicesOf(branch).slice(0, place));
    return html`<tr><th scope="row"><span>${name(branch.events, decision, game)}</span>${
      found ? html` ${Grade(found.cost)}` : nothing}</th>${
      Cents('what-if.mean', found?.mean)}${Cents('what-if.result', decision.net_cents)}${
      Cents('what-if.luck', found?.luck)}${Cents('what-if.error', found?.error)}</tr>`;
  })}</tbody></table></div>`;

/** The choice that was taken, and the one that is tried, side by side. @param {Branch} was
 * @param {Branch} is @param {GameView} game */
function Compared(was, is, game) {
  const place = is.decisions.findIndex(({ choice }, at) => choice !== was.decisions[at]?.choice);
  const before = choicesOf(is).slice(0, place);
  const rows = [['what-if.played', was], ['what-if.tried', is]].flatMap(([key, branch]) => {
    const { decisions, events } = /** @type {Branch} */ (branch), decision = decisions[place];
    return decision ? [{ key: String(key), called: name(events, decision, game), decision,
      found: account(decision, before) }] : [];
  });
  const [first, second] = rows.map(({ found }) => found);
  return html`<div class="wide" tabindex="0"><table><caption
    class="vh">${t('what-if.compared')}</caption>
    <thead>${Heads('coach.option', 'what-if.mean', 'what-if.result', 'what-if.luck')}</thead>
    <tbody>${rows.map(({ key, called, decision, found }) =>
      html`<tr><th scope="row"><em>${t(key)}</em> <span>${called}</span></th>
      ${Cents('what-if.mean', found?.mean)}${Cents('what-if.result', decision.net_cents)}${
        Cents('what-if.luck', found?.luck)}</tr>`)}</tbody></table></div>
    ${first && second
      ? html`<p class="verdict" role="status">${verdict('mean', second.mean - first.mean)}
      ${first.net === null || second.net === null ? nothing : verdict('here',
        second.net - first.net)}</p>` : nothing}`;
}

/** @param {string} kind @param {number} cents */
const verdict = (kind, cents) => {
  const tone = Math.round(cents) > 0 ? 'more' : Math.round(cents) < 0 ? 'less' : 'same';
  return t(`what-if.${kind}-${tone}`, { cents: Math.abs(Math.round(cents)) });
};

/** The question at a place of the round, with another answer to take. @param {Events} events
 * @param {number} at @param {GameView} game @param {(end: number) => void} show */
function Question(events, at, game, show) {
  const past = events.slice(0, at);
  const question = past.findLast((event) => event.kind === 'asked') ?? events.find((event) =>
    event.kind === 'asked');
  if (question?.kind !== 'asked') return html`<p>${t('what-if.none')}</p>`;
  const chosen = events.flatMap((event) => (event.kind === 'chose' ? [event] : []));
  const before = chosen.filter(({ step }) => step < question.step).map(({ option }) => option);
  const taken = chosen.find(({ step }) => step === question.step)?.option;
  const found = worth(before);
  const legal = question.options.filter(({ why_not: why }) => why === null);
  if (found) legal.sort((one, two) => found.options[two.id] - found.options[one.id]);
  return html`<p>${words.value.tell(question, game.id)}</p>
    <div class="values" tabindex=${legal.length > 6 ? 0 : nothing}><table><caption
      class="vh">${t('coach.values')}</caption>
    <thead>${Heads('coach.option', 'coach.value', 'what-if.title')}</thead>
    <tbody>${legal.map((option) => html`<tr class=${found?.best === option.id ? 'best' : ''}>
      <th scope="row"><span>${optionName(option, game)}</span>${found?.best === option.id
        ? html`<em>${t('coach.best')}</em>` : nothing}
        ${found?.house_way === option.id ? html`<em>${t('coach.house-way')}</em>` : nothing}</th>
      <td>${found
        ? html`<b>${units(found.options[option.id])}</b><small>${
        money(found.options[option.id] * found.unit_cents)}</small>` : '…'}</td>
      <td>${option.id === taken ? html`<em>${t('what-if.taken')}</em>`
        : html`<button class="act"
          aria-label=${t('what-if.try-it', { option: optionName(option, game) })}
          @click=${() => take([...before, option.id], show)}>${
            t('what-if.try')}</button>`}</td></tr>`)}</tbody></table></div>
    ${found ? html`<p><a class="act" href=${found.position}>${t('what-if.position')}</a></p>`
      : nothing}`;
}

/**
 * @param {GameView} game @param {Events} events those looked at @param {number} at how many of them
 * are shown
 * @param {(end: number) => void} show
 */
export function WhatIf(game, events, at, show) {
  const was = played.value, is = other.value;
  if (!was) return nothing;
  const back = () => { other.value = null; show(was.events.length); };
  return html`<section class="coach what-if" aria-labelledby="what-if-title"
    data-valued=${silent.value || worth([]) ? '' : nothing}>
    <h2 id="what-if-title">${t('what-if.title')}</h2>
    ${is ? html`<p>${t('what-if.unpaid')}</p>${Act(t('what-if.back'), '', back)}${Compared(was,
      is, game)}`
      : was.decisions.length ? html`${Decisions(was, game)}${Reasons(was, game)}` : nothing}
    ${silent.value ? html`<p>${Silent(silent.value)}</p>` : nothing}
    ${Question(events, at, game, show)}<p class="dim">${t('what-if.explain')}</p></section>`;
}
