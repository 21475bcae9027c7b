/** The coach: the value of every option, computed by the house, and the cost of
 * choices. */
import { computed, effect, signal, untracked } from '../vendor/signals.js';
import { consulted } from './consult.js';
import * as play from './play.js';
import { COSTLY, countMistake, panel, settings } from './store.js';

/** @typedef {import('./protocol.js').AdviceView} AdviceView */

/** The last answer, and its round. */
const answer = signal(/** @type {{round: string, body: AdviceView} | null} */ (null));
/** Advice for the question that waits. An answer to an earlier question is never shown, not even
 * for one effect. */
export const advice = computed(() => {
  const { id, ask } = play.phase.value === 'decide' && play.round.value || {};
  return answer.value && answer.value.round === id && answer.value.body.step === ask?.step
    ? answer.value.body : null;
});
/** Why there is no advice: warming up, unavailable, or none. */
export const wait = signal(/** @type {import('./consult.js').Silence | null} */ (null));
/** The last choice: its cost in units of its stake and in cents, and the advice it was taken on.
 * @type {import('../vendor/signals.js').Signal<{round: string, units: number, cents: number,
 *   option: string, on: AdviceView, options: import('./protocol.js').OptionView[]} | null>} */
export const last = signal(/** @type {any} */ (null));
/** A choice held back until the player confirms. */
export const costly = signal('');
/** The player has turned off the warning for this session. */
export const quiet = signal(false);

let asked = '';

/** Ask until it answers or the question has passed. @param {string} game @param {string} id
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
  const wanted = settings.value.coach !== 'off' || settings.value.card === 'on'
    || panel.value === 'card'; // a card lights up the rule that applies
  const waiting = play.phase.value === 'decide' && wanted ? play.round.value : null;
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

/** Before a choice is sent: hold it back if it is costly, else store its cost.
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
  last.value = { round: play.round.value?.id ?? '', units, cents, option, on: advice.value,
    options: [...play.round.value?.ask?.options ?? []] };
  countMistake(cents);
  return true;
}
play.beforeChoices(hear);
