/** The view of the coach: values of the options, and the cost of mistakes. */
import { html, nothing } from '../../vendor/lit.js';
import { effect, untracked } from '../../vendor/signals.js';
import { advice, cost, costly, last, quiet, wait } from '../coach.js';
import * as play from '../play.js';
import { mistakes, panel, say, settings, words } from '../store.js';
import { Grade } from './graded.js';
import { Act, money, optionName, t, units } from './parts.js';
import { Silent, Values, ofStake } from './values.js';
import { why } from './why.js';

/** @typedef {import('../store.js').GameView} GameView */

/** Why he is silent, as far as a player wants to know who has asked only for warnings. */
const WORTH_SAYING = new Set(['warming', 'not-installed']);

const always = () => settings.value.coach === 'always';

/** What an option of the waiting question is called. @param {string} id @param {GameView} game */
const label = (id, game) => named(play.round.value?.ask?.options ?? [], id, game);

/** @param {readonly import('../protocol.js').OptionView[]} options @param {string} id
 * @param {GameView} game */
const named = (options, id, game) => optionName(options.find((option) => option.id === id)
  ?? { id, hands: {} }, game);

/** Where nothing beside the felt says what a number is. */
const ALONE = '(max-width: 1099px)';

/** What stands on the button of an option. @param {string} id */
export function note(id) {
  const found = always() ? advice.value : null;
  if (!found || !(id in found.options)) return '';
  const worth = found.options[id];
  return matchMedia(ALONE).matches
    ? t('coach.worth', { money: money(worth * found.unit_cents) }) : units(worth);
}

/** Whether an option is the best, and shown to be. @param {string} id */
export const isBest = (id) => always() && advice.value?.best === id;

/** @param {GameView} game */
function Advice(game) {
  const found = advice.value;
  return found ? html`<p class="why">${why(found, game.id, (id) => label(id, game))}</p>${
    Values(found, (id) => label(id, game))}` : Quiet();
}

/** Why there is no advice. */
const Quiet = () => (wait.value ? html`<p>${Silent(wait.value)}</p>` : nothing);

/** Why the last choice was not the best. @param {GameView} game */
const Mistake = (game) => (last.value && last.value.units > 0 ? html`<p class="why">${
  why(last.value.on, game.id, (id) => named(last.value?.options ?? [], id, game),
    last.value.option)}</p>` : nothing);

const open = () => { panel.value = 'coach'; };
/** The grade of a settled round's last choice, where a table has no room beside the felt; a press
 * says why. */
export const Graded = () => (always() && play.phase.value === 'settled' && last.value
  && last.value.round === play.round.value?.id ? html` <button class="graded"
    aria-haspopup="dialog" @click=${open}>${Grade(last.value.units)}</button>` : nothing);

/** The last choice, and all of this session. @param {GameView} game */
const Costs = (game) => html`<dl class="figures">
  ${last.value ? html`<div><dt>${t('coach.last')}</dt>
    <dd>${Grade(last.value.units)} ${last.value.units > 0 ? units(-last.value.units)
      : nothing}</dd></div>` : nothing}
  <div><dt>${t('coach.total')}</dt><dd>${money(-mistakes.value)}</dd></div></dl>${Mistake(game)}`;

/** @param {GameView} game */
export const Coach = (game) => html`<section class="coach" aria-labelledby="coach-title"
  ?data-advised=${advice.value !== null}>
  <h2 id="coach-title">${t('coach.title')}</h2>
  ${always() ? Advice(game) : WORTH_SAYING.has(wait.value?.why ?? '') ? Quiet() : nothing}${
    Costs(game)}</section>`;

/** The dialog before a costly choice. */
export function Costly() {
  const game = play.game.value, option = costly.value, found = advice.value, lost = cost(option);
  if (!game || !found || lost === null) return nothing;
  const back = () => { costly.value = ''; panel.value = null; };
  const anyway = () => { play.choose(option); panel.value = null; };
  return html`<p>${t('costly.text', { option: label(option, game), part: ofStake(lost),
    money: words.value.money(Math.round(lost * found.unit_cents)) })}</p>
    <p><b>${t('costly.best', { option: label(found.best, game) })}</b></p>
    <p>${why(found, game.id, (id) => label(id, game))}</p>
    <label class="pick"><input type="checkbox" .checked=${quiet.value}
      @change=${(/** @type {Event} */ event) => { quiet.value =
        /** @type {HTMLInputElement} */ (event.target).checked; }}>
      <span>${t('costly.quiet')}</span></label>
    <div class="acts">${Act(t('costly.back'), '', back, { kind: 'primary' })}${
      Act(t('costly.anyway'), '', anyway)}</div>`;
}

// Announce the values once, when they come.
effect(() => {
  const found = always() ? advice.value : null;
  untracked(() => {
    const game = play.game.value;
    if (found && game)
      say(t('coach.said', { option: label(found.best, game),
      value: units(found.options[found.best]) }));
  });
});
// A choice that was held back is forgotten when its dialog is closed.
effect(() => { if (panel.value !== 'costly' && !play.sending.value) costly.value = ''; });
