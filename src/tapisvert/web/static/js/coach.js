/** The coach: what every option is worth, asked of the house, and what choices have cost. The house
 * counts. */
import { computed, effect, signal, untracked } from '../vendor/signals.js';
import { consulted } from './consult.js';
import * as play from './play.js';
import { COSTLY, countMistake, panel, settings } from './store.js';

/** @typedef {import('./protocol.js').AdviceView} AdviceView */

/** His last answer, and the round it is about. */
const answer = signal(/** @type {{round: string, body: AdviceView} | null} */ (null));
/** Advice for the question that waits. An answer to an earlier question is never shown, not even
 * for one effect. */
export const advice = computed(() => {
  const { id, ask } = play.phase.value === 'decide' && play.round.value || {};
  return answer.value && answer.value.round === id && answer.value.body.step === ask?.step
    ? answer.value.body : null;
});
/** Why there is no advice: he is on his way, or has none to give. */
export const wait = signal(/** @type {import('./consult.js').Silence | null} */ (null));
/** What the last choice cost, in units of its stake and in cents. */
export const last = signal(/** @type {{units: number, cents: number} | null} */ (null));
/** A choice that is held back until the player is sure. */
export const costly = signal('');
/** The player does not want to be asked again in this session. */
export const quiet = signal(false);

let asked = '';

/** Ask until he answers, or nobody waits for it any more. @param {string} game @param {string} id
 * @param {number} step */
async function consult(game, id, step) {
  const question = `${id} ${step}`;
  if (asked === question) return;
  asked = question;
  const body = await consulted(game, `/rounds/${id}/advice`, () => asked === question,
    (why) => { wait.value = why; });
  if (body && asked === question) answer.value = { round: id, body };
}

effect(() => {
  const waiting = play.phase.value === 'decide' && settings.value.coach !== 'off'
    ? play.round.value : null;
  untracked(() => {
    if (waiting?.ask) consult(waiting.game, waiting.id, waiting.ask.step);
    else asked = '';
  });
});

/** What an option is worth less than the best, in units of the stake. @param {string} option */
export function cost(option) {
  const { options, best } = advice.value ?? {};
  return options && best && option in options ? options[best] - options[option] : null;
}

/** A choice is on its way: hold it back if it is costly, else keep what it cost.
 * @param {string} option */
function hear(option) {
  const units = settings.value.coach === 'off' ? null : cost(option);
  if (units === null || !advice.value) return true;
  if (settings.value.coach === 'warn' && !quiet.value && costly.value !== option
    && units > COSTLY) {
    costly.value = option;
    panel.value = 'costly';
    return false;
  }
  const cents = units * advice.value.unit_cents;
  costly.value = '';
  last.value = { units, cents };
  countMistake(cents);
  return true;
}
play.beforeChoices(hear);
