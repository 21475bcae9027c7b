/** A table in every phase: bet, dealing, decide, reveal, settled. It renders server state. */
import { html, keyed, nothing } from '../../vendor/lit.js';
import { effect, signal, untracked } from '../../vendor/signals.js';
import * as betting from '../bets.js';
import { guide, table } from '../keys.js';
import { fetched } from '../net.js';
import * as play from '../play.js';
import { folded } from '../scene.js';
import { card, coach, comforts, facts, games, learn, notice, panel, real, route, say, set, settings,
  wallet, words } from '../store.js';
import { Held, Inscription, Ledger, Ring, Rows, colour, deciding, hint, result } from './felt.js';
import { Act, Busy, Figure, t, working } from './parts.js';
import { PayTables } from './pays.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('./felt.js').Choosing} Choosing */

const layouts = signal(/** @type {Record<string, import('./felt.js').Layout>} */ ({}));

// A player who returns to the table sees its current state: it may have changed elsewhere.
effect(() => { if (route.value.name !== 'table') play.game.value = null; });

/** @param {string} id @param {boolean} fresh */
export async function arrive(id, fresh) {
  play.game.value = null; // its state may have changed elsewhere
  const [module] = await Promise.all([fetched(() => import(`../../games/${id}/layout.js`)),
    learn(id)]);
  layouts.value = { ...layouts.value, [id]: module.default };
  await play.sit(id, fresh);
}

/** @param {string} id */
export function View(id) {
  const game = play.game.value, layout = layouts.value[id];
  if (!layout || game?.id !== id) return Busy('table');
  const phase = play.phase.value, scene = play.scene.value;
  const won = phase === 'settled' && scene.ended !== null
    && scene.ended.returned_cents > scene.ended.staked_cents;
  const choosing = phase === 'decide' ? layout.choosing : undefined;
  const ready = !play.locked.value && (phase !== 'bet' || play.seat.value !== null);
  const acts =
    keyed(phase, html`<div class="acts ${phase}">${Actions(game, layout, choosing)}</div>`);
  const onHand = phase === 'decide' && layout.onHand?.includes(scene.ask?.key ?? '');
  return html`
  <main class="table ${game.id} ${phase}" data-phase=${phase} ?data-ready=${ready}>
    ${asks() ? AskForSound() : nothing}
    <div class="felt">
      ${Shoe()}${layout.Corner?.(game)}
      ${Rows(layout, game, scene,
        html`<div class="middle">${Inscription(game)}${Message(game, layout)}${
          phase === 'bet' ? comforts.value?.Favourites(game) : nothing}</div>`,
        { won, choosing, answers: onHand ? acts : nothing })}
      ${phase === 'settled' ? Ledger(game, scene) : Spots(layout.bets, game)}
    </div>
    <aside class="side" aria-label=${t('pays.aside')} tabindex=${settings.value.coach === 'off'
      && settings.value.card === 'off' ? nothing : 0}>${Coach(game)}${card.value?.Side(game)
      ?? nothing}${PayTables(game, scene)}</aside>
  </main>
  <footer class="rail">
    <dl>${Figure('hud.balance', play.funds.value, 'balance')}${Figure('hud.bet', play.staked.value)}
      ${Figure('hud.win', phase === 'settled' ? play.round.value?.returned_cents ?? 0 : 0)}</dl>
    ${coach.value?.Graded()}
    ${phase === 'bet' && !broke() ? Chips() : nothing}
    ${onHand ? nothing : acts}
  </footer>`;
}

/** What the coach says, where there is room beside the felt. @param {GameView} game */
const Coach = (game) => (settings.value.coach === 'off' ? nothing : coach.value?.Coach(game)
  ?? nothing);

/** The deck, with its commitment. */
function Shoe() {
  const promise = play.round.value?.commitment ?? play.seat.value?.commitment;
  return html`<button class="promise" aria-haspopup="dialog"
    @click=${() => { panel.value = 'seeds'; }}>
    <span class="shoe" aria-hidden="true"></span>
    <span class="hash"><small>${t('fair.commitment')}</small>
      <code>${promise ? `${promise.slice(0, 8)}…` : nothing}</code></span>
    <span class="vh">${t('fair.open')}</span></button>`;
}

/**
 * The sentence in the middle of the table, and earlier announcements.
 * @param {GameView} game @param {import('./felt.js').Layout} layout
 */
function Message(game, layout) {
  const { choosing, steps } = layout;
  const phase = play.phase.value, asked = phase === 'decide';
  const { claimed, ended, ask, said } = play.scene.value;
  const told = [...said.map((event) => words.value.tell(event, game.id)),
    ...(asked && choosing?.told(game)) || []];
  let text = t(`message.${phase}`, {}, game.id), tone = '';
  if (phase === 'bet' && broke()) text = t(real.value ? 'money.none-left' : 'money.none');
  if (asked && ask) text = words.value.tell(ask, game.id);
  if (phase === 'settled' && ended) {
    ({ text, tone } = result(ended));
    told.push(...deciding(layout, game, play.scene.value));
  }
  // Before the deal a notice takes the place of the prompt; afterwards the question stays.
  if (phase === 'bet' && notice.value) [text, tone] = [notice.value(), 'told'];
  else if (notice.value) told.push(notice.value());
  return html`<div class="message ${tone}">${claimed
    ? html`<strong>${words.value.tell(claimed, game.id)}</strong>` : nothing}
    <p>${text}${coach.value?.Graded()}</p>${told.map((each) => html`<small>${each}</small>`)}
    ${asked && steps ? Steps(steps, ask?.key ?? '', game) : nothing}
    ${phase === 'settled'
      ? html`<a class="check" href="/fair/${play.round.value?.id}">${t('fair.check-this')}</a>${
        folded(play.round.value?.events ?? [], layout.loses) ? html` <button class="check"
          aria-haspopup="dialog" @click=${() => { panel.value = 'fold'; }}>${
            t('what-if.folded')}</button>` : nothing}`
      : nothing}</div>`;
}

/** How far a round of several questions has come. @param {string[]} steps @param {string} now
 * @param {GameView} game */
const Steps = (steps, now, game) => html`<ol class="steps">${steps.map((step) => html`
  <li aria-current=${step === now ? 'step' : nothing}>${t(`step.${step}`, {},
    game.id)}</li>`)}</ol>`;

/** Where the bets lie; before the deal, those to stake take chips. @param {string[]} bets
 * @param {GameView} game */
const Spots = (bets, game) => html`<div class="spots" role="group" aria-label=${t('spots.title')}>
  ${bets.map((bet) => {
    const spot = play.phase.value === 'bet' && play.spots.value.find(({ id }) => id === bet);
    return spot ? Spot(spot, game) : Held(bet, game, play.scene.value);
  })}</div>`;

/** A spot that takes chips. @param {import('../bets.js').Spot} spot @param {GameView} game */
function Spot(spot, game) {
  const bet = spot.id, cents = play.bets.value[bet] ?? 0;
  const needs = betting.missing(spot, play.bets.value);
  const room = spot.max - cents, chip = spot.fixed
    ? room : Math.min(Math.max(play.chip.value, spot.min - cents), room);
  const more = t(needs ? 'spot.waits' : room > 0 ? 'spot.place' : 'spot.full',
    { cents, chip, needs }, game.id);
  const remove = (/** @type {Event} */ event) => { event.preventDefault(); play.remove(bet); };
  const key = (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' && event.shiftKey)
    remove(event); };
  return html`<button class="spot ${bet}" ?disabled=${needs !== null}
    @click=${() => play.place(bet)} @contextmenu=${remove} @keydown=${key}>${Ring(bet, cents,
      hint(bet, game), game)}
    <span class="vh">${more}</span>
    ${needs
      ? html`<small class="why" aria-hidden="true">${t('spot.needs', { needs }, game.id)}</small>`
      : nothing}</button>`;
}

const Chips = () => html`<div class="chips" role="radiogroup" aria-label=${t('chips.title')}
  @keydown=${arrows}>
  ${play.chips.value.map((cents, place) => Chip(cents, String(place + 1)))}
  ${play.chips.value.includes(play.chip.value) ? nothing : Chip(play.chip.value, '')}</div>
  <button class="chip other" @click=${() => { panel.value = 'amount'; }}
    aria-label=${t('chips.other')}>
    <b aria-hidden="true">…</b></button>`;

/** @param {number} cents @param {string} key */
const Chip = (cents, key) => html`<button class="chip" role="radio" data-value=${colour(cents)}
  aria-checked=${play.chip.value === cents} tabindex=${play.chip.value === cents ? 0 : -1}
  aria-label=${t('chips.one', { cents })} aria-keyshortcuts=${working(key) || nothing}
  @click=${() => { play.chip.value = cents; }}><b>${words.value.short(cents)}</b></button>`;

/** Arrow keys choose a chip, as in any radio group. @param {KeyboardEvent} event */
function arrows(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = play.chips.value;
  play.chip.value = all[(all.indexOf(play.chip.value) + step + all.length) % all.length];
  /** @type {HTMLElement | null} */ (document.querySelector('.chip[aria-checked=true]'))?.focus();
}

/**
 * The buttons of the phase.
 * @param {GameView} game @param {import('./felt.js').Layout} layout
 * @param {Choosing | undefined} choosing
 */
function Actions(game, layout, choosing) {
  const off = play.locked.value, some = play.staked.value > 0;
  const dealable = play.seat.value && betting.ready(play.spots.value, play.bets.value);
  switch (play.phase.value) {
    case 'bet':
      if (broke()) return real.value ? nothing : Act(t('act.more-money'), 'Space',
        play.morePlayMoney, { off, kind: 'primary' });
      return [
        Act(t('act.undo'), 'Z', play.undo, { off: off || !play.undone.value.length }),
        Act(t('act.clear'), 'X', play.clear, { off: off || !some }),
        Act(t('act.double'), 'B', play.double, { off: off || !some }),
        Act(t('act.repeat'), 'R', play.repeat,
          { off: off || some || !betting.total(play.last.value) }),
        Act(t('act.deal'), 'Space', play.deal, { off: off || !dealable, kind: 'primary' }),
      ];
    case 'decide': return choosing ? choosing.Options(game, off) : Options(game, layout, off);
    case 'settled': return [
      Act(t('act.new'), 'X', () => play.next(stays(layout)), { off }),
      Act(t('act.again'), 'A', play.again, { off: off || !betting.total(play.last.value),
        kind: 'again', note: words.value.money(betting.total(play.last.value)) }),
      Act(t('act.repeat-bet'), 'R', () => play.next(play.last.value), { off, kind: 'primary' }),
    ];
    default: return html`<p class="wait">${t('act.hurry')}</p>`;
  }
}

/**
 * The options of the question: all of equal weight.
 * @param {GameView} game @param {import('./felt.js').Layout} layout @param {boolean} off
 */
export function Options(game, { loses }, off) {
  const options = play.round.value?.ask?.options ?? [];
  const dear = !real.value && options.some((option) => option.legal && !option.affordable);
  return html`${options.map((option) => {
    const { id, legal, affordable } = option;
    const worth = coach.value?.note(id) ?? '', kind = coach.value?.isBest(id)
      ? 'option best' : 'option';
    const note = [cost(option, game, loses), worth].filter(Boolean).join(' · ');
    const how = { off: off || !legal || !affordable, kind, note };
    return Act(t(`option.${id}`, {}, game.id), t(`key.${id}`, {}, game.id),
      () => play.choose(id), how);
  })}${dear ? Act(t('act.more-money'), '', play.morePlayMoney, { off }) : nothing}`;
}

/**
 * The price or loss of an option, or why it is unavailable.
 * @param {import('../protocol.js').OptionView} option @param {GameView} game
 * @param {import('./felt.js').Layout['loses']} loses
 */
function cost({ id, why_not: why, affordable, stake_cents: cents }, game, loses) {
  if (why) return t(`why-not.${why}`, {}, game.id);
  if (!affordable) return t('option.dear', { cents });
  const lost = (loses?.[id] ?? []).reduce((sum, bet) => sum + (play.scene.value.bets[bet] ?? 0), 0);
  return lost ? t('option.loses', { cents: lost }) : cents ? words.value.money(cents) : '';
}

/** The returned stakes that stay for the next round. @param {import('./felt.js').Layout} layout */
const stays = ({ stays: why }) => Object.fromEntries(Object.values(play.scene.value.settled)
  .flatMap((line) => (
  line.why === why ? [[line.bet, line.staked_cents]] : [])));

/** Too little for the smallest bet of any table: offer more play money. */
function broke() {
  const least = Math.min(...games.flatMap((game) => game.spots.filter((spot) => spot.main)
    .map((spot) => spot.min)));
  return wallet.value.balance_cents < least;
}

/** Sound is asked about once, at the first table, before anything lies on it. */
const asks = () => settings.value.sound === 'ask' && play.phase.value === 'bet'
  && !play.staked.value;

/** To continue without answering means no. */
const AskForSound = () =>
  html`<p class="ask" role="group" aria-label=${t('sound.ask')}><span>${t('sound.ask')}</span>
  ${['off', 'on'].map((answer) =>
    html`<button class="ico" @click=${() => set('sound', answer)}>${
    t(`settings.sound-${answer}`)}</button>`)}</p>`;

// Keyboard: end the animation, read the table aloud ----------------------------------------------

/** The game on the felt, in practice too. */
const here = () => play.game.value?.id ?? play.round.value?.game ?? '';

/** The hands in words. @param {(zone: string) => boolean} wanted */
const hands = (wanted) => Object.entries(play.scene.value.zones)
  .filter(([zone, { length }]) => length && wanted(zone)).map(([zone, places]) => (
  t('read.zone', { zone, cards: places.map(({ card }) => card) }, here())));

/** The rest in words: the bets, the question or the result, the money. */
function rest() {
  const { ask, settled, bets: staked } = play.scene.value;
  const id = here();
  const lying = Object.entries(play.round.value ? staked : play.bets.value)
    .map(([bet, cents]) => t('read.bet', { bet, cents }, id));
  const told = [...(ask ? [ask] : []), ...Object.values(settled)].map((event) =>
    words.value.tell(event, id));
  return [...lying, ...told, ...(play.game.value
    ? [t('read.balance', { cents: play.funds.value })] : [])];
}

/** @param {string[]} told */
const read = (told) => say(told.join(' ') || t('read.nothing'));

table.moving = () => play.moving.value;
table.hurry = play.hurry;
table.keys = {
  I: () => read([...hands(() => true), ...rest()]),
  F: () => read(hands((zone) => !zone.startsWith('house'))),
  G: () => read(hands((zone) => zone.startsWith('house'))),
  V: () => { if (facts[route.value.id]?.card) panel.value = 'card'; },
};

// The focus follows the phases of a round, once input is unlocked.
effect(() => {
  if (!play.locked.value && ['decide', 'settled'].includes(play.phase.value))
    requestAnimationFrame(guide);
});
effect(() => { if (play.staked.value || play.round.value)
  untracked(() => { if (settings.value.sound === 'ask') set('sound', 'off'); }); });
addEventListener('visibilitychange', play.lookAgain);
