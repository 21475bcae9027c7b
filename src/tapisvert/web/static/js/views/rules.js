/** My casino's rules: a table of play money by another sheet than the house's. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { get, post } from '../net.js';
import { gameOf, learn, real, say, words } from '../store.js';
import { style } from '../style.js';
import { Act, Heads, t } from './parts.js';
import { MEASURES, betName, inPercent } from './pays.js';

/** @typedef {import('../protocol.js').Variants} Variants */
/** @typedef {import('../protocol.js').Variant} Variant */
/** @typedef {import('../store.js').GameView} GameView */

const OWN = 'own';
const found = signal(/** @type {Variants | null} */ (null));
const now = signal(/** @type {GameView | null} */ (null));
/** The player's own figures as they are typed, and why the house refused them. */
const typed = signal('');
const why = signal('');

/** @param {string} id */
export async function arrive(id) {
  found.value = now.value = null;
  why.value = '';
  const [variants, game] = await Promise.all([get(`/games/${id}/variants`), get(`/games/${id}`),
    learn('', 'rules.title'), style('rules')]);
  typed.value = game.rules === OWN ? lines(differing(game, variants)) : '';
  [now.value, found.value] = [game, variants];
}

/** The figures of a sheet by dotted key. @param {Record<string, any>} sheet
 * @returns {[string, unknown][]} */
const figures = (sheet, prefix = '') => Object.entries(sheet).flatMap(([name, part]) => (
  part !== null && typeof part === 'object' && !Array.isArray(part)
    ? figures(part, `${prefix}${name}.`) : [/** @type {[string, unknown]} */ ([prefix + name, part])
  ]));

/** @param {GameView} game @param {Variants} house */
const differing = (game, house) => Object.fromEntries(figures(game.sheet).filter(([key, value]) =>
  key in house.figures && JSON.stringify(house.figures[key]) !== JSON.stringify(value)));

/** A line as it may be typed: the first price of the table. @param {Variants} house */
const example = ({ figures: all, stays }) => lines(Object.fromEntries(
  Object.entries(all).filter(([key, value]) => !stays.includes(key)
    && /^\d+:\d+$/.test(String(value))).slice(0, 1)));

/** @param {unknown} value */
const written = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
/** @param {Record<string, unknown>} changes */
export const lines = (changes) => Object.entries(changes)
  .map(([key, value]) => `${key} = ${written(value)}`).join('\n');

const TABLE = /^\[\s*"?([\w.-]+)"?\s*\]\s*(?:#.*)?$/;
const LINE = /^"?([\w.-]+)"?\s*[=:]\s*("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]]*\]|[^#]*?)\s*(?:#.*)?$/;

/** The figures that differ from the house's, of typed lines or of a whole sheet with its tables;
 * refuses a line that is none, and a figure that stays the house's.
 * @param {string} text @param {Variants} house @returns {Record<string, unknown>} */
export function parsed(text, house) {
  /** @type {Record<string, unknown>} */
  const found = {};
  let table = '';
  for (const [at, whole] of text.split('\n').entries()) {
    const line = whole.trim(), [, name] = TABLE.exec(line) ?? [];
    if (name) table = `${name}.`;
    else if (line && !line.startsWith('#')) {
      const [, key, value] = LINE.exec(line) ?? [];
      if (!key || !value) throw new Error(t('rules.own-line', { number: at + 1 }));
      found[table + key] = figure(value, house.figures[table + key]);
    }
  }
  if ((found.game ?? house.game) !== house.game) throw new Error(t('rules.own-game'));
  const differs = Object.entries(found).filter(([key, value]) => key !== 'game'
    && JSON.stringify(value) !== JSON.stringify(house.figures[key]));
  const stays = differs.map(([key]) => key).filter((key) => house.stays.includes(key));
  if (stays.length) throw new Error(t('rules.own-stays', { keys: stays.join(', ') }));
  return Object.fromEntries(differs);
}

/** A figure as it is typed: JSON, TOML, or else a text.
 * @param {string} text @param {unknown} was the house's figure @returns {unknown} */
function figure(text, was) {
  const plain = /^'.*'$/.test(text) ? text.slice(1, -1) : text;
  try {
    const value = JSON.parse(/^\d[\d_]*$/.test(plain) ? plain.replaceAll('_', '') : plain);
    return typeof was === 'string' && typeof value === 'number' ? plain : value;
  } catch {
    return plain;
  }
}

/** The figures a player may change, one a line. @param {Variants} house */
export const changeable = ({ figures: all, stays }) => lines(Object.fromEntries(
  Object.entries(all).filter(([key]) => !stays.includes(key))));

/** Choose rules, and go to the table. @param {string} id @param {() => object} asked */
async function take(id, asked) {
  try {
    await post(`/games/${id}/rules`, asked());
    location.assign(`/table/${id}`); // the page carries the figures of its table
  } catch (refusal) {
    why.value = /** @type {Error} */ (refusal).message;
    say(why.value);
  }
}

/** What a figure is called: its own words, a row or the price of a bet, or else its key.
 * @param {string} key @param {string} game */
function named(key, game) {
  const own = words.value.find(`figure.${key}`, game);
  if (own) return own;
  const [bet, part, row] = key.split('.');
  const name = row ? words.value.find(`row.${row}`, game) : part === 'pays' && t('rules.pays');
  return name ? `${t(`bet.${bet}`, {}, game)} · ${name}` : html`<code>${key}</code>`;
}

/** @param {Record<string, unknown>} changes @param {Variants} house */
const Changes = (changes, house) => html`<table class="plain"><caption
  class="vh">${t('rules.changes')}</caption>
  <thead>${Heads('rules.figure', 'rules.here', 'rules.there')}</thead>
  <tbody>${Object.entries(changes).map(([key, value]) => html`<tr><th scope="row">${
    named(key, house.game)}</th><td>${shown(key, house.figures[key])}</td>
    <td><b>${shown(key, value)}</b></td></tr>`)}</tbody></table>`;

/** A figure in the player's language. @param {string} key @param {unknown} value */
function shown(key, value) {
  if (key.endsWith('_cents') || key.includes('_cents.')) return words.value.money(Number(value));
  if (key.endsWith('.contribution')) return words.value.share(String(value));
  if (typeof value === 'string' && /^\d+:\d+$/.test(value)) return words.value.odds(value);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'boolean' ? t(value ? 'rules.yes' : 'rules.no') : written(value);
}

/** The proved returns of the best play. @param {Variant['returns']} returns @param {string} game */
const Returns = (returns, game) => {
  const best = returns.filter(({ strategy }) => MEASURES.includes(strategy));
  const name = (/** @type {string} */ bet, /** @type {string} */ strategy) => (
    best.filter((each) => each.bet === bet).length > 1
      ? `${betName(bet, game)}, ${t(`strategy.${strategy}`, {}, game)}` : betName(bet, game));
  return html`<dl class="figures">${best.length ? best.map(({ bet, strategy, return: value }) =>
    html`<div><dt>${name(bet, strategy)}</dt>
      <dd>${words.value.percent(inPercent(value))}</dd></div>`)
    : html`<div><dt>${t('rules.return')}</dt><dd>${t('rules.not-proved')}</dd></div>`}</dl>`;
};

/** One set of rules with its button. @param {string} title @param {unknown} body
 * @param {boolean} current @param {() => void} choose */
const Choice = (title, body, current, choose) => html`<li class=${current ? 'current' : ''}>
  <h3>${title}</h3>${body}
  ${current ? html`<p class="tag">${t('rules.now')}</p>`
    : Act(t('rules.take'), '', choose, { off: real.value })}</li>`;

/** @param {string} id */
export function View(id) {
  const house = found.value, game = now.value;
  if (!house || !game || !gameOf(id)) return html`<main class="page" aria-busy="true"></main>`;
  return html`<main class="page rules">
    <h2>${t('rules.title')} · ${t('title', {}, id)}</h2>
    <p>${t(real.value ? 'rules.real' : 'rules.lead')}</p>
    <ul class="choices">
      ${Choice(t('rules.house'), html`<p>${t('rules.house-about')}</p>`, game.rules === null,
        () => take(id, () => ({})))}
      ${house.variants.map(({ id: name, changes, returns }) => Choice(t(`variant.${name}`, {}, id),
        html`${Changes(changes, house)}${Returns(returns, id)}`, game.rules === name,
        () => take(id, () => ({ variant: name }))))}
    </ul>
    ${Own(id, house, game)}</main>`;
}

/** Which figures take too long to count with, by their tables. @param {Variants} house */
const Slow = ({ slow }) => (slow.length ? ` ${t('rules.own-slow', { tables: [...new Set(
  slow.map((key) => `[${key.split('.')[0]}]`))].join(', ') })}` : nothing);

/** Figures of the player's own. @param {string} id @param {Variants} house
 * @param {GameView} game */
const Own = (id, house, game) => html`<section class="own">
  <h3>${t('shell.own-rules')}</h3><p>${t('rules.own-about')}${Slow(house)}</p>
  ${game.rules === OWN ? html`<p class="tag">${t('rules.now')}</p>
    ${Changes(differing(game, house), house)}${Returns(game.returns, id)}` : nothing}
  <label class="field">${t('rules.own-label')}<textarea rows="5" spellcheck="false"
    autocapitalize="off" aria-describedby="rules-why" placeholder=${example(house)}
    .value=${typed.value}
    @input=${(/** @type {InputEvent} */ event) => {
      typed.value = /** @type {HTMLTextAreaElement} */ (event.target).value;
    }}></textarea></label>
  <p id="rules-why" class="bad" role="alert">${why.value}</p>
  <p>${Act(t('rules.own-take'), '', () => take(id, () => ({ changes: parsed(typed.value, house) })),
    { off: real.value || !typed.value.trim() })}</p>
  <details><summary>${t('rules.own-keys')}</summary>
    <pre tabindex="0">${changeable(house)}</pre></details></section>`;
