/** A choice made by cards on the felt, without a round: the cards picked name the answer.
 *
 * A table that is played by cards (`Layout.choosing`) needs its round; a lesson has none. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { Face } from '../cards.js';
import { indices, say, words } from '../store.js';
import { Act, optionName, t, working } from './parts.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('./felt.js').Layout} Layout */
/** @typedef {import('../scene.js').Asked | undefined} Asked */

/** The table's own button and key. */
const CONFIRM = 'confirm';
const picked = signal(/** @type {string[]} */ ([]));
export const unpick = () => { picked.value = []; };

/** Whether every answer names cards. @param {Layout} layout @param {Asked} ask */
export const byCards = ({ choosing }, ask) => Boolean(choosing && ask)
  && (ask?.options ?? []).every(({ id }) => id.includes(' '));

/** The option the picked cards make, in whichever order. @param {Asked} ask */
const made = (ask) => ask?.options.find(({ id }) => id.split(' ').length === picked.value.length
  && picked.value.every((card) => id.split(' ').includes(card)));

/** How many cards an answer names. @param {Asked} ask */
const wanted = (ask) => ask?.options[0]?.id.split(' ').length ?? 0;

/** Put a card in or take it out; of too many, the first gives way. @param {string} card
 * @param {Asked} ask @param {GameView} game */
function toggle(card, ask, game) {
  picked.value = picked.value.includes(card) ? picked.value.filter((each) => each !== card)
    : [...picked.value, card].slice(-wanted(ask));
  say(told(ask, game));
}

/** What the picked cards make, or why they are no answer. @param {Asked} ask
 * @param {GameView} game */
function told(ask, game) {
  const option = made(ask);
  if (!option) return t('lesson.pick', { count: wanted(ask) });
  return option.why_not ? t(`why-not.${option.why_not}`, {}, game.id) : optionName(option, game);
}

/**
 * The cards to pick from, as the felt takes them.
 * @param {Layout} layout @param {Asked} ask @param {GameView} game
 * @returns {import('./felt.js').Choosing}
 */
export const Cards = ({ choosing }, ask, game) => ({
  zone: choosing?.zone ?? '',
  told: () => [],
  Options: () => nothing,
  Card: ({ key, order, card }, at) => (card === null ? nothing : html`<li class="card"
    data-key=${key} data-order=${order}><button class="pickable"
    aria-pressed=${picked.value.includes(card)} @click=${() => toggle(card, ask, game)}
    aria-keyshortcuts=${working(String(at + 1)) || nothing}>
    <span class="vh">${words.value.card(card)}</span>${Face(card, indices.value)}
    <kbd aria-hidden="true">${working(String(at + 1))}</kbd></button></li>`),
});

/** The one button: what the cards make, and to take it. @param {Asked} ask
 * @param {GameView} game @param {(option: string) => void} choose */
export function Confirm(ask, game, choose) {
  const option = made(ask);
  return Act(t(`option.${CONFIRM}`, {}, game.id), t(`key.${CONFIRM}`, {}, game.id),
    () => choose(option?.id ?? ''), { kind: 'option', off: !option || option.why_not !== null,
      note: told(ask, game) });
}
