/** State shared by all views: words, games, money, settings, location. */
import { computed, effect, signal } from '../vendor/signals.js';
import { get, post } from './net.js';
import { Words } from './words.js';

/** @typedef {import('./protocol.js').Wallet} Wallet */
/** @typedef {import('./protocol.js').GameView} GameView */
/** @typedef {import('./protocol.js').RoundSummary} RoundSummary */
/** @typedef {{fan: string, cards: number, card: boolean, lesson: boolean}} Facts  what stands for
 * a game, its deck's size, whether it has a strategy card and a lesson */
/** @typedef {{language: string, words: Record<string, string>, games: GameView[],
 *   facts: Record<string, Facts>, wallet: Wallet | null, open: RoundSummary[],
 *   unseen: RoundSummary[], offline: Record<string, Record<string, string>>}} Boot  in the page */
/** @typedef {{name: string, id: string}} Route */

/** @type {Boot} */
const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}');

/** Whether this is the cached page for offline use. */
export const offline = Object.keys(boot.offline).length > 0;
const chosen = /tapis_language=(\w+)/.exec(document.cookie)?.[1] ?? '';
const language = chosen in boot.offline ? chosen : boot.language;
document.documentElement.lang = language;

export const words = signal(new Words(language, boot.offline[language] ?? boot.words));
export const games = boot.games;
/** Of every installed game, offered or not. */
export const facts = boot.facts;
export const wallet = signal(boot.wallet ?? { currency: '', balance_cents: 0, held_cents: 0 });
export const open = signal(boot.open);
export const unseen = signal(boot.unseen);

const SIGNS = /** @type {Record<string, string>} */ ({ '': '$', FUN: '$', CAD: '$', USD: '$',
  EUR: '€', GBP: '£' });
/** How a currency is written. @param {string} currency */
export const signOf = (currency) => SIGNS[currency] ?? currency;
Words.sign = signOf(wallet.value.currency);

/** The drawer or dialog that is open.
 * @type {import('../vendor/signals.js').Signal<string | null>} */
export const panel = signal(/** @type {string | null} */ (null));

/** A sentence that stays until the player acts, in the current language. */
export const notice = signal(/** @type {(() => string) | null} */ (null));

export const gameOf = (/** @type {string} */ id) => games.find((game) => game.id === id);

/** A game with all its figures: of other tables the page embeds only the lobby's.
 * @param {string} id @returns {Promise<GameView>} */
export async function whole(id) {
  const found = gameOf(id);
  return found && 'spots' in found.sheet ? found : get(`/games/${id}`);
}

/** Fetch the open rounds, those that ended unseen, and the wallet. */
export async function refreshRounds() {
  const asked = ['/rounds?status=open', '/rounds?status=unseen', '/wallet'];
  const [waiting, ended, money] = await Promise.all(asked.map(get));
  wallet.value = money;
  open.value = waiting.rounds;
  unseen.value = ended.rounds;
}

/** Come in as a player whom the operator has given a token. @param {string} token */
export async function enterAs(token) {
  await post('/sessions', { token });
  localStorage.removeItem('session'); // another player's time and money
  location.assign('/');
}

/** Create a guest, unless the browser has a session. */
export async function enter() {
  if (!wallet.value.currency && !offline) wallet.value = (await post('/guests')).wallet;
}

// Settings, kept in this browser ---------------------------------------------------------------

const DEFAULTS = { speed: 'normal', colours: 'two', indices: 'auto', keys: 'on', coach: 'off',
  card: 'off', sound: 'ask', volume: 'normal', theme: 'dark', cards: 'normal', hand: 'right',
  vibration: 'off', sorting: 'dealt', comforts: '' };

/** A choice is costly from this share of the stake on. */
export const COSTLY = 0.005;

/** The coach's module, once loaded.
 * @type {import('../vendor/signals.js').Signal<any>} */
export const coach = signal(null);
/** The module of the strategy card, once loaded.
 * @type {import('../vendor/signals.js').Signal<any>} */
export const card = signal(null);
/** The jackpot's module, for real-money players.
 * @type {import('../vendor/signals.js').Signal<any>} */
export const meter = signal(null);
/** Favourite bets, chips and looks, for players who have chosen any.
 * @type {import('../vendor/signals.js').Signal<any>} */
export const comforts = signal(null);
/** Whether this is a real-money player. */
export const real = computed(() => !['', 'FUN'].includes(wallet.value.currency));
/** What makes sounds, once they are wanted. @type {import('../vendor/signals.js').Signal<any>} */
export const sound = signal(null);

/** What this browser has kept under a name; nothing if it cannot be read. @param {string} name
 * @returns {any} */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** @type {import('../vendor/signals.js').Signal<Record<string, string>>} */
export const settings = signal({ ...DEFAULTS, ...kept('settings') });

/** @param {string} name @param {string} value */
export const set = (name, value) => { settings.value = { ...settings.value, [name]: value }; };

/** Toggle sound, and announce it. */
export function toggleSound() {
  set('sound', settings.value.sound === 'on' ? 'off' : 'on');
  say(words.value.write(`sound.${settings.value.sound}`));
}

/** The letters printed on the court cards. */
export const indices = computed(() => {
  const wanted = settings.value.indices === 'auto' ? words.value.language : settings.value.indices;
  return /** @type {Record<string, string>} */ (wanted === 'fr' ? { K: 'R', Q: 'D', J: 'V' } : {});
});

effect(() => {
  localStorage.setItem('settings', JSON.stringify(settings.value));
  document.documentElement.classList.toggle('four-colours', settings.value.colours === 'four');
});

/**
 * Whether the words of a view are loaded: a page embeds those of its first view.
 * @param {string} [game] @param {string} [key] a word that only this view has
 */
export const knows = (game, key = game ? 'felt' : 'event.ended') =>
  Boolean(words.value.find(game ? `${game}.${key}` : key));

/** Fetch the words of a view that has more of them. @param {string} [game] @param {string} [key] */
export async function learn(game, key) {
  const { language } = words.value;
  if (!knows(game, key)) words.value = new Words(language, await get(`/words/${language}`));
}

/** Change the language; the cookie sets it for the next visit.
 * @param {string} language */
export async function speak(language) {
  words.value = new Words(language, boot.offline[language] ?? await get(`/words/${language}`));
  document.documentElement.lang = language;
  document.cookie = `tapis_language=${language}; path=/; max-age=31536000; samesite=strict`;
}

// Where we are ----------------------------------------------------------------------------------

const ROUTES = /** @type {const} */ ([
  ['lobby', /^\/$/], ['table', /^\/table\/([\w-]+)$/], ['help', /^\/help(?:\/([\w-]+))?$/],
    ['history', /^\/history$/],
  ['replay', /^\/r\/([\w-]+)$/], ['fair', /^\/fair(?:\/([\w-]+))?$/],
    ['statistics', /^\/statistics$/],
  ['session', /^\/session$/], ['again', /^\/again\/([\w-]+\/\d+)$/],
  ['drill', /^\/drill\/([\w-]+)$/], ['rules', /^\/rules\/([\w-]+)$/],
  ['position', /^\/position\/([\w-]+)$/], ['card', /^\/card\/([\w-]+)$/],
  ['lesson', /^\/lesson\/([\w-]+)$/],
]);

/** @param {string} path @returns {Route | null} */
function read(path) {
  for (const [name, shape] of ROUTES) {
    const found = shape.exec(path);
    if (found) return { name, id: found[1] ?? '' };
  }
  return null;
}

export const route = signal(read(location.pathname) ?? { name: 'lobby', id: '' });

/** @param {string} path */
export function go(path) {
  history.pushState({ from: location.pathname }, '', path);
  arrive();
}

function arrive() {
  panel.value = null;
  notice.value = null;
  route.value = read(location.pathname) ?? { name: 'lobby', id: '' };
  scrollTo(0, 0);
}

/** Links within the house change the view instead of loading a page. */
export function follow() {
  addEventListener('popstate', arrive);
  addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (!anchor || event.defaultPrevented || event.ctrlKey || event.metaKey
      || event.shiftKey) return;
    if (anchor.hasAttribute('download') || offline) return; // load it: we may be online
    if (anchor.origin !== location.origin || !read(anchor.pathname)) return;
    event.preventDefault();
    go(anchor.pathname + anchor.search);
  });
}

// The session: how long, and how it goes. One for all tabs; it ends when no tab was open for half a

const SESSION_ENDS_MS = 30 * 60_000, ALIVE_MS = 15_000;

/** @typedef {{begun: number, alive: number, net: number, mistakes: number,
 * counted: string[]}} Session */

/** The session as all tabs know it, or a new one. @returns {Session} */
function session() {
  const now = Date.now();
  const before = /** @type {Partial<Session>} */ (kept('session'));
  const ended = !before.alive || now - before.alive > SESSION_ENDS_MS;
  return { begun: now, net: 0, mistakes: 0, counted: [], ...(ended ? {} : before), alive: now };
}

export const clock = signal(0);
export const net = signal(0);
/** The cost of this session's choices, in cents. */
export const mistakes = signal(0);

/** Show the session, and keep it. @param {Session} now */
function keep(now) {
  // A clock can be set back: a session is never negative.
  clock.value = Math.max(0, Math.floor((Date.now() - now.begun) / 1000));
  net.value = now.net;
  mistakes.value = now.mistakes;
  localStorage.setItem('session',
    JSON.stringify({ ...now, begun: Math.min(now.begun, Date.now()) }));
}

keep(session());
setInterval(() => keep(session()), ALIVE_MS);
setInterval(() => { clock.value = Math.max(0, Math.floor((Date.now() - session().begun) / 1000));
  }, 1000);
addEventListener('storage', ({ key }) => { if (key === 'session')
  ({ net: net.value, mistakes: mistakes.value } = session()); });

/** Count a finished round once. @param {string} id @param {number} cents */
export function count(id, cents) {
  const now = session();
  if (!now.counted.includes(id))
    keep({ ...now, net: now.net + cents, counted: [...now.counted, id].slice(-200) });
}

/** The ids of the rounds of this session, its newest 200. */
export const roundsOfSession = () => session().counted;

/** Count what a choice has cost. @param {number} cents */
export function countMistake(cents) {
  const now = session();
  keep({ ...now, mistakes: now.mistakes + cents });
}

// Promises: the commitment of every deal as it was shown before the stake, for the check at the end

/** @returns {Record<string, string>} */
const promises = () => kept('promises');

/** @param {string} round @param {string} commitment */
export function remember(round, commitment) {
  const latest = Object.entries({ ...promises(), [round]: commitment }).slice(-200);
  localStorage.setItem('promises', JSON.stringify(Object.fromEntries(latest)));
}

export const promised = (/** @type {string} */ round) => promises()[round];

// What is read aloud: one polite region for the game, one assertive for limits and the connection -

/** @param {string} id @param {string} text */
function put(id, text) {
  const region = document.getElementById(id);
  if (!region) return;
  region.textContent = '';
  // A repeated sentence must change the region to be read again.
  requestAnimationFrame(() => { region.textContent = text; });
}

const STILL_HEARD_MS = 2750;
let said = { text: '', at: -STILL_HEARD_MS };

/** @param {string} text */
export function say(text) {
  said = { text, at: performance.now() };
  put('polite', text);
}

/** Announce outside news after the current announcement. @param {string} text */
export const add = (text) => say(performance.now() - said.at < STILL_HEARD_MS
  ? `${said.text} ${text}` : text);

export const warn = (/** @type {string} */ text) => put('assertive', text);
