/** A lesson: the rules of a game by doing, step by step, on the felt and without stakes.
 *
 * The whole lesson is one reply: its steps are replays of the game's own script. Progress is kept
 * in this browser only. */
import { html, keyed, nothing } from '../../vendor/lit.js';
import { batch, computed, signal } from '../../vendor/signals.js';
import { guide } from '../keys.js';
import { flip, pace } from '../motion.js';
import { get } from '../net.js';
import { beats, fold } from '../scene.js';
import { facts, gameOf, games, route, say, settings, words } from '../store.js';
import { style } from '../style.js';
import { Words } from '../words.js';
import { Held, Rows, result } from './felt.js';
import { Cards, Confirm, byCards, unpick } from './lesson-cards.js';
import { Act, t, toldName } from './parts.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../protocol.js').LessonView} LessonView */
/** @typedef {import('../protocol.js').LessonStep} LessonStep */
/** @typedef {import('../protocol.js').LessonOption} LessonOption */
/** @typedef {{at: number, given: Record<string, string>}} Kept  the place, and answers by step */

const lesson = signal(/** @type {LessonView | null} */ (null));
const layout = signal(/** @type {import('./felt.js').Layout | null} */ (null));
const kept = signal(/** @type {Kept} */ ({ at: 0, given: {} }));
const shown = signal(0);
const moving = signal(false);

const step = computed(() => lesson.value?.steps[kept.value.at]);
const answer = computed(() => step.value?.options
  .find(({ id }) => id === kept.value.given[step.value?.id ?? '']));
const events = computed(() => [...step.value?.events ?? [], ...answer.value?.events ?? []]);
const scene = computed(() => fold(events.value.slice(0, shown.value)));
/** The prefix of a lesson's own texts among the words of the page. */
const OWN = 'lesson-text';
/** The words of this page and of the lesson, in the language of the page. */
const texts = computed(() => new Words(words.value.language, { ...words.value.templates,
  ...Object.fromEntries(Object.entries(lesson.value?.words[words.value.language] ?? {})
    .map(([key, text]) => [`${OWN}.${key}`, text])) }));

// Coming and going --------------------------------------------------------------------------------

/** @param {string} id */
export async function arrive(id) {
  if (!gameOf(id) || !facts[id]?.lesson) throw new Error(t('page.no-table'));
  lesson.value = null;
  const { language } = words.value;
  const [found, module, all] = await Promise.all([get(`/lessons/${id}`),
    import(`../../games/${id}/layout.js`),
    words.value.find('lesson.next') && words.value.find(`${id}.felt`)
      ? null : get(`/words/${language}`), style('lesson')]);
  if (route.value.name !== 'lesson' || route.value.id !== id) return;
  batch(() => {
    if (all) words.value = new Words(language, all);
    layout.value = module.default;
    kept.value = recalled(id, found);
    lesson.value = found;
  });
  put();
}

/** Where the player left a lesson. @param {string} id @param {LessonView} found
 * @returns {Kept} */
function recalled(id, { steps }) {
  try {
    const { at, given } = JSON.parse(localStorage.getItem(`lesson-${id}`) ?? '');
    return { at: Math.min(Math.max(0, Number(at) || 0), steps.length), given: { ...given } };
  } catch {
    return { at: 0, given: {} };
  }
}

/** @param {Kept} now */
function keep(now) {
  kept.value = now;
  localStorage.setItem(`lesson-${lesson.value?.game}`, JSON.stringify(now));
}

/** @param {number} at */
function go(at) {
  unpick();
  keep({ ...kept.value, at });
  put();
}

/** Show the step as it stands, without motion, and say it. */
function put() {
  shown.value = events.value.length;
  moving.value = false;
  const game = current();
  if (game) say((step.value ? [...before(game), question(game)] : [summary()]).join(' '));
  scrollTo(0, 0);
  requestAnimationFrame(guide);
}

/** Forget the answers to some steps, and go to the first of them. @param {number} from
 * @param {number} to */
function again(from, to) {
  const steps = lesson.value?.steps ?? [], given = { ...kept.value.given };
  for (const { id } of steps.slice(from, to)) delete given[id];
  unpick();
  keep({ at: from, given });
  put();
}

/** @param {string} option */
async function choose(option) {
  const now = step.value, game = current();
  if (!now || !game || answer.value || moving.value) return;
  const start = now.events.length;
  batch(() => {
    shown.value = start;
    moving.value = true;
    keep({ ...kept.value, given: { ...kept.value.given, [now.id]: option } });
  });
  say([...verdict(game), ...told(start, game)].join(' '));
  const all = events.value;
  for (const beat of beats(all, start)) {
    await flip(() => { shown.value = beat.end; }, pace(settings.value.speed), {});
    if (events.value !== all) return; // the player has gone on
  }
  moving.value = false;
  requestAnimationFrame(guide);
}

// What there is to say ----------------------------------------------------------------------------

/** The game, by the figures of the lesson. @returns {GameView | undefined} */
function current() {
  const found = lesson.value && gameOf(lesson.value.game);
  return found && lesson.value ? { ...found, sheet: lesson.value.sheet } : undefined;
}

/** A text of this step. @param {string} key @param {GameView} game @returns {string} */
const text = (key, game) => texts.value.write(`${OWN}.${step.value?.id}.${key}`,
  { ...game.sheet, stakes: step.value?.stakes }, game.id);

/** What stands before the question, and the cards, for those who listen. @param {GameView} game */
const before = (game) => [text('before', game), ...Object.entries(scene.value.zones)
  .filter(([, { length }]) => length)
  .map(([zone, places]) => t('read.zone', { zone, cards: places.map(({ card }) => card) },
    game.id))];

/** @param {GameView} game @returns {string} */
function question(game) {
  const { bet } = step.value ?? {}, { ask } = scene.value;
  if (bet) return t('lesson.asks', { bet }, game.id);
  return ask ? words.value.tell(ask, game.id) : '';
}

/** What an answer costs against the best, in cents. @param {LessonStep} now
 * @param {LessonOption | undefined} taken */
function costOf({ options, unit_cents: unit }, taken) {
  if (!taken || taken.right || taken.value === null) return 0;
  return (Math.max(...options.map(({ value }) => value ?? -Infinity)) - taken.value) * unit;
}

/** @param {number} cents */
const money = (cents) => (cents > 0 && cents < 0.5 ? t('lesson.cent')
  : words.value.money(Math.round(cents)));

/** What an answer is called in a sentence; of a set, what goes low.
 * @param {LessonOption} option @param {GameView} game */
function label({ id, net_cents: net }, game) {
  if (net !== null) return words.value.signed(net);
  const option = asked()?.options.find((each) => each.id === id) ?? { id, hands: {} };
  const { low } = /** @type {Record<string, import('../protocol.js').HandName>} */ (option.hands);
  return low ? t('lesson.low', { hand: words.value.hand(low, game.id) }) : toldName(option, game);
}

/** The script's question of this step, answered or not. */
const asked = () => /** @type {import('../scene.js').Asked | undefined} */ (
  step.value?.events.findLast(({ kind }) => kind === 'asked'));

/** Whether the answer is right, and the rule that says why. @param {GameView} game
 * @returns {string[]} */
function verdict(game) {
  const now = step.value, taken = answer.value;
  if (!now || !taken) return [];
  const best = now.options.filter(({ right }) => right);
  const args = { bet: now.bet, option: label(taken, game), best: label(best[0], game),
    cost: money(costOf(now, taken)), unit: now.unit_cents };
  const how = now.bet ? (taken.right ? 'bet-right' : 'bet-wrong')
    : !taken.right ? 'wrong' : best.length > 1 ? 'equal' : 'right';
  const own = texts.value.find(`${OWN}.${now.id}.wrong.${taken.id}`);
  return [t(`lesson.${how}`, args, game.id),
    text(own && !taken.right ? `wrong.${taken.id}` : 'why', game)];
}

/** The events after the answer, in words. @param {number} start @param {GameView} game */
const told = (start, game) => events.value.slice(start)
  .filter(({ kind }) => ['revealed', 'named', 'said', 'settled', 'ended'].includes(kind))
  .map((event) => words.value.tell(event, game.id));

/** The answers that were given, and how many are right. */
function results() {
  const steps = lesson.value?.steps ?? [];
  const { given } = kept.value;
  const taken = steps.map((each) => each.options.find(({ id }) => id === given[each.id]));
  return { steps, taken, right: taken.filter((option) => option?.right).length };
}

/** Whether the player knows the table: at least so large a part of the answers is right. */
const KNOWN = 0.75;
const known = () => results().right >= KNOWN * results().steps.length;

/** How the lesson went. */
function summary() {
  const { steps, taken, right } = results();
  const cost = steps.reduce((sum, each, at) => sum + costOf(each, taken[at]), 0);
  return [t('lesson.done', { right, count: steps.length }),
    t(cost ? 'lesson.cost' : 'lesson.free', { cost: money(cost) })].join(' ');
}

// The page ----------------------------------------------------------------------------------------

/** @param {string} id */
export function View(id) {
  const game = current(), now = step.value;
  if (!game || !layout.value || game.id !== id)
    return html`<main class="page" aria-busy="true"></main>`;
  const count = lesson.value?.steps.length ?? 0, { at } = kept.value;
  return html`<main class="page replay lesson ${id}" data-step=${now?.id ?? 'end'}
    data-ready=${moving.value ? nothing : answer.value ? 'answered' : 'asked'}>
    <div class="row top"><strong class="tag">${t('lesson.tag')}</strong>
      <b>${t('title', {}, id)}</b>
      <label class="place"><span>${t('lesson.place', { at: Math.min(at + 1, count),
        count })}</span><progress max=${count} value=${at + (answer.value ? 1 : 0)}></progress>
      </label></div>
    ${now ? Step(layout.value, game, now) : End(game)}
    <nav class="row foot" aria-label=${t('lesson.moves')}>
      ${Act(t('lesson.back'), 'ArrowLeft', () => go(at - 1), { off: at === 0 })}
      ${Act(t('lesson.restart'), '', () => again(0, count), { off: !at && !answer.value })}
      <a href="/table/${id}">${t('lesson.table')}</a>
      <a href="/help/${id}">${t('view.help')}</a></nav></main>`;
}

/** New buttons are new elements: a press meant for the old ones does not reach them.
 * @param {import('./felt.js').Layout} lies @param {GameView} game @param {LessonStep} now */
function Step(lies, game, now) {
  const cards = !answer.value && !now.bet && byCards(lies, asked());
  const choosing = cards ? Cards(lies, asked(), game) : undefined;
  return html`<div class="felt">${Rows(lies, game, scene.value, Message(game),
      { choosing, won: Boolean(scene.value.ended && result(scene.value.ended).tone === 'win') })}
      <div class="spots" role="group" aria-label=${t('spots.title')}>${lies.bets
        .filter((bet) => scene.value.bets[bet]).map((bet) => Held(bet, game, scene.value))}</div>
    </div>
    <section class="tutor" aria-label=${t('lesson.tutor')}>
      <div class="words">${answer.value ? Verdict(game, answer.value.right)
        : html`<p>${text('before', game)}</p>`}</div>
      ${keyed(`${now.id} ${answer.value?.id}`, html`<div class="acts" role="group"
        aria-label=${t('lesson.answer')}>${answer.value ? Onward()
          : cards ? Confirm(asked(), game, choose) : Options(game, now)}</div>`)}</section>`;
}

/** The sentence in the middle of the felt. @param {GameView} game */
function Message(game) {
  const { said, ended, ask } = scene.value;
  let now = question(game), tone = '';
  if (answer.value) {
    now = ask && !moving.value ? t('lesson.goes-on') : '';
    if (ended) ({ text: now, tone } = result(ended));
  }
  return html`<div class="middle"><div class="message ${tone}"><p>${now}</p>${said.map((event) =>
    html`<small>${words.value.tell(event, game.id)}</small>`)}</div></div>`;
}

/** @param {GameView} game @param {boolean} right */
function Verdict(game, right) {
  const [first, why] = verdict(game);
  return html`<p class="verdict ${right ? 'right' : 'wrong'}"><span
    aria-hidden="true">${right ? '✓' : '✗'}</span> <b>${first}</b></p><p>${why}</p>`;
}

const Onward = () => [
  Act(t('lesson.retry'), '', () => again(kept.value.at, kept.value.at + 1), { off: moving.value }),
  Act(t('lesson.next'), 'Space', () => go(kept.value.at + 1), { off: moving.value,
    kind: 'primary' }),
];

/** The answers, with the keys and names of the table. @param {GameView} game
 * @param {LessonStep} now */
function Options(game, now) {
  if (now.bet) {
    return now.options.map((option, at) => Act(label(option, game), String(at + 1),
      () => choose(option.id), { kind: 'option', note: t(`outcome.${outcome(option)}`) }));
  }
  return asked()?.options.map(({ id, stake_cents: cents, why_not: why }) => Act(
    t(`option.${id}`, {}, game.id), t(`key.${id}`, {}, game.id), () => choose(id),
    { kind: 'option', off: Boolean(why), note: why ? t(`why-not.${why}`, {}, game.id)
      : cents ? words.value.money(cents) : '' }));
}

/** @param {LessonOption} option */
const outcome = ({ net_cents: net }) => (Number(net) > 0 ? 'won' : net === 0 ? 'returned' : 'lost');

/** The end: to the table, or once more through the lesson. @param {GameView} game */
const End = (game) => html`<section class="tutor end"><h2>${
    t(known() ? 'lesson.end' : 'lesson.end-again')}</h2>
  <p>${summary()}</p>
  <div class="acts">${known() ? html`<a class="act primary" href="/table/${game.id}"
    aria-keyshortcuts="Space">${t('lesson.sit')}</a>` : Act(t('lesson.restart'), 'Space',
    () => again(0, results().steps.length), { kind: 'primary' })}<a class="act"
    href="/drill/${game.id}">${t('lesson.practise')}</a><a class="act"
    href="/position/${game.id}">${t('page.study')}</a></div>
  <h3>${t('lesson.others')}</h3>
  <p class="row">${games.filter(({ id }) => id !== game.id && facts[id]?.lesson).map(({ id }) =>
    html`<a href="/lesson/${id}">${t('title', {}, id)}</a>`)}</p></section>`;
