/** The replay of a finished round, step by step, on the same felt; and its what-if.
 */
import { html, nothing } from '../../vendor/lit.js';
import { computed, signal } from '../../vendor/signals.js';
import { flip, pace } from '../motion.js';
import { get } from '../net.js';
import { fold, folded } from '../scene.js';
import { learn, settings, whole, words } from '../store.js';
import { AfterFold } from './after-fold.js';
import { Held, Ledger, Rows, deciding } from './felt.js';
import { Act, Busy, Figure, t } from './parts.js';
import { look, other, WhatIf } from './what-if.js';

const recall = signal(/** @type {import('../protocol.js').Recall | null} */ (null));
const table = signal(/** @type {import('../store.js').GameView | null} */ (null));
const layout = signal(/** @type {import('./felt.js').Layout | null} */ (null));
const step = signal(0);
/** Whether the player has asked what a fold missed. */
const wondering = signal(false);
const events = computed(() => (other.value ?? recall.value?.round)?.events ?? []);
const scene = computed(() => fold(events.value.slice(0, step.value)));

/** @param {string} id */
export async function arrive(id) {
  recall.value = null;
  const found = /** @type {import('../protocol.js').Recall} */ (await get(`/rounds/${id}/recall`));
  const name = found.round.game;
  const [module, played] = await Promise.all([import(`../../games/${name}/layout.js`), whole(name),
    learn(name)]);
  other.value = null;
  wondering.value = false;
  layout.value = module.default;
  table.value = played;
  step.value = found.round.events.length;
  recall.value = found;
  look(found.round.game, id, found.choices);
}

/** @param {number} to */
function move(to) {
  const next = Math.max(0, Math.min(events.value.length, to));
  flip(() => { step.value = next; }, pace(settings.value.speed),
    { card: document.querySelector('.steps') });
}

export function View() {
  const found = recall.value, game = table.value;
  if (!found || !game || !layout.value) return Busy('page');
  const end = events.value.length, at = Math.min(step.value, end), branch = other.value;
  const opened = found.round.opened_at, when = new Date(opened)
    .toLocaleString(`${words.value.language}-CA`, { dateStyle: 'medium', timeStyle: 'short' });
  const told = at ? words.value.tell(events.value[at - 1], game.id) : t('replay.start');
  return html`<main class="page replay ${game.id}">
    <p class="row"><strong class="tag">${t(branch ? 'what-if.title' : 'replay.tag')}</strong>
      <time datetime=${opened}>${when}</time>
      <a href="/fair/${found.round.id}">${t('history.verify')}</a>
        <a href="/history">${t('view.history')}</a>
      <a href="/certificate/${found.round.id}">${t('fair.certificate')}</a>
      <a href="/rounds/${found.round.id}/certificate?language=${words.value.language}"
        download>${t('fair.save-certificate')}</a></p>
    ${found.round.reversal
      ? html`<p class="message told">${t('replay.reversed', found.round.reversal)}</p>` : nothing}
    <div class="felt">${Rows(layout.value, game, scene.value,
      html`<div class="message" role="status"><p>${told}</p>
        ${scene.value.ended ? deciding(layout.value, game, scene.value)
          .map((each) => html`<small>${each}</small>`) : nothing}</div>`)}
      ${scene.value.ended ? Ledger(game, scene.value)
        : html`<div class="spots">${layout.value.bets.map((bet) =>
          Held(bet, game, scene.value))}</div>`}</div>
    <div class="steps" role="group" aria-label=${t('replay.steps')}>
      ${Act(t('replay.first'), 'Home', () => move(0), { off: !at })}
      ${Act(t('replay.back'), 'ArrowLeft', () => move(at - 1), { off: !at })}
      <output>${t('replay.at', { at, end })}</output>
      ${Act(t('replay.on'), 'ArrowRight', () => move(at + 1), { off: at === end })}
      ${Act(t('replay.last'), 'End', () => move(end), { off: at === end })}</div>
    <dl class="figures">${branch ? nothing : Figure('replay.before', found.balance_before_cents)}
      ${Figure('hud.bet', (branch ?? found.round).staked_cents)}${Figure('hud.win',
        (branch ?? found.round).returned_cents)}
      ${branch ? nothing : Figure('replay.after', found.balance_after_cents)}</dl>
    ${folded(found.round.events, layout.value.loses) ? html`<section class="fold">${wondering.value
      ? html`<h2>${t('what-if.folded')}</h2>${AfterFold(found.round, game)}`
      : Act(t('what-if.folded'), '', () => { wondering.value = true; })}</section>` : nothing}
    ${WhatIf(game, events.value, at, move)}
    <ol class="story">${events.value.map((event, place) =>
      html`<li aria-current=${place === at - 1 ? 'step' : nothing}>
      <button @click=${() => move(place + 1)}>${words.value.tell(event,
        game.id)}</button></li>`)}</ol></main>`;
}
