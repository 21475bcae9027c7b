/** A list of rounds, each with its replay and its check. */
import { html, nothing } from '../../vendor/lit.js';
import { words } from '../store.js';
import { Heads, rulesName, t } from './parts.js';

/** @typedef {import('../store.js').RoundSummary} RoundSummary */

/** @type {Intl.DateTimeFormatOptions} */
const SHORT = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' };

/** @param {string} time */
const moment = (time) => new Date(time).toLocaleString(`${words.value.language}-CA`, SHORT);

/** The name of a game; its id if it is not installed any more. @param {string} game */
const title = (game) => words.value.find('title', game) ?? game;

/** @param {RoundSummary} round */
const Row = ({ id, game, state, opened_at, staked_cents, returned_cents, reversed,
  rules }) => html`<tr>
  <td><time datetime=${opened_at}>${moment(opened_at)}</time><small>${title(game)}</small></td>
  <td>${title(game)}${rules ? html` <em class="dim">${rulesName(rules, game)}</em>` : nothing}</td>
  <td>${words.value.money(staked_cents)}</td>
  <td>${reversed ? t('state.reversed') : returned_cents === null ? t(`state.${state}`)
    : words.value.signed(returned_cents - staked_cents)}</td>
  <td>${state === 'open' ? html`<a href="/table/${game}">${t('lobby.go-on')}</a>`
    : html`<a href="/r/${id}">${t('history.replay')}</a>
      <a href="/fair/${id}">${t('history.verify')}</a>`}</td></tr>`;

/** @param {readonly RoundSummary[]} list */
export const Rounds = (list) => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${t('history.title')}>
    <table class="plain rounds"><caption class="vh">${t('history.title')}</caption>
      <thead>${Heads('history.time', 'history.game', 'history.staked', 'history.net',
        'history.see')}</thead>
      <tbody>${list.map(Row)}</tbody></table></div>`;
