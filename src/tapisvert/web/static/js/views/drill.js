/** Practice: questions near the player's own mistakes, without stakes, and the cost of each
 * answer. */
import { html, nothing } from '../../vendor/lit.js';
import { computed, signal } from '../../vendor/signals.js';
import { guide } from '../keys.js';
import { consulted } from '../consult.js';
import { fold } from '../scene.js';
import { COSTLY, gameOf, games, learn, route, say, words } from '../store.js';
import { Rows } from './felt.js';
import { Act, optionName, t, units } from './parts.js';
import { Silent, Values, ofStake } from './values.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../protocol.js').Drill} Drill */

/** Answers stored in this browser per game, and how many of them count as the
 * latest. */
const KEPT = 200, LATEST = 20;

const drill = signal(/** @type {Drill | null} */ (null));
const layout = signal(/** @type {import('./felt.js').Layout | null} */ (null));
const silent = signal(/** @type {import('../consult.js').Silence | null} */ (null));
/** The option that was taken. */
const taken = signal('');
/** The costs of the answers at this game, oldest first. */
const costs = signal(/** @type {number[]} */ ([]));
const scene = computed(() => fold(drill.value?.events ?? []));
let next = /** @type {Promise<Drill | null> | null} */ (null);

/** @param {string} game @returns {number[]} */
function kept(game) {
  try {
    return JSON.parse(localStorage.getItem(`drill-${game}`) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {string} id @returns {Promise<Drill | null>} */
const asked = (id) => consulted(id, `/drill/${id}`, () => route.value.name === 'drill'
  && route.value.id === id,
  (why) => { silent.value = why; });

/** @param {string} id */
export async function arrive(id) {
  if (!gameOf(id)) throw new Error(t('page.no-table'));
  drill.value = next = null;
  costs.value = kept(id);
  const [module] = await Promise.all([import(`../../games/${id}/layout.js`), learn(id)]);
  layout.value = module.default;
  await put(id);
}

/** Show the next question; fetch the one after it meanwhile.
 * @param {string} id */
async function put(id) {
  const coming = next ?? asked(id);
  next = null;
  taken.value = '';
  drill.value = null;
  const found = await coming;
  if (!found || route.value.name !== 'drill' || route.value.id !== id) return;
  drill.value = found;
  const { ask } = scene.value;
  if (ask) say(words.value.tell(ask, id));
  requestAnimationFrame(guide);
}

/** @param {Drill} found @param {string} option */
const costOf = ({ advice: { options, best } }, option) => options[best] - options[option];

/** @param {Drill} found @param {GameView} game @param {string} id */
const label = (found, game, id) => optionName(found.ask.options.find((option) => option.id === id)
  ?? { id, hands: {} }, game);

/** @param {Drill} found @param {GameView} game @param {string} option */
function answer(found, game, option) {
  if (taken.value) return;
  taken.value = option;
  costs.value = [...costs.value, Math.max(0, costOf(found, option))].slice(-KEPT);
  localStorage.setItem(`drill-${game.id}`, JSON.stringify(costs.value));
  say(verdict(found, game));
  requestAnimationFrame(guide);
  next = asked(game.id);
}

/** What there is to say of the answer. @param {Drill} found @param {GameView} game */
function verdict(found, game) {
  const cost = costOf(found, taken.value), best = label(found, game, found.advice.best);
  const how = cost <= 0 ? 'right' : cost <= COSTLY ? 'near' : 'wrong';
  return t(`drill.${how}`, { option: label(found, game, taken.value), best, part: ofStake(cost) });
}

/** @param {string} id */
export function View(id) {
  const game = gameOf(id), found = drill.value;
  if (!game || !layout.value) return html`<main class="page" aria-busy="true"></main>`;
  const text = taken.value && found ? verdict(found, game) : scene.value.ask
    ? words.value.tell(scene.value.ask, id)
    : silent.value ? Silent(silent.value) : t('drill.dealing');
  const good = found && taken.value && costOf(found, taken.value) <= COSTLY;
  return html`<main class="page replay drill ${id}" aria-busy=${!found}
    data-ready=${found ? (taken.value ? 'answered' : 'asked') : nothing}>
    <p class="row"><strong class="tag">${t('drill.tag')}</strong> <b>${t('title', {}, id)}</b></p>
    <div class="felt">${Rows(layout.value, game, scene.value,
      html`<div class="message ${taken.value ? (good ? 'win' : 'told') : ''}"><p>${
        text}</p></div>`)}</div>
    <div class="answers">${found ? Answers(found, game) : nothing}</div>
    ${Progress(found)}
    <nav class="row games" aria-label=${t('drill.games')}><span
      class="dim">${t('drill.games')}</span>
      ${games.map((each) =>
        (each.id === id
        ? nothing : html`<a href="/drill/${each.id}">${t('title', {},
        each.id)}</a>`))}</nav></main>`;
}

/** The options, all of equal weight; once one was taken, what each was worth. @param {Drill} found
 * @param {GameView} game */
function Answers(found, game) {
  if (taken.value) {
    return html`<div class="acts">${Act(t('drill.next'), 'Space', () => put(game.id),
      { kind: 'primary' })}</div>
      <section class="coach">${Values(found.advice, (id) => label(found, game, id),
        taken.value)}
        <p><a href=${found.advice.position}>${t('what-if.position')}</a></p></section>`;
  }
  const legal = found.ask.options.filter((option) => option.legal);
  return html`<div class="acts ${legal.length > 6 ? 'many' : ''}" role="group"
    aria-label=${t('drill.answer')}>${legal.map((option, at) => (
    Act(optionName(option, game), at < 9 ? String(at + 1) : '',
      () => answer(found, game, option.id), { kind: 'option', note: cards(option) })))}</div>`;
}

/** The cards of a set: two of the same name may be of other suits.
 * @param {import('../protocol.js').OptionView} option */
const cards = ({ id, hands }) => ('low' in hands ? id.split(' ')
  .map((card) => words.value.card(card)).join(', ') : '');

/** @param {readonly number[]} list */
const mean = (list) => list.reduce((sum, cost) => sum + cost, 0) / list.length;

/** Results in practice and at the table, and the reason for this question.
 * @param {Drill | null} found */
function Progress(found) {
  const latest = costs.value.slice(-LATEST), mine = found?.mine, because = found?.because;
  return html`<section class="progress"><h2>${t('drill.progress')}</h2>
    <dl class="figures"><div><dt>${t('drill.latest')}</dt>
        <dd>${latest.length ? t('drill.of', { right: latest.filter((cost) => cost <= COSTLY).length,
          count: latest.length }) : '–'}</dd></div>
      <div><dt>${t('drill.mean')}</dt><dd>${latest.length ? units(-mean(latest)) : '–'}</dd></div>
      <div><dt>${t('drill.real')}</dt><dd>${mine && mine.mean_cost !== null
        ? units(-mine.mean_cost) : '–'}</dd></div></dl>
    ${costs.value.length > 1 ? Line(costs.value) : nothing}
    ${mine ? html`<p>${t('drill.mine', { looked: mine.looked_at, rounds: mine.rounds,
      mistakes: mine.mistakes, decisions: mine.decisions })}</p>
      <p>${because ? t('drill.because', { part: ofStake(because.cost) }) : t('drill.close')}</p>`
        : nothing}
    <p class="dim">${t('drill.kept')}</p>
    <p class="row">${because ? html`<a href="/r/${because.round_id}">${t('drill.see')}</a>`
      : nothing}
      <a href="/statistics">${t('view.statistics')}</a></p></section>`;
}

/** The mean cost of the latest answers, as it went. @param {readonly number[]} list */
function Line(list) {
  const means = list.map((_, at) => mean(list.slice(Math.max(0, at + 1 - LATEST), at + 1)));
  const most = Math.max(...means) || 1;
  const points =
    means.map((cost, at) => `${(400 * at / (means.length - 1)).toFixed(1)},${(100 * cost / most)
    .toFixed(2)}`);
  return html`<svg class="line" viewBox="0 -2 400 104" preserveAspectRatio="none" role="img"
    aria-label=${t('drill.line', { first: units(-means[0]), last: units(-means[means.length - 1]),
      count: means.length })}>
    <line class="zero" x1="0" x2="400" y1="0" y2="0"></line><polyline class="net"
      points=${points.join(' ')}></polyline></svg>`;
}
