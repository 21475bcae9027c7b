/** The help of a table: its rules, prices, limits, returns and notices, from its sheet and what is proved of it. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { games, learn, wallet, whole, words } from '../store.js';
import { t } from './parts.js';
import { FlatPays, Limits, MEASURES, PayTables, Proved, inPercent } from './pays.js';

/** @typedef {import('../store.js').GameView} GameView */

/** What every table must say; those of a jackpot are said where there is one. */
const NOTICES = ['equal', 'independent', 'return', 'measure', 'strategy', 'paid', 'limits', 'void', 'resume', 'malfunction',
  'jackpot-start', 'jackpot-share', 'jackpot-two', 'jackpot-delay', 'trademark'];

/** @param {GameView} game */
function Notices(game) {
  const main = game.returns.find(({ bet, strategy }) => bet === 'main' && MEASURES.includes(strategy));
  const args = { ...game.sheet, delay: words.value.duration(game.void_after_s),
    ...main && { percent: words.value.percent(inPercent(main.return)), strategy: t(`strategy.${main.strategy}`, {}, game.id) } };
  const told = NOTICES.map((key) => (key === 'measure' && !main ? 'unproved' : key))
    .filter((key) => words.value.find(`notices.${key}`, game.id));
  return html`<h3>${t('notices.title')}</h3>
    <ul class="notices">${told.map((key) => html`<li>${t(`notices.${key}`, args, game.id)}</li>`)}</ul>`;
}

/** How the pot is paid to a player of another currency, and why its return has not been counted. @param {GameView} game */
function Conversion({ conversion, returns }) {
  if (!conversion) return nothing;
  const { currency: pot, rate } = conversion, { currency } = wallet.value;
  return html`<h3>${t('conversion.title')}</h3>
    <p>${t(rate ? 'conversion.rate' : 'conversion.none',
      { currency, pot, rate: rate?.replace('.', words.value.write('money.decimal')) })}</p>
    ${rate && !returns.some(({ bet }) => bet === 'royal') ? html`<p>${t('conversion.return', { currency, pot })}</p>` : nothing}`;
}

/** @param {GameView} game */
export function Help(game) {
  const rules = [];
  for (let line = 1; words.value.find(`help.${line}`, game.id); line += 1) {
    rules.push(html`<li>${t(`help.${line}`, game.sheet, game.id)}</li>`);
  }
  return html`<ol class="rules">${rules}</ol>
    ${FlatPays(game)}<div class="tables">${PayTables(game)}</div>${Limits(game)}
    <h3>${t('returns.title')}</h3>${Proved(game)}
    <p class="dim">${t('returns.base', {}, game.id)}</p>
    <p class="dim">${t('returns.note', {}, game.id)}</p>
    ${Conversion(game)}
    ${game.returns.length ? html`<p class="row"><a href=${`/par/${game.id}.html`} download>${t('returns.par')}</a></p>` : nothing}
    ${Notices(game)}`;
}

// Help as a page: without a seat, without a cent, and without the house once it was kept --------------

const shown = signal(/** @type {GameView | null} */ (null));

/** @param {string} id */
export async function arrive(id) {
  shown.value = null;
  const found = id ? await whole(id) : null;
  await learn(id);
  shown.value = found;
}

/** @param {string} id */
export const View = (id) => html`<main class="page help">
  <nav aria-label=${t('view.help')}><ul class="row">${games.map((game) => html`<li>
    <a class="act" href="/help/${game.id}" aria-current=${game.id === id ? 'page' : nothing}>${t('title', {}, game.id)}</a></li>`)}</ul></nav>
  ${shown.value ? html`<section class="inside" aria-labelledby="help-of"><h2 id="help-of">${t('title', {}, shown.value.id)}</h2>
    ${Help(shown.value)}</section>` : id ? nothing : html`<p>${t('help.choose')}</p>`}</main>`;
