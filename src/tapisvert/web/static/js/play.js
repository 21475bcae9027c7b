/** A seat at a table: bets, commands, and the display of their events. */
import { batch, computed, effect, signal } from '../vendor/signals.js';
import * as betting from './bets.js';
import { flip, pace, pause, settle } from './motion.js';
import { Refusal, command, get, link, post, random } from './net.js';
import { beats, fold } from './scene.js';
import {
  comforts, count, gameOf, notice, open, refreshRounds, remember, say, settings, sound, unseen,
  wallet,
    warn, words,
} from './store.js';

/** @typedef {import('./protocol.js').RoundView} RoundView */
/** @typedef {import('./protocol.js').RoundReply} RoundReply */
/** @typedef {import('./protocol.js').Seat} Seat */
/** @typedef {import('./bets.js').Bets} Bets */

const GUARD_MS = 250, BREATH_MS = 280;

export const game = signal(/** @type {import('./store.js').GameView | null} */ (null));
export const seat = signal(/** @type {Seat | null} */ (null));
export const round = signal(/** @type {RoundView | null} */ (null));
export const clientSeed = signal(random(8));
export const sending = signal(false);
export const moving = signal(false);
const guarded = signal(false);
const shown = signal(0);

export const bets = signal(/** @type {Bets} */ ({}));
export const undone = signal(/** @type {Bets[]} */ ([]));
export const last = signal(/** @type {Bets} */ ({}));
export const chip = signal(0);

export const spots = computed(() => game.value?.spots ?? []);
export const chips = computed(() => (game.value
  ? betting.chips(game.value.spots, comforts.value?.tray()) : []));
export const scene = computed(() => fold(round.value?.events.slice(0, shown.value) ?? []));
export const staked =
  computed(() => (round.value ? betting.total(scene.value.bets) : betting.total(bets.value)));
/** The balance, without chips on the table or wins not yet shown. */
export const funds = computed(() => (
  wallet.value.balance_cents - (!round.value ? staked.value : moving.value
    ? round.value.returned_cents : 0)));

/** Whether the question is one of practice: it belongs to no round. */
const practised = () => round.value?.state === 'practice';

export const phase = computed(() => {
  if (!round.value) return 'bet';
  if (practised()) return 'practice';
  if (moving.value) return round.value.ask ? 'dealing' : 'reveal';
  return round.value.ask ? 'decide' : 'settled';
});

/** Whether input is locked: command pending, animation, new phase, or no connection. */
export const locked = computed(() => sending.value || moving.value || guarded.value
  || link.value === 'lost');

// A tap meant for the button that was there must not press the one that is there now (UX 5.2).
effect(() => {
  if (!phase.value || !game.value) return undefined;
  guarded.value = true;
  const timer = setTimeout(() => { guarded.value = false; }, GUARD_MS);
  return () => clearTimeout(timer);
});

// Placed chips survive a reload of the page.
effect(() => { if (game.value) sessionStorage.setItem(`bets.${game.value.id}`,
  JSON.stringify(bets.value)); });

const all = () => wallet.value.balance_cents;

// Sitting down ------------------------------------------------------------------------------------

let wanted = '';

/**
 * Take a seat at a game: continue an open round, show one that ended unseen.
 * @param {string} id @param {boolean} fresh the page itself carries what waits for the player
 */
export async function sit(id, fresh) {
  wanted = id;
  // The page embeds only its first table in full, and the figures may have changed since.
  const found = fresh ? gameOf(id) : (await Promise.all([get(`/games/${id}`), refreshRounds()]))[0];
  if (!found || wanted !== id) return;
  batch(() => {
    round.value = seat.value = notice.value = null;
    moving.value = false;
    game.value = found;
    undone.value = [];
    bets.value = betting.repeat(found.spots,
      JSON.parse(sessionStorage.getItem(`bets.${id}`) ?? '{}'), all()).bets;
    last.value = JSON.parse(localStorage.getItem(`last.${id}`) ?? '{}');
    if (!chips.value.includes(chip.value))
      chip.value = chips.value[Math.min(1, chips.value.length - 1)];
  });
  const waiting = open.value.find((each) => each.game === id);
  const ended = unseen.value.find((each) => each.game === id);
  const seen = sessionStorage.getItem(`shown.${id}`);
  if (waiting) await resume(waiting.id, 'resume.open');
  else if (ended) await resume(ended.id, ended.state === 'voided'
    ? 'resume.refunded' : 'resume.ended');
  else if (seen) await resume(seen).catch(takeSeat);
  else await takeSeat();
}

/** The next deal, with its commitment. If its sheet is new, reload the table. */
async function takeSeat() {
  const id = game.value?.id;
  if (!id) return; // the player has left for another table
  const taken = /** @type {Seat} */ (await post('/seats', { game: id }));
  if (game.value?.id !== id) return;
  if (taken.sheet_hash !== game.value.sheet_hash) game.value = await get(`/games/${taken.game}`);
  seat.value = taken;
}

/** Show a round as it stands, without motion. @param {string} id @param {string} [key] why */
async function resume(id, key) {
  const reply = await get(`/rounds/${id}`);
  take(reply);
  shown.value = reply.round.events.length;
  if (key) notice.value = () => words.value.write(key);
  say([...(key ? [words.value.write(key)] : []), ...sentences(0)].join(' '));
  arrived();
}

// Commands ----------------------------------------------------------------------------------------

export async function deal() {
  if (!locked.value) await stake();
}

/** Send the chips on the table as the stakes of the next round. */
async function stake() {
  if (!seat.value || !betting.ready(spots.value, bets.value)) return;
  const { round_id, commitment } = seat.value;
  const stakes = bets.value;
  remember(round_id, commitment);
  await act(async () => {
    const reply = await command('/rounds', { round_id, commitment, stakes,
      client_seed: clientSeed.value });
    last.value = stakes;
    localStorage.setItem(`last.${game.value?.id}`, JSON.stringify(stakes));
    return reply;
  });
  clientSeed.value = random(8);
}

/** Listener called before a choice is sent; it may hold it back.
 * @type {(option: string) => boolean} */
let passes = () => true;
/** @param {(option: string) => boolean} hear */
export const beforeChoices = (hear) => { passes = hear; };

let hear = (/** @type {string} */ _) => {};

/** Lay a question of practice on the table, as if a round asked it; null clears the table.
 * @param {RoundView | null} asked @param {(option: string) => void} [heard] takes the answer */
export function pose(asked, heard = () => {}) {
  hear = heard;
  batch(() => {
    moving.value = false;
    round.value = asked;
    shown.value = asked?.events.length ?? 0;
  });
}

/** Answer the question of the round with an option's id. @param {string} option */
export async function choose(option) {
  const { ask, id, events } = round.value ?? {};
  if (practised()) return hear(option);
  if (locked.value || !ask || !passes(option)) return;
  await act(() => command(`/rounds/${id}/choices?since=${events?.length}`,
    { step: ask.step, choice: option }));
}

export async function morePlayMoney() {
  await act(async () => {
    wallet.value = await command('/wallet/play-money');
    notice.value = () => words.value.write('money.more-given',
      { cents: wallet.value.balance_cents });
    if (round.value) return get(`/rounds/${round.value.id}`);
    return null;
  });
}

/** Send a command with input locked, and show its events.
 * @param {() => Promise<RoundReply | null>} send */
async function act(send) {
  sending.value = true;
  notice.value = null;
  try {
    const reply = await send();
    if (reply) {
      take(reply);
      await show();
    }
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    await recover(failure);
  } finally {
    sending.value = false;
  }
}

/** The house refused: say why, and see how things really stand. @param {Refusal} refusal */
async function recover(refusal) {
  const id = game.value?.id ?? '';
  wallet.value = await get('/wallet');
  if (round.value) {
    take(await get(`/rounds/${round.value.id}`));
    await show();
  } else {
    await refreshRounds();
    const waiting = open.value.find((each) => each.game === id);
    if (waiting) await resume(waiting.id, 'resume.open');
    else await takeSeat();
  }
  notice.value = () => refusal.message;
  warn(refusal.message);
}

/** Another window may have played on: refresh when visible again. */
export async function lookAgain() {
  if (document.hidden || locked.value || !round.value?.ask || practised()) return;
  const id = round.value.id;
  const reply = await get(`/rounds/${id}?since=${round.value.events.length}`);
  if (locked.value || round.value?.id !== id || !reply.round.events.length) return;
  take(reply);
  await show();
}

/** @param {RoundReply} reply */
function take(reply) {
  const before = round.value?.id === reply.round.id ? round.value.events : [];
  const first = reply.round.events[0]?.n ?? before.length;
  batch(() => {
    if (!before.length) shown.value = 0;
    // The events of the reply are shown beat by beat.
    moving.value = reply.round.events.length > 0;
    round.value = { ...reply.round, events: [...before.slice(0, first), ...reply.round.events] };
    wallet.value = reply.wallet;
    seat.value = reply.seat;
    bets.value = {};
    undone.value = [];
  });
}

// Showing -----------------------------------------------------------------------------------------

let hurried = false;

/** A press during an animation: finish all movement at once. */
export function hurry() {
  hurried = true;
  settle();
}

/** Show the new events, beat by beat. */
async function show() {
  const events = round.value?.events ?? [];
  const start = shown.value;
  hurried = false;
  moving.value = true;
  for (const beat of beats(events, start)) {
    if (round.value?.events !== events) return; // the player has left for another table
    const rate = hurried ? 0 : pace(settings.value.speed);
    const origin = { card: document.querySelector('.shoe'),
      chip: document.querySelector('.balance') };
    sound.value?.beat(events.slice(shown.value, beat.end));
    await flip(() => { shown.value = beat.end; }, rate, origin);
    if (beat.kind === 'turn' && !hurried) await pause(BREATH_MS, rate);
  }
  say(sentences(start).join(' '));
  arrived();
  if (phase.value === 'settled')
    sound.value?.ended((round.value?.returned_cents ?? 0) - (round.value?.staked_cents ?? 0));
}

const RESULTS = ['said', 'claimed', 'settled', 'ended'];

/** What is read aloud of the events from `start` on; a result comes first. @param {number} start */
function sentences(start) {
  const events = (round.value?.events.slice(start) ?? []).filter(({ kind }) => kind !== 'staked');
  const game = round.value?.game ?? '';
  const result = events.at(-1)?.kind === 'ended'
    ? events.filter(({ kind }) => RESULTS.includes(kind)) : [];
  return [...new Set([...result, ...events])].map((event) => words.value.tell(event, game));
}

/** The events are shown: the player may decide, or has seen the end. */
function arrived() {
  moving.value = false;
  const current = round.value;
  if (!current || current.ask) return;
  // The result stays until the player acts.
  sessionStorage.setItem(`shown.${current.game}`, current.id);
  count(current.id, current.returned_cents - current.staked_cents);
  unseen.value = unseen.value.filter(({ id }) => id !== current.id);
  open.value = open.value.filter(({ id }) => id !== current.id);
  post(`/rounds/${current.id}/seen`);
}

/** Clear the table for the next round, and put these chips down. @param {Bets} wanted */
export async function next(wanted) {
  if (locked.value) return;
  sessionStorage.removeItem(`shown.${game.value?.id}`);
  batch(() => { round.value = null; shown.value = 0; notice.value = null; });
  if (betting.total(wanted)) change(betting.repeat(spots.value, wanted, all()));
  if (!seat.value) await takeSeat();
}

/** Place the last bets and deal, in one press. If the table or the balance no longer allows all of
 * them, what is possible lies there, and the player decides. */
export async function again() {
  const wanted = last.value;
  if (locked.value || !round.value) return;
  await next(wanted);
  if (!round.value && link.value !== 'lost' && betting.same(bets.value, wanted)) await stake();
}

// Chips -------------------------------------------------------------------------------------------

/** Show other bets. @param {import('./bets.js').Change} change
 * @param {Bets[]} [steps] what undo goes back to, the last first to go */
export function change({ bets: next, notice: told }, steps = [...undone.value, bets.value]) {
  if (sending.value || link.value === 'lost') return; // a pending command must not look changed
  const moved = !betting.same(next, bets.value);
  const rate = pace(settings.value.speed);
  const origin = { chip: document.querySelector('.chip[aria-checked=true]') };
  flip(() => batch(() => {
    if (moved) undone.value = steps;
    bets.value = next;
    notice.value = told ? () => words.value.write(told.key, told.args, game.value?.id) : null;
  }), rate, origin);
  if (moved) sound.value?.chip();
  if (notice.value) warn(notice.value());
  else say(words.value.write('bet.total', { cents: staked.value }));
}

/** @param {string} spot */
export const place = (spot) => change(betting.place(spots.value, bets.value, spot, chip.value,
  all()));
/** @param {string} spot */
export const remove = (spot) => change(betting.remove(spots.value, bets.value, spot, chip.value));
export const double = () => change(betting.double(spots.value, bets.value, all()));
export const repeat = () => change(betting.repeat(spots.value, last.value, all()));
export const clear = () => change({ bets: {} });
export const undo = () => change({ bets: undone.value.at(-1) ?? {} }, undone.value.slice(0, -1));
