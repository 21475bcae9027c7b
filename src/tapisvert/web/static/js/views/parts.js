/** The pieces every view is made of: sentences, buttons, figures. */
import { html, nothing } from '../../vendor/lit.js';
import { settings, words } from '../store.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../protocol.js').HandName} HandName */
/** A sentence of the catalogue. @param {string} key @param {Record<string, any>} [args]
 * @param {string} [game] */
export const t = (key, args, game) => words.value.write(key, args, game);

/** What is printed on a key. @param {string} key */
export const keyName = (key) => words.value.find(`key.${key}`) ?? key;

/** An active key: Space always, single keys unless turned off.
 * @param {string} key */
export const working = (key) => (key.length > 1 || settings.value.keys === 'on' ? key : '');

/**
 * A button of the table.
 * @param {string} label @param {string} shortcut the key that presses it
 * @param {() => unknown} press
 * @param {{off?: boolean, kind?: string, note?: string, also?: string}} [how]  also: another key
 */
export function Act(label, shortcut, press, { off = false, kind = '', note = '', also = '' } = {}) {
  const key = working(shortcut);
  return html`<button class="act ${kind}" ?disabled=${off} @click=${press}
    aria-keyshortcuts=${`${key} ${working(also)}`.trim() || nothing}>
    <span>${label}${note ? html`<small>${note}</small>` : nothing}</span>
    ${key ? html`<kbd aria-hidden="true">${keyName(key)}</kbd>` : nothing}</button>`;
}

/** Amounts of a wallet or a round. @param {string} name @param {number} cents
 * @param {string} [kind] */
export const Figure = (name, cents, kind = '') => html`
  <div class=${kind}><dt>${t(name)}</dt><dd>${words.value.money(cents)}</dd></div>`;

/** The name of rules that are not the house's. @param {string} rules @param {string} game */
export const rulesName = (rules, game) => (rules === 'own' ? t('shell.own-rules')
  : words.value.find(`variant.${rules}`, game) ?? rules);

/** The head of a table's columns. @param {string[]} keys */
export const Heads = (...keys) =>
  html`<tr>${keys.map((key) => html`<th scope="col">${t(key)}</th>`)}</tr>`;

/** The name of an option; of a set, its two hands.
 * @param {{id: string, hands: Record<string, HandName>}} option @param {GameView} game */
export function optionName({ id, hands }, game) {
  const made = Object.values(hands).map((hand) => words.value.hand(hand, game.id));
  return made.length ? made.join(' · ') : t(`option.${id}`, {}, game.id);
}

/** The name of an option in a sentence, where a bare yes or no would say nothing.
 * @param {{id: string, hands: Record<string, HandName>}} option @param {GameView} game */
export const toldName = (option, game) => words.value.find(`position.option.${option.id}`, game.id)
  ?? optionName(option, game);

/** What the coach says an option is worth. @param {number} value in units of the stake */
export const units = (value) => words.value.figure(value, 4);
/** What it is worth in money. @param {number} value in cents, with a part of one */
export const money = (value) => words.value.signed(Math.round(value));

/** A view on its way: said only when it takes a while. @param {string} kind table or page */
export const Busy = (kind) =>
  html`<main class=${kind} aria-busy="true"><div class=${kind === 'table' ? 'felt' : 'wait'}>
  <p class="message coming" role="status">${t('net.connecting')}</p></div></main>`;
