/** The strategy card: rules to learn, and which of them applies to the question that waits. */
import { computed, effect, signal, untracked } from '../vendor/signals.js';
import { advice } from './coach.js';
import { get } from './net.js';
import { learn, panel, route, set, settings, words } from './store.js';
import { style } from './style.js';

/** @typedef {import('./protocol.js').CardView} CardView */
/** @typedef {import('./protocol.js').LengthView} LengthView */

/** The name of the chart among the lengths. */
export const CHART = 'chart';

/** The place of the card beside the table. */
export const BESIDE = '.side';

/** The cards fetched so far, by game. */
const cards = signal(/** @type {Record<string, CardView>} */ ({}));
const asked = /** @type {Set<string>} */ (new Set());

/** Whether a card is to be seen beside the table or in its panel. */
export const open = computed(() => settings.value.card === 'on' || panel.value === 'card');

/** A card, once its figures, words and style are here. @param {string} game */
export const cardOf = (game) => (words.value.find('cards.title') ? cards.value[game] : undefined);

/** Fetch the card of a game. A player who changes the rules of a table loads the page again.
 * @param {string} game */
export async function fetchCard(game) {
  asked.add(game);
  const [found] = await Promise.all([get(`/games/${game}/card`), learn('cards', 'title'),
    style('rule-card')]);
  cards.value = { ...cards.value, [game]: found };
}

/** A text in the player's language. @param {Record<string, string>} texts */
export const told = (texts) => texts[words.value.language] ?? '';

/** The length the player looks at: a strategy, or the chart. @param {string} game
 * @param {string} [first] */
export const lengthOf = (game, first = '') => settings.value[`card-${game}`] ?? first;

/** @param {string} game @param {string} length */
export const choose = (game, length) => set(`card-${game}`, length);

/** The rule of a strategy that applies to the question that waits. @param {string} name */
export const applied = (name) => advice.value?.rules.find(({ card }) => card === name);

/** Whether a cell of the chart applies to the question that waits. Its choice must be on offer: a
 * hand of three cards cannot be doubled. @param {string} key of the cell
 * @param {string} choice empty if the cell does not name one */
export const charted = (key, choice) => key !== '' && advice.value?.chart_cell === key
  && (!choice || choice in advice.value.options);

/** What was brought into sight last, by the place of the card. */
let sought = /** @type {Record<string, string>} */ ({});

/** Bring what lights up into sight, once for each question and length.
 * @param {string} where the place of the card, a selector @param {string} length */
export function seek(where, length) {
  const { round_id: round, step } = advice.value ?? {}, question = `${round} ${step} ${length}`;
  if (!round || sought[where] === question) return;
  sought[where] = question;
  requestAnimationFrame(() => {
    const lit = document.querySelector(`${where} .rule-card .now`);
    const list = where === BESIDE ? lit?.closest('.list') : null;
    if (lit && list) within(list, lit);
    else lit?.scrollIntoView({ block: 'nearest' });
  });
}

/** Room above what lights up, and left of it for the heads of the chart's rows. */
const ABOVE_PX = 6, HEAD_PX = 90;

/** Scroll a list, and nothing around it: above it are the coach's words. Its upper end is in sight.
 * @param {Element} list @param {Element} lit */
function within(list, lit) {
  const [box, at] = [list.getBoundingClientRect(), lit.getBoundingClientRect()];
  const heads = list.querySelector('thead')?.clientHeight ?? 0; // they stay
  list.scrollTop += at.top - box.top - heads - ABOVE_PX;
  if (at.right > box.right) list.scrollLeft += at.right - box.right;
  else if (at.left < box.left + HEAD_PX) list.scrollLeft -= box.left + HEAD_PX - at.left;
}

effect(() => { if (panel.value !== 'card') sought = { ...sought, dialog: '' }; });

effect(() => {
  const { name, id } = route.value;
  if (name === 'table' && open.value)
    untracked(() => { if (!asked.has(id)) fetchCard(id).catch(() => { asked.delete(id); }); });
});
