/** The end of a session: how well its choices were made, and the three costliest. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { centsOf, costliest } from '../grades.js';
import { get } from '../net.js';
import { ofSession, review } from '../reviews.js';
import { fold } from '../scene.js';
import { gameOf, learn, net, words } from '../store.js';
import { style } from '../style.js';
import { Accuracy, Grade } from './graded.js';
import { Hands } from './hands.js';
import { money, optionName, t } from './parts.js';
import { Silent, ofStake } from './values.js';

/** @typedef {import('../protocol.js').RoundReview} RoundReview */
/** @typedef {import('../protocol.js').JudgedChoice} JudgedChoice */
/** @typedef {import('../scene.js').Asked} Asked */
/** @typedef {JudgedChoice & {round: string, game: string}} Choice */
/** @typedef {{choice: Choice, asked: Asked, scene: import('../scene.js').Scene}} Position */

const SHOWN = 3;

const rounds = signal(/** @type {number | null} */ (null));
const reviews = signal(/** @type {RoundReview[]} */ ([]));
const silent = signal(/** @type {import('../consult.js').Silence | null} */ (null));
const positions = signal(/** @type {Position[] | null} */ (null));
let asking = {};

/** Review the rounds of this session. */
export async function load() {
  const mine = asking = {};
  const wanted = () => asking === mine;
  silent.value = positions.value = rounds.value = null;
  reviews.value = [];
  const [list] = await Promise.all([ofSession(), style('review'),
    learn(undefined, 'session.title')]);
  if (!wanted()) return;
  rounds.value = list.length;
  await review(list, wanted, (found, why) => {
    reviews.value = found;
    silent.value = why;
  });
  const shown = await Promise.all(costliest(choices(), SHOWN).map(position));
  if (wanted()) positions.value = shown.flat();
}

/** @returns {Choice[]} */
const choices = () => reviews.value.flatMap((each) => each.choices.map((choice) =>
  ({ ...choice, round: each.round_id, game: each.game })));

/** What lay on the table when a choice was made. @param {Choice} choice
 * @returns {Promise<Position[]>} none if its game is not installed any more */
async function position(choice) {
  const [{ round: { events } }] = await Promise.all([get(`/rounds/${choice.round}/recall`),
    learn(choice.game)]);
  const at = events.findIndex((/** @type {Asked} */ event) => event.kind === 'asked'
    && event.step === choice.step);
  return gameOf(choice.game) && at >= 0
    ? [{ choice, asked: events[at], scene: fold(events.slice(0, at + 1)) }] : [];
}

/** @param {Position} position */
function Costly({ choice, asked, scene }) {
  const { round, game, step, cost } = choice, cents = Math.round(centsOf(choice));
  const name = (/** @type {string} */ id) => optionName(asked.options.find((option) =>
    option.id === id) ?? { id, hands: {} }, /** @type {any} */ (gameOf(game)));
  return html`<li><article><header><h3>${t('title', {}, game)}</h3>${Grade(cost)}</header>
    ${Hands(scene, game)}
    <p>${words.value.tell(asked, game)}</p>
    <dl><div><dt>${t('session.chosen')}</dt><dd>${name(choice.choice)}</dd></div>
      <div><dt>${t('session.best')}</dt><dd>${name(choice.best)}</dd></div>
      <div><dt>${t('session.costs')}</dt>
        <dd><b>${words.value.money(cents)}</b> <small>${ofStake(cost)}</small></dd></div></dl>
    <p class="row"><a class="act primary" href="/again/${round}/${step}">${t('session.again')}</a>
      <a href="/r/${round}">${t('history.replay')}</a></p></article></li>`;
}

/** The three costliest choices, or why there are none. */
function Costliest() {
  if (silent.value) return html`<p>${Silent(silent.value)}</p>`;
  if (!positions.value) return html`<p class="dim" role="status">${t('session.counting')}</p>`;
  if (!choices().length) return nothing;
  return positions.value.length ? html`<ol class="costly">${positions.value.map(Costly)}</ol>`
    : html`<p class="message win">${t('session.flawless')}</p>`;
}

/** The review as a part of another page: nothing before the first round. */
export const Review = () => (rounds.value ? html`<section class="review">
  <h2>${t('session.title')}</h2>
  ${reviews.value.length ? Accuracy(choices(), reviews.value.length) : nothing}
  <h3>${t('session.costliest')}</h3>${Costliest()}</section>` : nothing);

export const arrive = load;

export function View() {
  if (rounds.value === null) return html`<main class="page" aria-busy="true"></main>`;
  return html`<main class="page session"
    data-ready=${positions.value ? '' : nothing}>
    ${rounds.value ? html`<dl class="figures"><div><dt>${t('statistics.rounds')}</dt>
        <dd>${rounds.value}</dd></div>
      <div><dt>${t('shell.net')}</dt><dd>${money(net.value)}</dd></div></dl>${Review()}`
      : html`<p class="message">${t('session.none')}</p>`}
    <p class="row"><a class="act ${rounds.value ? '' : 'primary'}" href="/">${t('view.lobby')}</a>
      <a class="act" href="/statistics">${t('view.statistics')}</a></p>
    ${rounds.value ? html`<details><summary>${t('session.how')}</summary>
      <p>${t('session.how-grades')}</p><p>${t('session.how-sums')}</p></details>` : nothing}
  </main>`;
}
