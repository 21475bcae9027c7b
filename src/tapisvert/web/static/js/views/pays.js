/** Pay tables, limits and caps, drawn from whatever the sheet of the table says. */
import { html, nothing } from '../../vendor/lit.js';
import { words } from '../store.js';
import { t } from './parts.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../scene.js').Scene} Scene */

/** The bets of a sheet that pay by a table, or by one price. @param {GameView} game @returns {[string, string | Record<string, string>][]} */
const paying = (game) => Object.entries(game.sheet).flatMap(([bet, part]) => (
  part && typeof part === 'object' && 'pays' in part ? [/** @type {[string, any]} */ ([bet, part.pays])] : []));

/** @param {GameView} game @param {Scene} [scene] with it, the row that paid is lit */
export const PayTables = (game, scene) => paying(game).filter(([, pays]) => typeof pays === 'object').map(([bet, pays]) => html`
  <table class="pays"><caption>${t('pays.title', { bet }, game.id)}</caption>
    <thead class="vh"><tr><th scope="col">${t('pays.hand')}</th><th scope="col">${t('pays.odds')}</th></tr></thead>
    <tbody>${Object.entries(pays).map(([row, odds]) => {
      const lit = scene?.settled[bet]?.row === row;
      return html`<tr class=${lit ? 'lit' : ''}><th scope="row">${t(`row.${row}`, {}, game.id)}
        ${lit ? html`<em>${t('pays.reached')}</em>` : nothing}</th><td>${words.value.odds(odds)}</td></tr>`;
    })}</tbody></table>`);

/** Bets that pay one price. @param {GameView} game */
export const FlatPays = (game) => paying(game).filter(([, pays]) => typeof pays === 'string')
  .map(([bet, odds]) => html`<p>${t('pays.flat', { bet, odds }, game.id)}</p>`);

/** @param {GameView} game */
export const Limits = (game) => html`
  <table class="plain"><caption>${t('limits.title')}</caption>
    <thead><tr><th scope="col">${t('limits.bet')}</th><th scope="col">${t('limits.min')}</th><th scope="col">${t('limits.max')}</th><th scope="col">${t('limits.step')}</th></tr></thead>
    <tbody>${game.spots.map(({ id, min, max, step }) => html`<tr><th scope="row">${t(`bet.${id}`, {}, game.id)}</th>
      <td>${words.value.money(min)}</td><td>${words.value.money(max)}</td><td>${words.value.money(step)}</td></tr>`)}</tbody></table>
  <table class="plain"><caption>${t('caps.title')}</caption>
    <thead><tr><th scope="col">${t('limits.bet')}</th><th scope="col">${t('caps.most')}</th></tr></thead>
    <tbody>${Object.entries(game.sheet.caps_cents ?? {}).map(([bet, cents]) => html`<tr>
      <th scope="row">${bet === 'round' ? t('caps.round') : t(`bet.${bet}`, {}, game.id)}</th><td>${words.value.money(cents)}</td></tr>`)}</tbody></table>
  <p class="dim">${t('caps.note')}</p>`;

/** The returns the rule sheet prints, in percent by bet. @param {GameView} game @returns {Record<string, string>} */
export const printed = (game) => /** @type {Record<string, string>} */ (game.sheet.published ?? {});

/** @param {GameView} game */
export const Returns = (game) => Object.entries(printed(game)).map(([bet, value]) => html`
  <div><dt>${bet === 'main' ? t('returns.main') : t(`bet.${bet}`, {}, game.id)}</dt><dd>${words.value.percent(value)}</dd></div>`);
