/** The lobby: one card per table, open rounds, and the last rounds. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { Face } from '../cards.js';
import { get } from '../net.js';
import { facts, games, indices, meter, net, open, real, refreshRounds, roundsOfSession, settings,
  unseen, wallet, words } from '../store.js';
import { Returns } from './pays.js';
import { Figure, rulesName, t } from './parts.js';
import { Rounds } from './rounds.js';

/** The review of the session, which a player who has come from a table sees with the coach on. */
const review = signal(/** @type {any} */ (null));

/** Whether the player has played no round yet, once that is known. */
const beginner = signal(false);
const latest = signal(/** @type {import('../store.js').RoundSummary[]} */ ([]));

/** The priority of a table: an open round first, then one that ended unseen.
 * @param {import('../store.js').GameView} game */
const waits = ({ id }) => [unseen.value, open.value].findLastIndex((rounds) =>
  rounds.some(({ game }) => game === id));

/** @param {import('../store.js').GameView} game @param {number} place */
function Door(game, place) {
  const waiting = open.value.find((round) => round.game === game.id);
  const ended = unseen.value.find((round) => round.game === game.id);
  const left = waiting ? (Date.parse(waiting.opened_at) - Date.now()) / 1000
    + game.void_after_s : 0;
  const mins = game.spots.map(({ min }) => min), maxes = game.spots.map(({ max }) => max);
  return html`<li><a class="door" href="/table/${game.id}" aria-keyshortcuts=${place + 1}>
    <span class="mini" aria-hidden="true">
      ${facts[game.id].fan.split(' ').map((card) =>
        html`<span class="card">${Face(card, indices.value)}</span>`)}</span>
    <span class="about"><h2>${t('title', {}, game.id)}</h2>
      <p>${t('about', game.sheet, game.id)}</p>
      ${game.rules ? html`<p class="badge">${t('shell.rules', { name: rulesName(game.rules,
        game.id) })}</p>` : nothing}
      ${waiting
        ? html`<p class="badge">${t('lobby.resume', { left: words.value.duration(left) })}</p>`
        : nothing}
      ${ended
        ? html`<p class="badge">${t(ended.state === 'voided'
        ? 'lobby.refunded' : 'lobby.ended')}</p>` : nothing}
      <dl><div><dt>${t('lobby.limits')}</dt>
        <dd>${t('lobby.range', { min: Math.min(...mins), max: Math.max(...maxes) })}</dd></div>
        ${Returns(game)}</dl>${meter.value?.Meter(game.id) ?? nothing}</span>
    <span class="act primary" aria-hidden="true">${waiting
      ? t('lobby.go-on') : t('lobby.sit')}</span></a><p class="ways">${facts[game.id].lesson
    ? html`<a class=${beginner.value ? 'act' : ''} href="/lesson/${game.id}">${
      t('learn.lesson')}<span class="vh">: ${t('title', {}, game.id)}</span></a>` : nothing}<a
      href="/drill/${game.id}">${t('page.practise')}<span class="vh">: ${
        t('title', {}, game.id)}</span></a><a href="/position/${game.id}">${
        t('page.study')}<span class="vh">: ${t('title', {}, game.id)}</span></a></p></li>`;
}

/** Arrows move from door to door. @param {KeyboardEvent} event */
function arrows(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const doors = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.door')]);
  const place = doors.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  event.preventDefault();
  doors[(place + step + doors.length) % doors.length].focus();
}

/** @param {string} _ @param {boolean} fresh the page carries what waits, the first time */
export async function arrive(_, fresh) {
  if (!fresh) await refreshRounds();
  latest.value = (await get('/rounds')).rounds;
  beginner.value = latest.value.length === 0 && open.value.length === 0;
  review.value = null;
  if (fresh || settings.value.coach === 'off' || !roundsOfSession().length) return;
  review.value = await import('./session.js');
  await review.value.load();
}

export const View = () => html`<main class="page lobby">
  <section aria-labelledby="tables"><h2 id="tables" class="vh">${t('lobby.tables')}</h2>
    <ul class="doors" @keydown=${arrows}>${games.toSorted((one, other) => waits(other) - waits(one))
      .map(Door)}</ul></section>
  <section class="mine"><h2>${t('lobby.mine')}</h2>
    <dl class="figures">${Figure('hud.balance', wallet.value.balance_cents)}
      ${wallet.value.held_cents ? Figure('lobby.held', wallet.value.held_cents) : nothing}
      <div><dt>${t('shell.net')}</dt><dd>${words.value.signed(net.value)}</dd></div></dl>
    ${latest.value.length === 0 ? html`<p class="dim">${t('lobby.no-rounds')}</p>`
      : html`${Rounds(latest.value.slice(0, 10))}<p><a href="/history">${t('lobby.all-rounds')}</a>
        <a href="/statistics">${t('view.statistics')}</a> ${roundsOfSession().length
          ? html`<a href="/session">${t('view.session')}</a>` : nothing}</p>`}</section>
  ${review.value?.Review() ?? nothing}
  <footer class="foot"><p>${t(real.value ? 'lobby.real-money' : 'lobby.play-money')}</p>
    <p><a href="/help">${t('view.help')}</a> · <a href="/fair">${t('view.fair')}</a> ·
      <a href="/history">${t('view.history')}</a>
      · <a href="/errors">${t('page.errors')}</a></p></footer>
</main>`;

