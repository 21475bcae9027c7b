/** A question of a finished round once more, as practice: it asks first and judges afterwards.
 * The deck is that of the round; nothing is staked or stored. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { consulted } from '../consult.js';
import { guide } from '../keys.js';
import { get } from '../net.js';
import { fold } from '../scene.js';
import { learn, route, say, whole, words } from '../store.js';
import { style } from '../style.js';
import { Rows } from './felt.js';
import { Grade } from './graded.js';
import { Act, Busy, money, optionName, t, toldName } from './parts.js';
import { Silent, Values } from './values.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../protocol.js').AnyEvent} AnyEvent */
/** @typedef {import('../protocol.js').WhatIf} Branch */
/** @typedef {import('../protocol.js').AdviceView} AdviceView */
/** @typedef {import('../scene.js').Asked} Asked */
/**
 * A question, and what its player answered.
 * @typedef {object} Question
 * @property {string} round @property {GameView} game @property {import('./felt.js').Layout} layout
 * @property {AnyEvent[]} events  up to the question @property {Asked} asked
 * @property {string[]} before  the choices before it @property {string} was
 */

const question = signal(/** @type {Question | null} */ (null));
const taken = signal('');
const branch = signal(/** @type {Branch | null} */ (null));
const played = signal(/** @type {Branch | null} */ (null));
const found = signal(/** @type {AdviceView | null} */ (null));
const silent = signal(/** @type {import('../consult.js').Silence | null} */ (null));

/** @param {string[]} choices */
const asked = (choices) => new URLSearchParams(choices.map((choice) => ['choice', choice]));

/** Take the answer back. */
function ask() {
  taken.value = '';
  branch.value = found.value = silent.value = null;
  const put = question.value;
  if (put) say(words.value.tell(put.asked, put.game.id));
  requestAnimationFrame(guide);
}

/** @param {string} id a round, and a step of it */
export async function arrive(id) {
  question.value = null;
  const [round, step] = id.split('/');
  const recall = /** @type {import('../protocol.js').Recall} */ (await get(
    `/rounds/${round}/recall`));
  const { events, game: name } = recall.round;
  const at = events.findIndex((event) => event.kind === 'asked' && event.step === Number(step));
  const put = events[at];
  if (put?.kind !== 'asked') throw new Error(t('page.lost'));
  const [module, game] = await Promise.all([import(`../../games/${name}/layout.js`), whole(name),
    learn(name), learn(undefined, 'again.tag'), style('review')]);
  const chosen = events.flatMap((event) => (event.kind === 'chose' ? [event] : []));
  if (route.value.id !== id) return;
  question.value = { round, game, layout: module.default, events: events.slice(0, at + 1),
    asked: put, was: chosen.find((event) => event.step === put.step)?.option ?? '',
    before: chosen.filter((event) => event.step < put.step).map(({ option }) => option) };
  ask();
}

/** @param {Question} put @param {string} option */
async function answer(put, option) {
  if (taken.value) return;
  taken.value = option;
  const wanted = () => question.value === put && taken.value === option;
  const [mine, theirs] = await Promise.all([option, put.was].map((choice) =>
    get(`/rounds/${put.round}/what-if?${asked([...put.before, choice])}`)));
  if (!wanted()) return;
  [branch.value, played.value] = [mine, theirs];
  const values = await consulted(put.game.id,
    `/rounds/${put.round}/what-if/advice?${asked(put.before)}`, wanted,
    (why) => { silent.value = why; });
  if (!wanted()) return;
  found.value = values;
  say(verdict(put));
  requestAnimationFrame(guide);
}

/** @param {Question} put @param {string} id */
const label = ({ asked: { options }, game }, id, name = optionName) => name(options.find(
  (option) => option.id === id) ?? { id, hands: {} }, game);

/** What the answer is worth, in a sentence. @param {Question} put */
function verdict(put) {
  const values = found.value;
  if (!values) return t('again.shown', { option: label(put, taken.value, toldName) });
  const cost = values.options[values.best] - values.options[taken.value];
  return t(cost > 1e-9 ? 'again.wrong' : 'again.right', {
    option: label(put, taken.value, toldName), best: label(put, values.best, toldName),
    money: words.value.money(Math.round(cost * values.unit_cents)) });
}

/** @param {Branch} of */
const netOf = (of) => of.returned_cents - of.staked_cents;

/** What the answer and the one at the table came to, with these cards. @param {Question} put */
function Result(put) {
  const [mine, theirs] = [branch.value, played.value];
  if (!mine || !theirs) return nothing;
  const told = mine.ask ? t('again.goes-on') : t('again.here', { net: money(netOf(mine)) });
  return html`<p>${told} ${taken.value === put.was ? t('again.same')
    : t('again.was', { option: label(put, put.was, toldName), net: theirs.ask ? '…'
      : money(netOf(theirs)) })}</p>`;
}

/** @param {Question} put */
function Answered(put) {
  const values = found.value;
  return html`<div class="acts">${Act(t('again.again'), 'Space', ask, { kind: 'primary' })}</div>
    <section class="coach">${values ? html`<p>${Grade(values.options[values.best]
      - values.options[taken.value])}</p>` : nothing}${Result(put)}
    ${values ? Values(values, (id) => label(put, id), taken.value)
      : html`<p>${Silent(silent.value)}</p>`}</section>`;
}

/** @param {import('../protocol.js').Option} option */
const cards = ({ id, hands }) => ('low' in hands ? id.split(' ')
  .map((card) => words.value.card(card)).join(', ') : '');

/** The keys of an option: the table's, and a digit.
 * @param {import('../protocol.js').Option} option @param {number} at @param {GameView} game */
function keysOf({ id }, at, game) {
  const digit = at < 9 ? String(at + 1) : '', key = words.value.find(`key.${id}`, game.id);
  return key ? [key, digit] : [digit, ''];
}

/** The options, all of equal weight. @param {Question} put */
function Options(put) {
  const legal = put.asked.options.filter(({ why_not: why }) => why === null);
  return html`<div class="acts ${legal.length > 6 ? 'many' : ''}" role="group"
    aria-label=${t('drill.answer')}>${legal.map((option, at) => {
      const [key, also] = keysOf(option, at, put.game);
      return Act(optionName(option, put.game), key, () => answer(put, option.id),
        { kind: 'option', note: cards(option), also });
    })}</div>`;
}

export function View() {
  const put = question.value;
  if (!put) return Busy('page');
  const { id } = put.game, scene = fold(branch.value?.events ?? put.events);
  const ready = taken.value ? (found.value || silent.value ? 'answered' : nothing) : 'asked';
  return html`<main class="page replay drill again ${id}" data-ready=${ready}>
    <p class="row"><strong class="tag">${t('again.tag')}</strong> <b>${t('title', {}, id)}</b>
      <a href="/session">${t('view.session')}</a>
      <a href="/r/${put.round}">${t('history.replay')}</a></p>
    <div class="felt">${Rows(put.layout, put.game, scene, html`<div class="message
      ${taken.value ? 'told' : ''}" role="status"><p>${taken.value ? verdict(put)
        : words.value.tell(put.asked, id)}</p></div>`)}</div>
    <div class="answers">${taken.value ? Answered(put) : Options(put)}</div>
    <p class="dim">${t('again.explain')}</p></main>`;
}
