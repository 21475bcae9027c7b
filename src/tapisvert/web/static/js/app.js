/** The page: one effect renders the view whenever its state changes. */
import { html, nothing, render } from '../vendor/lit.js';
import { effect, signal, untracked } from '../vendor/signals.js';
import { Sprite } from './cards.js';
import { listen } from './keys.js';
import { fetched, link, watch } from './net.js';
import {
  card, clock, coach, comforts, enter, follow, gameOf, learn, meter, net, offline, panel, real,
  route, say, settings, sound, speak, toggleSound, wallet, warn, words,
} from './store.js';
import { Busy, rulesName, t } from './views/parts.js';
import { returnsOf } from './views/pays.js';

/** Views that are fetched when they are first wanted. @type {Record<string, () => Promise<any>>} */
const LATER = {
  table: () => import('./views/table.js'),
  lobby: () => import('./views/lobby.js'),
  history: () => import('./views/history.js'),
  replay: () => import('./views/replay.js'),
  fair: () => import('./views/fair.js'),
  help: () => import('./views/help.js'),
  offline: () => import('./views/offline.js'),
  statistics: () => import('./views/statistics.js'),
  drill: () => import('./views/drill.js'),
  rules: () => import('./views/rules.js'),
  position: () => import('./views/position.js'),
  card: () => import('./views/rule-card.js'),
  session: () => import('./views/session.js'),
  again: () => import('./views/again.js'),
  lesson: () => import('./views/lesson.js'),
  panel: () => import('./views/panels.js'),
  coach: () => import('./views/coach.js'),
  sound: () => import('./sound.js'),
  meter: () => import('./views/meter.js'),
  comforts: () => import('./comforts.js'),
};
/** @type {import('../vendor/signals.js').Signal<Record<string, any>>} */
const loaded = signal({});

/** A view that is here, or nothing while it comes. @param {string} name */
function later(name) {
  if (!(name in loaded.peek())) {
    fetched(LATER[name]).then((module) => { loaded.value = { ...loaded.value, [name]: module }; });
  }
  return loaded.value[name];
}

/** Whether the words of a view are loaded, tested by one of its keys.
 * @param {string} name */
const speaks = (name) => words.value.find(
  name === 'lobby' ? 'lobby.sit' : name === 'help' ? 'panel.help' : 'event.ended');

/** What needs no house. @param {string} name @param {string} id */
const without = (name, id) => name === 'help' || (name === 'fair' && !id);

/** The message of an unknown address. */
const lost = signal(/** @type {string | null} */ (null));

function View() {
  const { name, id } = route.value;
  if (lost.value) {
    return html`<main class="page"><p class="message told">${lost.value}</p>
      <p><a class="act" href="/">${t('view.lobby')}</a></p></main>`;
  }
  if (offline && !without(name, id)) return later('offline')?.View() ?? Busy('page');
  const view = speaks(name) ? later(name) : undefined;
  return view?.View(id) ?? Busy(name === 'table' ? 'table' : 'page');
}

const PLAY_MONEY = 'FUN';

/** @param {number} seconds */
const hms = (seconds) => [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  .map((part) => String(part).padStart(2, '0')).join(':');

const title = () => {
  const { name, id } = route.value;
  if (name === 'table' && gameOf(id)) return t('title', {}, id);
  return t(`view.${name === 'table' ? 'lobby' : name}`);
};

function Header() {
  const game = route.value.name === 'table' ? gameOf(route.value.id) : undefined;
  const other = words.value.language === 'fr' ? 'en' : 'fr';
  const main = game ? returnsOf(game).main : undefined;
  return html`<header class="bar">
    <a class="brand" href="/"><span class="logo" aria-hidden="true"></span>
      <span class="sign">${t('page.house')}</span><span class="vh">${t('view.lobby')}</span></a>
    <h1>${title()}</h1>
    <p class="facts">${main
      ? html`<span>${t('shell.return')} <b>${words.value.percent(main)}</b></span>` : nothing}
      ${game?.rules ? html`<a class="tag" href="/rules/${game.id}">${t('shell.rules',
        { name: rulesName(game.rules, game.id) })}</a>` : nothing}
      ${wallet.value.currency === PLAY_MONEY
        ? html`<span class="fun">${t('shell.play-money')}</span>` : nothing}
      <span><span class="what">${t('shell.session')}</span> <b>${hms(clock.value)}</b></span>
      <span>${t('shell.net')} <b>${words.value.signed(net.value)}</b></span></p>
    <nav aria-label=${t('shell.menu')}>
      <button class="ico" lang=${other} @click=${() => speak(other)}>${other.toUpperCase()}
        <span class="vh">${t('shell.other-language')}</span></button>
      ${game ? html`<button class="ico" aria-haspopup="dialog"
        @click=${() => { panel.value = 'help'; }}>${t('panel.help')}</button>
      <button class="ico wide" aria-pressed=${settings.value.sound === 'on'}
        @click=${toggleSound}>${t('settings.sound')}</button>` : nothing}
      <button class="ico" aria-haspopup="dialog" @click=${() => { panel.value = 'menu'; }}>${
        t('panel.menu')}</button>
    </nav>
    ${link.value === 'lost' ? html`<p class="banner">${t('net.lost')}</p>` : nothing}${
      meter.value?.Won() ?? nothing}</header>`;
}

const App = () => html`${Header()}${View()}${panel.value ? later('panel')?.Panel(panel.value)
  ?? nothing : nothing}`;

async function start() {
  const first = route.value;
  render(Sprite(), /** @type {HTMLElement} */ (document.getElementById('sprite')));
  follow();
  listen();
  watch();
  const app = /** @type {HTMLElement} */ (document.getElementById('app'));
  app.replaceChildren();
  effect(() => { render(App(), app); });
  if (first.name !== 'position') await enter(); // a shared position needs no player
  effect(() => { document.title = t('page.title', { view: title() }); });
  effect(() => {
    // The player may have left the first view before the guest was created.
    const here = route.value;
    untracked(() => arrive(here.name, here.id, here === first));
  });
  // A closed panel returns the focus to its opener.
  let opener = /** @type {Element | null} */ (null);
  effect(() => {
    if (panel.value) opener ??= document.activeElement;
    else if (opener instanceof HTMLElement) { opener.focus(); opener = null; }
  });
  // The coach's module loads on demand, once.
  effect(() => { if (settings.value.coach !== 'off') coach.value = later('coach') ?? null; });
  effect(() => { if (settings.value.card === 'on' || panel.value === 'card') card.value =
    later('card') ?? null; });
  effect(() => { if (settings.value.comforts) comforts.value = later('comforts') ?? null; });
  effect(() => { if (real.value) meter.value = later('meter') ?? null; });
  effect(() => { sound.value = settings.value.sound === 'on' ? later('sound') ?? null : null; });
  let was = link.value;
  effect(() => {
    if (link.value === was) return;
    was = link.value;
    untracked(() => {
      warn(was === 'lost' ? t('net.lost') : '');
      if (was === 'live') say(t('net.back'));
    });
  });
  keep();
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
}

/** What works offline is fetched on the second visit: the first stays small. */
function keep() {
  const again = localStorage.getItem('came');
  localStorage.setItem('came', '1');
  if (!again || offline || !('serviceWorker' in navigator)) return;
  // The policy lets exactly this script be a worker.
  const worker = '/worker.js', { trustedTypes } = /** @type {any} */ (globalThis);
  const policy = trustedTypes?.createPolicy('worker', { createScriptURL: () => worker });
  navigator.serviceWorker.register(policy?.createScriptURL('') ?? worker).catch(() => undefined);
}

/**
 * Enter a view: fetch its data. `fresh` is the first view, whose data the page embeds.
 * @param {string} name @param {string} id @param {boolean} fresh
 */
async function arrive(name, id, fresh) {
  lost.value = null;
  try {
    if (offline && !without(name, id)) return;
    if (name !== 'position') await enter();
    if (name === 'table' && !gameOf(id)) throw new Error(t('page.no-table'));
    if (name !== 'table' && !speaks(name)) await learn();
    await (await fetched(LATER[name])).arrive(id, fresh);
  } catch (why) {
    if (route.value.name === name && route.value.id === id)
      lost.value = /** @type {Error} */ (why).message;
  }
}

start();
