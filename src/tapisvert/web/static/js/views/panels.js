/** Drawers and dialogs over the table: menu, help, limits, seeds, settings, shortcuts, custom
 * amount. */
import { html, keyed, nothing, ref } from '../../vendor/lit.js';
import * as play from '../play.js';
import { card, coach, enterAs, facts, games, gameOf, panel, real, route, set, settings, speak,
  toggleSound, words } from '../store.js';
import { choose, vibrates } from '../comforts.js';
import { Chips } from './chips.js';
import { AfterFold } from './after-fold.js';
import { Act, keyName, t } from './parts.js';
import { Help } from './help.js';
import { Limits } from './limits.js';

/** A table whose figures are still loading: views of them wait. */
const coming = () => route.value.name === 'table' && !play.game.value && gameOf(route.value.id);

/** The current table. */
const here = () => play.game.value ?? gameOf(route.value.id) ?? games[0];

/** @param {string} name */
const opener = (name) => () => { panel.value = name; };

/** @param {string} name */
const Opener = (name) => html`<li data-panel=${name}>${
  Act(t(`panel.${name}`), '', opener(name))}</li>`;

const PLACES = { lobby: '/', session: '/session', history: '/history', statistics: '/statistics',
  fair: '/fair' };

const Menu = () => html`<ul class="menu">
  ${route.value.name === 'table' ? ['help', ...(facts[route.value.id]?.card ? ['card'] : []),
    'coach', 'limits', 'seeds'].map(Opener) : nothing}
  ${route.value.name === 'table' && !real.value ? html`<li><a class="act"
    href="/rules/${route.value.id}">${t('shell.change-rules')}</a></li>` : nothing}
  ${route.value.name === 'table' && facts[route.value.id]?.lesson ? html`<li><a class="act"
    href="/lesson/${route.value.id}">${t('learn.lesson')}</a></li>` : nothing}
  <li><a class="act" href="/drill/${(gameOf(route.value.id) ?? games[0]).id}">${
    t('view.drill')}</a></li>
  <li><a class="act" href="/position/${(gameOf(route.value.id) ?? games[0]).id}">${
    t('page.study')}</a></li>
  ${Object.entries(PLACES)
    .map(([view, path]) => html`<li><a class="act" href=${path}>${t(`view.${view}`)}</a></li>`)}
  ${['settings', 'shortcuts'].map(Opener)}
  ${route.value.name === 'table' ? Opener('chips') : nothing}
  <li><button class="act" aria-pressed=${settings.value.sound === 'on'} @click=${toggleSound}>
    <span>${t('settings.sound')}<small>${
      t(`settings.sound-${settings.value.sound === 'on'
      ? 'on' : 'off'}`)}</small></span></button></li></ul>`;

/** The commitment of the current round or the next deal, and the client seed. */
function Seeds() {
  const { commitment, id, ask } = play.round.value
    ?? { commitment: play.seat.value?.commitment, id: play.seat.value?.round_id, ask: null };
  const open = play.phase.value === 'bet', ended = !open && !ask;
  const type = (/** @type {InputEvent} */ event) => {
    play.clientSeed.value = /** @type {HTMLInputElement} */ (event.target).value;
  };
  return html`<p>${t(open ? 'fair.explain' : ended
    ? 'fair.explain-ended' : 'fair.explain-round')}</p>
    <dl><div><dt>${t('fair.commitment')}</dt><dd><code>${commitment}</code></dd></div>
      <div><dt>${t('fair.round-id')}</dt><dd><code>${id}</code></dd></div></dl>
    <label class="field">${t('fair.client-seed')}
      <input name="seed" maxlength="32" autocomplete="off" spellcheck="false" ?disabled=${!open}
        @input=${type}
        .value=${open ? play.clientSeed.value : play.round.value?.client_seed ?? ''}></label>
    <p class="dim">${t(open ? 'fair.yours' : 'fair.used')}</p><p class="row">
      ${ended ? html`<a class="act" href="/fair/${id}">${t('fair.check-this')}</a>` : nothing}<a
        href="/fair">${t('fair.how')}</a></p>`;
}

const CHOICES = {
  speed: ['slow', 'normal', 'fast', 'none'],
  colours: ['two', 'four'],
  indices: ['auto', 'fr', 'en'],
  keys: ['on', 'off'],
  coach: ['off', 'warn', 'always'],
  sound: ['off', 'on'],
  volume: ['low', 'normal', 'high'],
};

/** Settings of comforts.js, which applies them at once. @type {Record<string, string[]>} */
const COMFORTS = {
  theme: ['dark', 'light', 'auto'],
  cards: ['normal', 'large'],
  hand: ['right', 'left'],
  ...(vibrates ? { vibration: ['off', 'on'] } : {}),
};

/** @param {string} name @param {string[]} values @param {string} current
 * @param {(value: string) => void} choose */
const Choice = (name, values, current, choose) =>
  html`<fieldset><legend>${t(`settings.${name}`)}</legend>
  ${values.map((value) => html`<label class="pick">
    <input type="radio" name=${name} value=${value} .checked=${current === value}
      @change=${() => choose(value)}>
    <span>${t(`settings.${name}-${value}`)}</span></label>`)}</fieldset>`;

const Settings = () => html`${Choice('language', ['fr', 'en'], words.value.language, speak)}
  ${Object.entries(CHOICES).map(([name, values]) => (
    Choice(name, values, name === 'sound' && settings.value.sound === 'ask'
      ? 'off' : settings.value[name], (value) => set(name, value))))}
  ${Object.entries(COMFORTS).map(([name, values]) => (
    Choice(name, values, settings.value[name], (value) => choose(name, value))))}
  ${Entrance()}`;

/** Sign-in of a real-money player, with the operator's token. */
function Entrance() {
  const come = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const field =
      /** @type {HTMLInputElement} */
      (/** @type {HTMLFormElement} */ (event.target).elements.namedItem('token'));
    try {
      await enterAs(field.value.trim());
    } catch (why) {
      const { code, message } = /** @type {import('../net.js').Refusal} */ (why);
      field.setCustomValidity(code === 'session/missing' ? t('enter.unknown') : message);
      field.reportValidity();
    }
  };
  const again = (/** @type {InputEvent} */ event) => /** @type {HTMLInputElement} */ (event.target)
    .setCustomValidity('');
  return html`<form class="entrance" @submit=${come}><label class="field">${t('enter.token')}
    <input name="token" type="password" required maxlength="256" autocomplete="off"
      spellcheck="false" @input=${again}></label>
    <p class="dim">${t('enter.explain')}</p><button class="act">${t('enter.come')}</button></form>`;
}

/** Keys that are the same at every table. */
const KEYS = [
  'Space', 'Digits', 'Favourites', 'Z', 'X', 'B', 'R', 'A', 'Enter', 'ShiftEnter', 'Arrows', 'V',
    'I', 'F', 'G', 'L', 'M',
    '?', 'Escape',
];

/** Every key: those of the buttons, and those that read the table aloud. */
function Shortcuts() {
  const game = play.game.value?.id ?? '';
  const keys = Object.keys(words.value.templates).flatMap((key) => (key.startsWith(`${game}.key.`)
    ? [[words.value.templates[key], t(`option.${key.split('.').at(-1)}`, {}, game)]] : []));
  const fixed = KEYS.map((key) => [keyName(key), t(`shortcut.${key}`, {}, game)]);
  // A Map: two questions may be answered by the same key and word.
  return html`<dl
    class="keys">${[...new Map(/** @type {[string, string][]} */ ([...keys, ...fixed]))].map(
    ([key, does]) => html`
    <div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <p class="dim">${t('shortcuts.off')}</p>`;
}

/** The mode of the coach, and the current advice. */
const Coaching = () => html`<p>${t('coach.explain')}</p>
  ${Choice('coach', CHOICES.coach, settings.value.coach, (value) => set('coach', value))}
  ${settings.value.coach === 'off' || !play.game.value
    ? nothing : coach.value?.Coach(play.game.value) ?? nothing}
  <p class="row"><a class="act" href="/drill/${route.value.id}">${t('page.practise')}</a></p>`;

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
  return html`<form class="amount" novalidate @submit=${save}><label
    class="field">${t('amount.label')}
    <input name="amount" inputmode="decimal" autocomplete="off" aria-describedby="amount-why"
      value=${words.value.short(play.chip.value)}></label>
    <p id="amount-why" role="alert"></p>${Act(t('amount.take'), '', () => undefined,
      { kind: 'primary' })}</form>
    ${Act(t('panel.chips'), '', opener('chips'))}`;
}

/** @type {Record<string, () => unknown>} */
const PANELS = { menu: Menu, help: () => Help(here()), seeds: Seeds, settings: Settings,
  shortcuts: Shortcuts, amount: Amount,
  card: () => card.value?.Panel(here()) ?? nothing,
  coach: Coaching, costly: () => coach.value?.Costly() ?? nothing,
  chips: () => Chips(here()), limits: () => Limits(here()),
  fold: () => play.game.value && play.round.value && AfterFold(play.round.value,
    play.game.value) };

/** A dialog can open once it is in the page, which is after this rendering.
 * @param {Element | undefined} element */
const show = (element) => queueMicrotask(() => {
  if (element instanceof HTMLDialogElement && element.isConnected && !element.open)
    element.showModal();
});
const close = () => { panel.value = null; };

/** A click beside the panel closes it. @param {MouseEvent} event */
const beside = (event) => { if (event.target === event.currentTarget) close(); };

/** @param {string} name */
export const Panel = (name) => keyed(name, html`
  <dialog class="panel ${name}" aria-labelledby="panel-title" ${ref(show)} @close=${close}
    @click=${beside}>
    <div class="inside"><header><h2 id="panel-title">${t(`panel.${name}`)}</h2>
      <button class="ico" @click=${close} aria-label=${t('panel.close')}>
        <span aria-hidden="true">✕</span></button></header>
    ${coming() ? nothing : PANELS[name]()}</div></dialog>`);
