/** After a fold, once the round has ended, the hidden cards and what playing on would have given.
 * The server refuses both before the end. */
import { html } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { get } from '../net.js';
import { fold } from '../scene.js';
import { learn } from '../store.js';
import { style } from '../style.js';
import { Hands } from './hands.js';
import { money, optionName, t } from './parts.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../protocol.js').RoundView} RoundView */
/** @typedef {import('../protocol.js').WhatIf} Branch */
/** @typedef {{option: string, branch: Branch}} Way  to play on */

const ways = signal(/** @type {{round: string, found: Way[]} | null} */ (null));
let asked = '';

/** Play the round on in every other way. @param {RoundView} round @param {GameView} game */
async function look({ id, events }, game) {
  const chosen = events.flatMap((event) => (event.kind === 'chose' ? [event] : []));
  const last = chosen[chosen.length - 1];
  const question = events.find((event) => event.kind === 'asked' && event.step === last.step);
  if (question?.kind !== 'asked') return;
  const before = chosen.slice(0, -1).map(({ option }) => option);
  const others = question.options.filter(({ id: option, why_not: why }) =>
    why === null && option !== last.option);
  const [found] = await Promise.all([Promise.all(others.map(async (option) => {
    const choices = new URLSearchParams([...before, option.id].map((each) => ['choice', each]));
    return { option: optionName(option, game),
      branch: await get(`/rounds/${id}/what-if?${choices}`) };
  })), learn(undefined, 'fold.title'), style('review')]);
  if (asked === id) ways.value = { round: id, found };
}

/** @param {RoundView} round @param {GameView} game */
export function AfterFold(round, game) {
  if (asked !== round.id) {
    asked = round.id;
    look(round, game).catch(() => { asked = ''; });
  }
  const found = ways.value?.round === round.id ? ways.value.found : [];
  if (!found.length) return html`<p class="wait" role="status">${t('net.connecting')}</p>`;
  const net = (/** @type {{returned_cents: number, staked_cents: number}} */ of) =>
    money(of.returned_cents - of.staked_cents);
  return html`<div class="review">${Hands(fold(found[0].branch.events), game.id)}
    <table class="plain"><caption class="vh">${t('fold.title')}</caption>
      <thead><tr><th scope="col">${t('coach.option')}</th>
        <th scope="col">${t('what-if.result')}</th></tr></thead>
      <tbody><tr><th scope="row">${t('fold.folded')}</th><td>${net(round)}</td></tr>
        ${found.map(({ option, branch }) => html`<tr><th scope="row">${option}</th>
          <td>${branch.ask ? '…' : net(branch)}</td></tr>`)}</tbody></table>
    <p class="dim">${t('fold.one-deal')}</p>
    <p class="row"><a class="act" href="/r/${round.id}">${t('fold.value')}</a></p></div>`;
}
