/** The board of a position: which cards lie where, and how its address is read and written. */
import { signal } from '../../vendor/signals.js';

/** @typedef {import('../protocol.js').Position} Form  a blank position: its fields, its deck */
/** @typedef {Form['fields'][number]} Field */
/** @typedef {{cards: Record<string, readonly string[]>, flags: Record<string, boolean>,
 *   rules: string, set: Record<string, unknown>}} Laid */

const OWN = 'own';

/** @param {Form} form @returns {Laid} */
export const blank = (form) => ({ flags: {}, rules: '', set: {},
  cards: Object.fromEntries(form.fields.map(({ name }) => [name, []])) });

export const laid = signal(/** @type {Laid} */ ({ cards: {}, flags: {}, rules: '', set: {} }));

/** @param {Field} field */
export const counts = (field) => field.counts;

/** How many cards are still to be laid until a field holds as many as it may.
 * @param {Field} field @param {number} count */
export const room = (field, count) =>
  (field.counts.find((allowed) => allowed > count) ?? count) - count;

/** @param {Laid} board */
export const isBlank = ({ cards }) => Object.values(cards).every((each) => !each.length);

/** The fields that lack cards, and how many. @param {Form} form @param {Laid} board */
export const missing = (form, { cards }) => form.fields
  .map((field) => ({ field, count: room(field, cards[field.name].length) }))
  .filter(({ field }) => !field.counts.includes(cards[field.name].length));

/** @param {Form} form @param {Laid} board */
export const complete = (form, board) => !isBlank(board) && !missing(form, board).length;

/** The field the next card goes to: the chosen one, then one that lacks cards, then any with room.
 * @param {Form} form @param {Laid} board @param {string} chosen */
export function active(form, board, chosen) {
  const open = form.fields.filter((field) => room(field, board.cards[field.name].length));
  const [lacking] = missing(form, board);
  return open.find(({ name }) => name === chosen) ?? lacking?.field ?? open[0];
}

/** The board of an address; null if it is none, which the server can explain.
 * @param {Form} form @param {URLSearchParams} query @returns {Laid | null} */
export function read(form, query) {
  const board = blank(form), seen = new Set();
  for (const [name, value] of query) {
    const field = form.fields.find((each) => each.name === name);
    if (name === 'set') {
      const at = value.indexOf('=');
      if (at < 1) return null;
      board.set[value.slice(0, at)] = figure(value.slice(at + 1));
    } else if (seen.has(name)) return null;
    else if (field) {
      const cards = value.match(/../g) ?? [];
      if (value.length % 2 || cards.length > Math.max(...field.counts)) return null;
      for (const card of cards) {
        if (seen.has(card) || !form.deck.includes(card)) return null;
        seen.add(card);
      }
      board.cards[name] = cards;
    } else if (name === 'rules') board.rules = value;
    else if (value === 'yes' || value === 'no') board.flags[name] = value === 'yes';
    else return null;
    seen.add(name);
  }
  return board;
}

/** A figure as it is written: JSON, or else a text. @param {string} text @returns {unknown} */
function figure(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The query of a board, in the order of its fields. @param {Laid} board */
export function written({ cards, flags, rules, set }) {
  return [
    ...Object.entries(cards).filter(([, each]) => each.length)
      .map(([name, each]) => `${name}=${each.join('')}`),
    ...Object.entries(flags).map(([name, on]) => `${name}=${on ? 'yes' : 'no'}`),
    ...(rules && rules !== OWN ? [`rules=${encodeURIComponent(rules)}`] : []),
    ...Object.entries(set).map(([key, value]) => `set=${encodeURIComponent(`${key}=${
      typeof value === 'string' && figure(value) === value ? value : JSON.stringify(value)}`)
      .replace(/%(3A|3D|2C|5B|5D)/g, decodeURIComponent)}`),
  ].join('&');
}
