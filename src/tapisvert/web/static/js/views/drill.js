/** Practice: the server asks what is due or weak, without stakes, and grades the answer. The
 * question lies on the felt as at the table, with the same cards, buttons and keys. */
import { html, nothing } from '../../vendor/lit.js';
import { effect, signal } from '../../vendor/signals.js';
import { consulted } from '../consult.js';
import { gradeOf } from '../grades.js';
import { guide } from '../keys.js';
import { get, post } from '../net.js';
import * as play from '../play.js';
import { COSTLY, gameOf, games, learn, route, say, words } from '../store.js';
import { style } from '../style.js';
import { Rows } from './felt.js';
import { Act, optionName, t, toldName } from './parts.js';
import { Progress } from './practice.js';
import { Options } from './table.js';
import { Silent, Values, ofStake } from './values.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../protocol.js').PracticeView} PracticeView */
/** @typedef {import('../protocol.js').PracticeReply} PracticeReply */

const asked = signal(/** @type {PracticeView | null} */ (null));
const layout = signal(/** @type {import('./felt.js').Layout | null} */ (null));
const silent = signal(/** @type {import('../consult.js').Silence | null} */ (null));
/** The option that was taken, and what the server says of it. */
const taken = signal('');
const told = signal(/** @type {PracticeReply | null} */ (null));
const progress = signal(/** @type {import('../protocol.js').Progress | null} */ (null));
/** The theme the player has chosen, or none. */
const theme = signal(/** @type {string | null} */ (null));

/** Requests for questions, one after the other; only the latest is shown. */
let coming = /** @type {Promise<PracticeView | null>} */ (Promise.resolve(null));
let turn = 0, fetched = false;

const here = (/** @type {string} */ id) => route.value.name === 'drill' && route.value.id === id;

// Whoever leaves takes the question from the table.
effect(() => { if (route.value.name !== 'drill' && play.phase.peek() === 'practice')
  play.pose(null); });

/** Minutes from UTC: a day of practice ends at the player's midnight. */
const offset = () => -new Date().getTimezoneOffset();

/** Ask for a question after all earlier requests. @param {string} id */
function request(id) {
  const mine = turn += 1, sent = { theme: theme.value };
  const wanted = () => here(id) && turn === mine;
  coming = coming.catch(() => null).then(() => (wanted() ? consulted(id,
    `/practice/${id}/questions`, wanted, (why) => { silent.value = why; }, sent) : null));
}

/** @param {string} id */
export async function arrive(id) {
  if (!gameOf(id)) throw new Error(t('page.no-table'));
  asked.value = told.value = progress.value = theme.value = null;
  fetched = false;
  const [module, , , found] = await Promise.all([import(`../../games/${id}/layout.js`),
    learn(id, words.value.find('drill.kept') ? 'felt' : '-'), style('drill'),
    get(`/practice/${id}?utc_offset_min=${offset()}`)]);
  layout.value = module.default;
  progress.value = found;
  await put(id);
}

/** Show the next question. @param {string} id */
async function put(id) {
  if (!fetched) request(id);
  fetched = false;
  const mine = turn;
  taken.value = '';
  asked.value = told.value = null;
  const found = await coming;
  if (!found || !here(id) || turn !== mine) return;
  asked.value = found;
  play.pose(/** @type {any} */ ({ ...found, state: 'practice' }),
    (option) => { answer(found, option); });
  if (play.scene.value.ask) say(words.value.tell(play.scene.value.ask, id));
  requestAnimationFrame(guide);
}

/** Practise one theme, or everything. @param {string} id @param {string | null} wanted */
function choose(id, wanted) {
  theme.value = wanted;
  fetched = false;
  put(id);
}

/** @param {PracticeView} found @param {string} option */
async function answer(found, option) {
  if (taken.value) return;
  taken.value = option;
  try {
    const reply = await post(`/practice/${found.game}/answers`,
      { question: found.id, choice: option, utc_offset_min: offset() });
    if (asked.value !== found) return;
    told.value = reply;
    progress.value = reply.outcome.progress;
    const game = gameOf(found.game);
    if (game) say(verdict(found, reply, game).join(' '));
    requestAnimationFrame(guide);
    request(found.game); // while the player reads
    fetched = true;
  } catch {
    if (asked.value === found) put(found.game); // answered in another tab
  }
}

/** @param {PracticeView} found @param {GameView} game @param {string} id */
const label = (found, game, id, name = optionName) => name(found.ask.options.find((option) =>
  option.id === id) ?? { id, hands: {} }, game);

/** Whether the best two choices are nearly equal, and the one that was taken nearly as good.
 * @param {PracticeReply} reply */
function close({ advice: { options }, outcome: { cost } }) {
  const [best, next] = Object.values(options).sort((one, other) => other - one);
  return gradeOf(best - next) === 'inaccuracy' && ['best', 'inaccuracy'].includes(gradeOf(cost));
}

/** What there is to say of the answer. @param {PracticeView} found @param {PracticeReply} reply
 * @param {GameView} game @returns {string[]} */
function verdict(found, reply, game) {
  const { choice, advice, outcome } = reply, { cost, again_at: again, learned } = outcome;
  const how = cost <= 0 ? 'right' : cost <= COSTLY ? 'near' : 'wrong';
  const left = again ? words.value.duration(Math.max(60, (Date.parse(again) - Date.now())
    / 1000)) : '';
  const soon = again && Date.parse(again) - Date.now() < 3_600_000;
  return [t(`drill.${how}`, { option: label(found, game, choice, toldName), part: ofStake(cost),
    best: label(found, game, advice.best, toldName) }),
  ...(close(reply) ? [t('drill.close')] : []),
  ...(again ? [t(`drill.${learned ? 'learned' : soon ? 'soon' : 'again'}`, { left })] : [])];
}

/** Why this question is asked, if the player has met it before. @param {PracticeView} found */
const why = ({ because, repeated }) => (because ? [t('drill.because',
  { part: ofStake(because.cost) })] : repeated ? [t('drill.repeat')] : []);

/** @param {string} id */
export function View(id) {
  const game = gameOf(id), found = asked.value, at = layout.value, { ask } = play.scene.value;
  if (!game || !at || !progress.value) return html`<main class="page" aria-busy="true"></main>`;
  const reply = told.value, lines = reply && found ? verdict(found, reply, game) : [];
  const text = lines[0] ?? (found && ask ? words.value.tell(ask, id)
    : silent.value ? Silent(silent.value) : t('drill.dealing'));
  const good = reply && reply.outcome.cost <= COSTLY;
  const choosing = found && !taken.value ? at.choosing : undefined;
  const notes = reply ? lines.slice(1)
    : found ? [...why(found), ...choosing?.told(game) ?? []] : [];
  const scene = found ? play.scene.value : { ...play.scene.value, zones: {}, names: {} };
  const acts = found && !reply ? html`<div class="acts practice" role="group"
    aria-label=${t('drill.answer')}>${at.choosing ? at.choosing.Options(game, Boolean(taken.value))
    : Options(game, at, Boolean(taken.value))}</div>` : nothing;
  const onHand = at.onHand?.includes(ask?.key ?? '');
  return html`<main class="page replay drill ${id}" aria-busy=${!found}
    data-ready=${reply ? 'answered' : found && !taken.value ? 'asked' : nothing}>
    <p class="row"><strong class="tag">${t('drill.tag')}</strong> <b>${t('title', {}, id)}</b>
      ${found && words.value.find(`theme.${found.theme}`, id)
        ? html`<span class="about">${t(`theme.${found.theme}`, {}, id)}</span>` : nothing}</p>
    <div class="felt">${Rows(at, game, scene,
      html`<div class="message ${reply ? (good ? 'win' : 'told') : ''}"><p>${
        text}</p>${notes.map((each) => html`<small>${each}</small>`)}</div>`,
      { choosing, answers: onHand ? acts : nothing })}</div>
    <div class="answers">${reply && found ? html`<div class="acts">${Act(t('drill.next'), 'Space',
      () => put(id), { kind: 'primary' })}${found.because ? html`<a class="act"
        href="/r/${found.because.round_id}">${t('drill.see')}</a>` : nothing}<a class="act"
        href=${reply.advice.position}>${t('what-if.position')}</a></div>
      <section class="coach">${Values(reply.advice, (option) => label(found, game, option),
        reply.choice)}</section>`
      : onHand ? nothing : acts}</div>
    ${Progress(game, progress.value, theme.value, (wanted) => choose(id, wanted), found?.mine)}
    <nav class="row games" aria-label=${t('drill.games')}>
      <a href="/table/${id}">${t('drill.table')}</a> <span class="dim">${t('drill.games')}</span>
      ${games.map((each) => (each.id === id ? nothing
        : html`<a href="/drill/${each.id}">${t('title', {}, each.id)}</a>`))}</nav></main>`;
}
