/** Drawers and dialogs over the table: menu, help, limits, seeds, settings, shortcuts, an amount of your own. */
import { html, keyed, nothing, ref } from '../../vendor/lit.js';
import * as play from '../play.js';
import { games, gameOf, panel, route, set, settings, speak, words } from '../store.js';
import { Act, keyName, t } from './parts.js';
import { FlatPays, Limits, PayTables, Returns } from './pays.js';

/** @param {string} name */
const opener = (name) => () => { panel.value = name; };

const Menu = () => html`<ul class="menu">
  ${play.game.value ? ['help', 'limits', 'seeds'].map((name) => html`<li><button class="act" @click=${opener(name)}>${t(`panel.${name}`)}</button></li>`) : nothing}
  ${['/', '/history', '/fair'].map((path) => html`<li><a class="act" href=${path}>${t(`view.${path === '/' ? 'lobby' : path.slice(1)}`)}</a></li>`)}
  ${['settings', 'shortcuts'].map((name) => html`<li><button class="act" @click=${opener(name)}>${t(`panel.${name}`)}</button></li>`)}</ul>`;

/** The rules in the words of the table, with the figures of its sheet. */
function Help() {
  const game = gameOf(route.value.id) ?? games[0];
  const rules = [];
  for (let line = 1; words.value.find(`help.${line}`, game.id); line += 1) rules.push(t(`help.${line}`, game.sheet, game.id));
  return html`<ol class="rules">${rules.map((rule) => html`<li>${rule}</li>`)}</ol>
    ${FlatPays(game)}<div class="tables">${PayTables(game)}</div>${Limits(game)}
    <h3>${t('returns.title')}</h3><dl class="figures">${Returns(game)}</dl><p class="dim">${t('returns.base', {}, game.id)}</p>
    <h3>${t('notices.title')}</h3><ul class="notices">${['equal', 'independent', 'return', 'paid', 'void', 'malfunction', 'trademark'].map((key) => html`
      <li>${t(`notices.${key}`, { delay: words.value.duration(game.void_after_s) }, game.id)}</li>`)}</ul>`;
}

/** The promise of the next deal, and the player's part of it. */
function Seeds() {
  const promise = play.round.value?.commitment ?? play.seat.value?.commitment ?? '';
  const open = play.phase.value === 'bet';
  return html`<p>${t('fair.explain')}</p>
    <dl><div><dt>${t('fair.commitment')}</dt><dd><code>${promise}</code></dd></div>
      <div><dt>${t('fair.round-id')}</dt><dd><code>${play.round.value?.id ?? play.seat.value?.round_id}</code></dd></div></dl>
    <label class="field">${t('fair.client-seed')}<input name="seed" maxlength="64" autocomplete="off" spellcheck="false" ?disabled=${!open}
      .value=${open ? play.clientSeed.value : play.round.value?.client_seed ?? ''}
      @input=${(/** @type {InputEvent} */ event) => { play.clientSeed.value = /** @type {HTMLInputElement} */ (event.target).value; }}></label>
    <p class="dim">${t(open ? 'fair.yours' : 'fair.used')}</p><p><a href="/fair">${t('fair.how')}</a></p>`;
}

const CHOICES = /** @type {const} */ ([
  ['speed', ['slow', 'normal', 'fast', 'none']], ['colours', ['two', 'four']], ['indices', ['auto', 'fr', 'en']], ['keys', ['on', 'off']],
]);

/** @param {string} name @param {readonly string[]} values @param {string} current @param {(value: string) => void} choose */
const Choice = (name, values, current, choose) => html`<fieldset><legend>${t(`settings.${name}`)}</legend>${values.map((value) => html`
  <label class="pick"><input type="radio" name=${name} value=${value} .checked=${current === value} @change=${() => choose(value)}><span>${t(`settings.${name}-${value}`)}</span></label>`)}</fieldset>`;

const Settings = () => html`${Choice('language', ['fr', 'en'], words.value.language, speak)}
  ${CHOICES.map(([name, values]) => Choice(name, values, settings.value[name], (value) => set(name, value)))}`;

/** Every key: those of the buttons, and those that read the table aloud. */
function Shortcuts() {
  const game = play.game.value?.id ?? games[0].id;
  const keys = Object.keys(words.value.templates).flatMap((key) => (key.startsWith(`${game}.key.`)
    ? [[words.value.templates[key], t(`option.${key.split('.').at(-1)}`, {}, game)]] : []));
  const fixed = ['Space', 'Digits', 'Z', 'X', 'B', 'R', 'Enter', 'ShiftEnter', 'I', 'F', 'G', 'L', '?', 'Escape'].map((key) => [keyName(key), t(`shortcut.${key}`)]);
  return html`<dl class="keys">${[...keys, ...fixed].map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <p class="dim">${t('shortcuts.off')}</p>`;
}

/** An amount the chips do not have. */
function Amount() {
  const step = Math.max(...play.spots.value.map((spot) => spot.step)), most = Math.max(...play.spots.value.map((spot) => spot.max));
  const save = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem('amount'));
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
    <input name="amount" inputmode="decimal" autocomplete="off" aria-describedby="amount-why" value=${words.value.short(play.chip.value)}></label>
    <p id="amount-why" role="alert"></p>${Act(t('amount.take'), '', () => undefined, { kind: 'primary' })}</form>`;
}

/** @type {Record<string, () => unknown>} */
const PANELS = { menu: Menu, help: Help, seeds: Seeds, settings: Settings, shortcuts: Shortcuts, amount: Amount,
  limits: () => Limits(gameOf(route.value.id) ?? games[0]) };

/** A dialog can open once it is in the page, which is after this rendering. @param {Element | undefined} element */
const show = (element) => queueMicrotask(() => {
  if (element instanceof HTMLDialogElement && element.isConnected && !element.open) element.showModal();
});
const close = () => { panel.value = null; };

/** @param {string} name */
export const Panel = (name) => keyed(name, html`<dialog class="panel ${name}" aria-labelledby="panel-title" ${ref(show)} @close=${close}
  @click=${(/** @type {MouseEvent} */ event) => { if (event.target === event.currentTarget) close(); }}>
  <div class="inside"><header><h2 id="panel-title">${t(`panel.${name}`)}</h2><button class="ico" @click=${close} aria-label=${t('panel.close')}><span aria-hidden="true">✕</span></button></header>
  ${PANELS[name]()}</div></dialog>`);
