/** The strategy card: as a page to print, in a panel, and beside the table. */
import { html, nothing } from '../../vendor/lit.js';
import { advice } from '../coach.js';
import * as play from '../play.js';
import {
  BESIDE, CHART, applied, cardOf, charted, choose, fetchCard, lengthOf, seek, told,
} from '../rule-card.js';
import { gameOf, learn, panel, set, settings, words } from '../store.js';
import { Act, optionName, t } from './parts.js';
import { against } from './why.js';

/** @typedef {import('../protocol.js').CardView} CardView */
/** @typedef {import('../protocol.js').LengthView} LengthView */
/** @typedef {import('../protocol.js').ChartView} ChartView */

/** Where there is room for the card beside the table. */
const WIDE = '(min-width: 1100px)';

/** How one length is called. @param {LengthView} length */
const lengthName = ({ length }) => t(length === 1 ? 'cards.one' : 'cards.rules', { count: length });

/** @param {string} value a percentage */
const percent = (value) => words.value.percent(value.replace('-', '−'));

/** The lengths to choose from. @param {CardView} card @param {string} chosen
 * @param {string} where the element that holds the card: two cards may be on one page */
const Lengths = (card, chosen, where) => html`<fieldset class="lengths"><legend
  class="vh">${t('cards.lengths')}</legend>
  ${[...card.lengths.map((each) => [each.name, lengthName(each)]),
    ...(words.value.language in card.chart ? [[CHART, t('cards.chart')]] : [])]
    .map(([name, label]) =>
    html`<label class="pick"><input type="radio" name="length-${where}" value=${name}
      .checked=${chosen === name} @change=${() => choose(card.game, name)}>
      <span>${label}</span></label>`)}</fieldset>`;

/** The rules of one length, those of each question under its heading. @param {LengthView} length */
function Rules(length) {
  const questions = [...new Set(length.rules.map(({ question }) => question))];
  const now = applied(length.name);
  return [html`<p class="cost-head" aria-hidden="true">${t('cards.cost-head')}</p>`,
    ...questions.map((question) => html`${length.asks[question]
      ? html`<h3>${told(length.asks[question])}</h3>` : nothing}
    <ol>${length.rules.filter((rule) => rule.question === question).map((rule) => {
      const lit = now?.question === question && now.number === rule.number;
      return html`<li class=${lit ? 'now' : ''} aria-current=${lit ? 'true' : nothing}>
        <p><b>${told(rule.does)}</b> <span>${told(rule.says)}</span>
          ${lit ? html`<em>${t('cards.now')}</em>${Against(now)}` : nothing}</p>
        <small>${Number(rule.cost) ? percent(rule.cost) : '–'}<span
          class="vh"> ${t('cards.of-rule')}</span></small></li>`;
    })}</ol>`)];
}

/** That the best choice is another one, for whoever wants to be told it. @param
 * {import('../protocol.js').AdviceView['rules'][number]} rule */
function Against(rule) {
  const found = settings.value.coach === 'always' ? advice.value : null, game = play.game.value;
  const options = play.round.value?.ask?.options ?? [];
  const said = found && game ? against(found, rule, (id) => optionName(options.find((option) =>
    option.id === id) ?? { id, hands: {} }, game)) : '';
  return said ? html`<em class="against">${said}</em>` : nothing;
}

/** What a length costs, and how it was found. @param {LengthView} length */
const Cost = (length) => html`<p class="cost">${t('cards.cost', { cost: percent(length.cost) })}
  <small>${t('cards.edge', { edge: percent(length.edge) })}</small></p>
  ${told(length.title) ? html`<p class="dim">${told(length.title)}${length.address
    ? html` · <a href=${length.address} rel="noreferrer">${t('cards.source')}</a>` : nothing}</p>`
    : html`<p class="dim">${t(length.proved_best ? 'cards.proved' : 'cards.searched')}</p>`}`;

/** @param {string} cost a percentage, if known */
const ChartCost = (cost) => html`<p class="cost">${cost
  ? t('cards.cost', { cost: percent(cost) }) : t('cards.best-play')}</p>`;

/** The best play as a table. @param {ChartView} chart */
const Chart = (chart) => html`<div class="wide list" tabindex="0"><table
  class="chart"><caption>${chart.title}</caption>
  <thead><tr>${chart.heads.map((head, at) => (at ? html`<th scope="col">${head}</th>`
    : html`<td></td>`))}</tr></thead>
  <tbody>${chart.rows.map(([head, ...cells], row) => html`<tr><th scope="row">${head}</th>${
    cells.map((cell, at) => {
      const choice = kind(chart, cell), lit = charted(chart.keys[row]?.[at] ?? '', choice);
      return html`<td class=${lit ? `${choice} now` : choice} aria-current=${lit ? 'true'
        : nothing}>${Cell(cell)}</td>`;
    })}</tr>`)}</tbody>
  </table></div>`;

/** A cell is coloured by its choice: a letter, or the size of a raise. @param {ChartView} chart
 * @param {string} cell */
const kind = ({ kinds }, cell) => kinds[cell] ?? (/^\d×/.test(cell) ? `raise-${cell[0]}` : '');

/** A choice; of a raise, its value below it. @param {string} cell */
function Cell(cell) {
  const [, raise, value] = /^(\d×)?\s*(.*\d[.,].*)$/.exec(cell) ?? [];
  return value ? html`${raise}<small>${value}</small>` : cell;
}

/** @param {string} game @param {string} where the element that holds the card */
function Body(game, where) {
  const card = cardOf(game);
  if (!card) return html`<p class="dim" role="status">${t('net.connecting')}</p>`;
  if (!card.lengths.length) return html`<p>${t('cards.none')}</p>`;
  const chosen = lengthOf(game, card.first), chart = card.chart[words.value.language];
  const length = card.lengths.find(({ name }) => name === chosen)
    ?? card.lengths.find(({ name }) => name === card.first) ?? card.lengths[0];
  const drawn = chosen === CHART && chart;
  seek(where, drawn ? CHART : length.name);
  const beside = where === BESIDE;
  const lengths = Lengths(card, drawn ? CHART : length.name, where);
  const cost = drawn ? ChartCost(card.chart_cost) : Cost(length);
  const rules = drawn ? Chart(drawn) : html`<div class="list" tabindex=${beside ? 0 : nothing}>${
    Rules(length)}</div>`;
  return html`${beside ? [rules, lengths, cost] : [lengths, cost, rules]}
    ${drawn ? nothing : html`<p class="dim">${t('cards.explain')}</p>`}`;
}

/** In the panel over the table. @param {import('../store.js').GameView} game */
export const Panel = (game) => html`<div class="rule-card">${Body(game.id, 'dialog')}
  ${cardOf(game.id) ? Acts(game.id) : nothing}</div>`;

/** @param {string} game */
const Acts = (game) => html`<p class="row">
  <a class="act" href="/card/${game}">${t('cards.print')}</a>
    ${matchMedia(WIDE).matches ? Act(t(settings.value.card === 'on' ? 'cards.unpin' : 'cards.pin'),
      '', () => {
        set('card', settings.value.card === 'on' ? 'off' : 'on');
        panel.value = null;
      }) : nothing}</p>`;

/** Beside the table. @param {import('../store.js').GameView} game */
export const Side = (game) => (settings.value.card === 'on' && cardOf(game.id)
  ? html`<section class="rule-card" aria-labelledby="card-beside">
    <header><h2 id="card-beside">${t('cards.title')}</h2>
      <button class="ico" @click=${() => set('card', 'off')} aria-label=${t('cards.unpin')}><span
        aria-hidden="true">✕</span></button></header>
      ${Body(game.id, BESIDE)}</section>` : nothing);

// The page -----------------------------------------------------------------------------------

/** @param {string} id */
export async function arrive(id) {
  if (!gameOf(id)) throw new Error(t('page.no-table'));
  await Promise.all([fetchCard(id), learn(id)]);
}

/** @param {string} id */
export const View = (id) => (cardOf(id) && gameOf(id) ? html`<main class="page rule-card sheet">
  <header><h2>${t('cards.title')} · ${t('title', {}, id)}</h2>
    <p class="row noprint">${Act(t('cards.print-now'), '', () => print(), { kind: 'primary' })}
      <a class="act" href="/table/${id}">${t('cards.table')}</a>
      <a href="/help/${id}">${t('view.help')}</a></p></header>
  ${Body(id, '.page')}
  <p class="foot-note">${t('cards.counted')}</p></main>`
  : html`<main class="page" aria-busy="true"></main>`);
