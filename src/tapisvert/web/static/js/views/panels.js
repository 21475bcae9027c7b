/** Drawers and dialogs over the table: menu, help, limits, seeds, settings, shortcuts, an amount of your own. */
import { html, keyed, nothing, ref } from '../../vendor/lit.js';
import * as play from '../play.js';
import { coach, games, gameOf, panel, route, set, settings, speak, words } from '../store.js';
import { Act, keyName, t } from './parts.js';
import { FlatPays, Limits, PayTables, Proved } from './pays.js';

/** @param {string} name */
const opener = (name) => () => { panel.value = name; };

/** @param {string} name */
const Opener = (name) => html`<li>${Act(t(`panel.${name}`), '', opener(name))}</li>`;

const PLACES = { lobby: '/', history: '/history', statistics: '/statistics', fair: '/fair' };

const Menu = () => html`<ul class="menu">
  ${route.value.name === 'table' ? ['help', 'coach', 'limits', 'seeds'].map(Opener) : nothing}
  ${Object.entries(PLACES).map(([view, path]) => html`<li><a class="act" href=${path}>${t(`view.${view}`)}</a></li>`)}
  ${['settings', 'shortcuts'].map(Opener)}</ul>`;

/** What every table must say (the rule sheets' own notices). */
const NOTICES = ['equal', 'independent', 'return', 'paid', 'void', 'malfunction', 'trademark', 'strategy'];

/** The rules in the words of the table, with the figures of its sheet. */
function Help() {
  const game = play.game.value ?? gameOf(route.value.id) ?? games[0];
  const rules = [];
  for (let line = 1; words.value.find(`help.${line}`, game.id); line += 1) {
    rules.push(html`<li>${t(`help.${line}`, game.sheet, game.id)}</li>`);
  }
  const delay = words.value.duration(game.void_after_s);
  return html`<ol class="rules">${rules}</ol>
    ${FlatPays(game)}<div class="tables">${PayTables(game)}</div>${Limits(game)}
    <h3>${t('returns.title')}</h3>${Proved(game)}
    <p class="dim">${t('returns.base', {}, game.id)}</p>
    <p class="dim">${t('returns.note', {}, game.id)}</p>
    ${game.returns.length ? html`<p class="row"><a href=${`/par/${game.id}.html`} download>${t('returns.par')}</a></p>` : nothing}
    <h3>${t('notices.title')}</h3>
    <ul class="notices">${NOTICES.filter((key) => words.value.find(`notices.${key}`, game.id)).map((key) => html`
      <li>${t(`notices.${key}`, { delay }, game.id)}</li>`)}</ul>`;
}

/** The promise of the next deal, and the player's part of it. */
function Seeds() {
  const promise = play.round.value?.commitment ?? play.seat.value?.commitment ?? '';
  const id = play.round.value?.id ?? play.seat.value?.round_id;
  const open = play.phase.value === 'bet';
  const type = (/** @type {InputEvent} */ event) => {
    play.clientSeed.value = /** @type {HTMLInputElement} */ (event.target).value;
  };
  return html`<p>${t('fair.explain')}</p>
    <dl><div><dt>${t('fair.commitment')}</dt><dd><code>${promise}</code></dd></div>
      <div><dt>${t('fair.round-id')}</dt><dd><code>${id}</code></dd></div></dl>
    <label class="field">${t('fair.client-seed')}
      <input name="seed" maxlength="32" autocomplete="off" spellcheck="false" ?disabled=${!open} @input=${type}
        .value=${open ? play.clientSeed.value : play.round.value?.client_seed ?? ''}></label>
    <p class="dim">${t(open ? 'fair.yours' : 'fair.used')}</p><p class="row"><a href="/fair">${t('fair.how')}</a></p>`;
}

const CHOICES = {
  speed: ['slow', 'normal', 'fast', 'none'],
  colours: ['two', 'four'],
  indices: ['auto', 'fr', 'en'],
  keys: ['on', 'off'],
  coach: ['off', 'warn', 'always'],
};

/** @param {string} name @param {string[]} values @param {string} current @param {(value: string) => void} choose */
const Choice = (name, values, current, choose) => html`<fieldset><legend>${t(`settings.${name}`)}</legend>
  ${values.map((value) => html`<label class="pick">
    <input type="radio" name=${name} value=${value} .checked=${current === value} @change=${() => choose(value)}>
    <span>${t(`settings.${name}-${value}`)}</span></label>`)}</fieldset>`;

const Settings = () => html`${Choice('language', ['fr', 'en'], words.value.language, speak)}
  ${Object.entries(CHOICES).map(([name, values]) => (
    Choice(name, values, settings.value[name], (value) => set(name, value))))}`;

/** Keys that are the same at every table. */
const KEYS = [
  'Space', 'Digits', 'Z', 'X', 'B', 'R', 'Enter', 'ShiftEnter', 'Arrows', 'I', 'F', 'G', 'L', '?', 'Escape',
];

/** Every key: those of the buttons, and those that read the table aloud. */
function Shortcuts() {
  const game = play.game.value?.id ?? '';
  const keys = Object.keys(words.value.templates).flatMap((key) => (key.startsWith(`${game}.key.`)
    ? [[words.value.templates[key], t(`option.${key.split('.').at(-1)}`, {}, game)]] : []));
  const fixed = KEYS.map((key) => [keyName(key), t(`shortcut.${key}`, {}, game)]);
  return html`<dl class="keys">${[...keys, ...fixed].map(([key, does]) => html`
    <div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <p class="dim">${t('shortcuts.off')}</p>`;
}

/** How much the coach says, and what he says now. */
const Coaching = () => html`<p>${t('coach.explain')}</p>
  ${Choice('coach', CHOICES.coach, settings.value.coach, (value) => set('coach', value))}
  ${settings.value.coach === 'off' || !play.game.value ? nothing : coach.value?.Coach(play.game.value) ?? nothing}
  <p class="row"><a class="act" href="/drill/${route.value.id}">${t('drill.open')}</a></p>`;

/** An amount the chips do not have. */
function Amount() {
  const step = Math.max(...play.spots.value.map((spot) => spot.step));
  const most = Math.max(...play.spots.value.map((spot) => spot.max));
  const save = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem('amount'));
    const cents = words.value.cents(input.value);
    const fits = cents !== null && cents >= step && cents <= most && cents % step === 0;
    const why = /** @type {HTMLElement} */ (document.getElementById('amount-why'));
    why.textContent = fits ? '' : t('amount.why', { step, max: most });
    input.setAttribute('aria-invalid', String(!fits));
    if (!fits) return input.focus();
    play.chip.value = cents;
    panel.value = null;
  };
  return html`<form class="amount" novalidate @submit=${save}><label class="field">${t('amount.label')}
    <input name="amount" inputmode="decimal" autocomplete="off" aria-describedby="amount-why"
      value=${words.value.short(play.chip.value)}></label>
    <p id="amount-why" role="alert"></p>${Act(t('amount.take'), '', () => undefined, { kind: 'primary' })}</form>`;
}

/** @type {Record<string, () => unknown>} */
const PANELS = { menu: Menu, help: Help, seeds: Seeds, settings: Settings, shortcuts: Shortcuts, amount: Amount,
  coach: Coaching, costly: () => coach.value?.Costly() ?? nothing,
  limits: () => Limits(gameOf(route.value.id) ?? games[0]) };

/** A dialog can open once it is in the page, which is after this rendering. @param {Element | undefined} element */
const show = (element) => queueMicrotask(() => {
  if (element instanceof HTMLDialogElement && element.isConnected && !element.open) element.showModal();
});
const close = () => { panel.value = null; };

/** A click beside the panel closes it. @param {MouseEvent} event */
const beside = (event) => { if (event.target === event.currentTarget) close(); };

/** @param {string} name */
export const Panel = (name) => keyed(name, html`
  <dialog class="panel ${name}" aria-labelledby="panel-title" ${ref(show)} @close=${close} @click=${beside}>
    <div class="inside"><header><h2 id="panel-title">${t(`panel.${name}`)}</h2>
      <button class="ico" @click=${close} aria-label=${t('panel.close')}>
        <span aria-hidden="true">✕</span></button></header>
    ${PANELS[name]()}</div></dialog>`);
