/** The jackpot for real-money players: its amount, the age of the figure, and its
 * wins. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { add, signOf, wallet, words } from '../store.js';
import { t } from './parts.js';

/** @typedef {import('../protocol.js').JackpotView} JackpotView */

/** By rule, a figure older than this is shown as stale. */
const STALE_MS = 30_000;
const pots = signal(/** @type {JackpotView[]} */ ([]));
const readAt = signal(0);
const won = signal(/** @type {{amount: string, pot: string} | null} */ (null));
const now = signal(performance.now());

const stream = new EventSource('/api/v1/jackpots/stream');
stream.addEventListener('jackpots', ({ data }) => {
  pots.value = JSON.parse(data).jackpots;
  readAt.value = performance.now();
});
stream.addEventListener('won', ({ data }) => {
  const { win, now: pot } = /** @type {import('../protocol.js').WonView} */ (JSON.parse(data));
  const mine = inMine(pot);
  won.value = { amount: mine ? money(win.converted[mine.currency], mine.currency)
    : money(win.amount_cents, pot.currency),
    pot: amount(pot) };
  add(t('meter.won', won.value));
});
setInterval(() => { now.value = performance.now(); }, 1000);
addEventListener('pagehide', () => stream.close());

/** @param {number} cents @param {string} currency */
const money = (cents, currency) => words.value.money(cents, signOf(currency));

/** A pot in the player's currency, if that is another and has a rate. @param {JackpotView} pot */
function inMine({ converted }) {
  const { currency } = wallet.value;
  return Object.hasOwn(converted, currency) ? { ...converted[currency], currency } : null;
}

/** The amount of a pot: in the player's currency if it has a rate, else in its own.
 * @param {JackpotView} pot */
function amount(pot) {
  const mine = inMine(pot);
  return mine ? money(mine.amount_cents, mine.currency) : money(pot.amount_cents, pot.currency);
}

/** The exchange rate of a pot in another currency, or that there is none.
 * @param {JackpotView} pot */
function Rate(pot) {
  const { currency } = wallet.value, mine = inMine(pot);
  if (currency === pot.currency) return nothing;
  return html`<small class="rate">${mine
    ? t('meter.rate', { currency, pot: pot.currency, rate: mine.rate.replace('.',
      words.value.write('money.decimal')) })
    : t('meter.no-rate', { currency, pot: pot.currency })}</small>`;
}

/** The banner of a win, in every view until it is closed. */
export const Won = () =>
  (won.value ? html`<p class="banner won"><span>${t('meter.won', won.value)}</span>
  <button class="ico" @click=${() => { won.value = null; }}>${t('meter.seen')}</button></p>`
    : nothing);

/** The pot of a game, if it has one. @param {string} game */
export function Meter(game) {
  const pot = pots.value.find((each) => each.game === game);
  if (!pot) return nothing;
  const age = pot.age_ms + Math.max(0, now.value - readAt.value), stale = age > STALE_MS;
  const state = pot.state === 'closed' ? 'closed' : stale ? 'stale' : 'as-of';
  const at = new Date(Date.now() - age).toLocaleTimeString(`${words.value.language}-CA`,
    { hour12: false });
  return html`<p class="meter ${state}"><small>${t('meter.title')}</small>
    <b>${amount(pot)}</b><small>${t(`meter.${state}`, { at })}</small>${Rate(pot)}</p>`;
}
