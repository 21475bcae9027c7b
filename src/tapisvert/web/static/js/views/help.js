/** The help of a table: rules, hands, prices, limits, returns and notices, by its own sheet. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { facts, games, knows, learn, wallet, whole, words } from '../store.js';
import { Limits, largestRaise, timesOf } from './limits.js';
import { t } from './parts.js';
import { FlatPays, MEASURES, PayTables, Proved, inPercent, printed } from './pays.js';
import { Letters, Rankings } from './rankings.js';

/** @typedef {import('../store.js').GameView} GameView */

/** Notices required at every table and at some tables, by the part of help. */
const NOTICES = ['equal', 'independent', 'paid', 'limits', 'reading', 'void', 'settled', 'resume',
  'malfunction', 'trademark'];
const PRICES = ['odds', 'prizes'];
const RETURNS = ['return', 'measure', 'strategy'];
const JACKPOT = ['jackpot-win', 'jackpot-start', 'jackpot-share', 'jackpot-two', 'jackpot-delay',
  'jackpot-expired'];
/** The buttons every table has before the deal. */
const BETTING = ['deal', 'repeat', 'undo', 'clear', 'double'];
/** Terms every table uses. */
const TERMS = ['returned', 'suit', 'return'];
/** A key only help uses: the page of a table lacks those. */
const OWN = 'notices.trademark';

/** @param {GameView} game */
function Rules(game) {
  const rules = [];
  for (let line = 1; words.value.find(`help.${line}`, game.id); line += 1) {
    rules.push(html`<li>${t(`help.${line}`, game.sheet, game.id)}</li>`);
  }
  return html`<ol class="rules">${rules}</ol>`;
}

/** The names of the table's buttons; raises of any size are one. @param {GameView} game */
function buttons(game) {
  const prefix = `${game.id}.option.`, times = timesOf(game);
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const [key, name] of Object.entries(words.value.templates)) {
    if (!key.startsWith(prefix)) continue;
    const [, id, size] = /^(.+?)(?:-(\d))?$/.exec(key.slice(prefix.length)) ?? ['', ''];
    if (!size || times.includes(Number(size))) (found[id] ??= []).push(name);
  }
  return Object.entries(found);
}

/** What each button does. @param {GameView} game */
function Legend(game) {
  const args = { ...game.sheet, most: largestRaise(game) };
  return html`<dl class="terms">${buttons(game).map(([id, names]) => (
    Term(names.join(', '), t(`legend.${id}`, args, game.id))))}</dl>
    <h4>${t('legend.betting')}</h4>
    <dl class="terms">${BETTING.map((id) => Term(t(`act.${id}`), t(`legend.act.${id}`)))}</dl>`;
}

/** @param {string} name @param {string} text */
const Term = (name, text) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`;

/** @param {GameView} game */
function Glossary({ id, sheet }) {
  const own = [];
  for (let line = 1; words.value.find(`glossary.${line}.term`, id); line += 1) own.push(`${line}`);
  return html`<dl class="terms">${[...own, ...TERMS].map((term) => (
    Term(t(`glossary.${term}.term`, {}, id), t(`glossary.${term}.text`, sheet, id))))}</dl>`;
}

/** Those of some notices that this table gives. @param {GameView} game @param {string[]} keys */
function Notices(game, keys) {
  const main = game.returns.find((each) => each.bet === 'main' && MEASURES.includes(each.strategy));
  const args = {
    ...game.sheet,
    delay: words.value.duration(game.void_after_s),
    percent: main && words.value.percent(inPercent(main.return)),
    strategy: main && t(`strategy.${main.strategy}`, {}, game.id),
  };
  const told = keys.map((key) => (key === 'measure' && !main ? 'unproved' : key))
    .filter((key) => words.value.find(`notices.${key}`, game.id));
  return html`<ul class="notices">${told.map((key) => html`
    <li>${t(`notices.${key}`, args, game.id)}</li>`)}</ul>`;
}

/** @param {GameView} game */
const Pays = (game) => html`${FlatPays(game)}<div class="tables">${PayTables(game)}</div>
  ${Notices(game, PRICES)}`;

/** @param {GameView} game */
const Returns = (game) => html`${Proved(game)}
  <p class="dim">${t('returns.base', {}, game.id)}</p>
  <p class="dim">${t('returns.note', {}, game.id)}</p>${Notices(game, RETURNS)}
  ${facts[game.id]?.card ? html`<p class="row"><a class="act" href="/card/${game.id}">${
    t('view.card')}</a></p>` : nothing}
  ${game.returns.length ? ['par', 'strategy'].map((kind) => html`<p class="row">
    <a class="act" href=${`/${kind}/${game.id}`}>${t(`returns.${kind}`)}</a>
    <a href=${`/${kind}/${game.id}.html`} download>${t('returns.save')}<span class="vh">
      ${t(`returns.${kind}`)}</span></a></p>`) : nothing}`;

/**
 * How the pot is paid in another currency, and why its return is not proved there.
 * @param {GameView} game
 */
function Conversion(game) {
  const { conversion, returns } = game;
  if (!conversion) return nothing;
  const { currency: pot, rate } = conversion, { currency } = wallet.value;
  const written = rate?.replace('.', words.value.write('money.decimal'));
  const uncounted = rate && Object.keys(printed(game))
    .some((bet) => !returns.some((each) => each.bet === bet));
  return html`<h4>${t('conversion.title')}</h4>
    <p>${t(rate ? 'conversion.rate' : 'conversion.none', { currency, pot, rate: written })}</p>
    ${uncounted ? html`<p>${t('conversion.return', { currency, pot })}</p>` : nothing}`;
}

/**
 * The parts of help, in the order a beginner needs.
 * @type {Record<string, (game: GameView) => unknown>}
 */
const PARTS = {
  round: Rules,
  choices: Legend,
  hands: (game) => html`${Rankings(game.id)}<p class="dim">${t('ranking.ties', {}, game.id)}</p>
    ${Letters()}`,
  pays: Pays,
  jackpot: (game) => html`${Notices(game, JACKPOT)}${Conversion(game)}`,
  limits: Limits,
  returns: Returns,
  notices: (game) => Notices(game, NOTICES),
  glossary: Glossary,
};

/** The parts this table has. @param {GameView} game */
const parts = (game) => Object.keys(PARTS).filter((part) => part !== 'jackpot'
  || JACKPOT.some((key) => words.value.find(`notices.${key}`, game.id)));

/** Go to a part, without leaving the drawer or the page. @param {string} part */
const jump = (part) => (/** @type {Event} */ event) => {
  event.preventDefault();
  const place = document.getElementById(`help-${part}`);
  place?.scrollIntoView();
  place?.focus({ preventScroll: true });
};

let learning = false;

/** Whether the words of help are here; they come when it is first opened. @param {string} game */
function told(game) {
  if (!knows(game, OWN) && !learning) {
    learning = true;
    learn(game, OWN).finally(() => { learning = false; });
  }
  return knows(game, OWN);
}

/** The ways from the rules to learning the game. @param {string} game */
const Learning = (game) => html`<p class="row">${facts[game]?.lesson
  ? html`<a href="/lesson/${game}">${t('learn.lesson')}</a>` : nothing}
  <a href="/position/${game}">${t('page.study')}</a></p>`;

/** @param {GameView} game */
export function Help(game) {
  if (!told(game.id)) return nothing;
  const contents = t('help.contents');
  return html`${Learning(game.id)}
  <nav class="contents" id="help-contents" tabindex="-1" aria-label=${contents}>
    <ul>${parts(game).map((part) => html`<li>
      <a href="#help-${part}" @click=${jump(part)}>${t(`help.part.${part}`)}</a></li>`)}</ul></nav>
    ${parts(game).map((part) => html`<section class="part">
      <header><h3 id="help-${part}" tabindex="-1">${t(`help.part.${part}`)}</h3>
        <a href="#help-contents" aria-label=${contents} @click=${jump('contents')}>↑</a></header>
      ${PARTS[part](game)}</section>`)}`;
}

// Help as a page: without a seat, without a cent, and without the house once it was kept ----------

const shown = signal(/** @type {GameView | null} */ (null));

/** @param {string} id */
export async function arrive(id) {
  shown.value = null;
  const found = id ? await whole(id) : null;
  if (id) await learn(id, OWN);
  shown.value = found;
}

/** @param {GameView} game */
const Shown = (game) => html`<section class="inside" aria-labelledby="help-of">
  <h2 id="help-of">${t('title', {}, game.id)}</h2>${Help(game)}</section>`;

/** @param {string} id */
export const View = (id) => html`<main class="page help">
  <nav aria-label=${t('view.help')}><ul class="row">${games.map((game) => html`<li>
    <a class="act" href="/help/${game.id}"
      aria-current=${game.id === id ? 'page' : nothing}>${t('title', {}, game.id)}</a></li>`)}
  </ul></nav>
  ${shown.value ? Shown(shown.value) : id ? nothing : html`<p>${t('help.choose')}</p>`}</main>`;
