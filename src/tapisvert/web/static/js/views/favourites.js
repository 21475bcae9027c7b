/** Favourite bets on the felt and in their panel, and the chips of the tray. */
import { html, nothing } from '../../vendor/lit.js';
import { words } from '../store.js';
import { style } from '../style.js';
import { total } from '../bets.js';
import { t, working } from './parts.js';

/** @typedef {import('../bets.js').Bets} Bets */

/** The keys of favourites: those of the chips are 1 to 5. */
const KEYS = '67890';

/** Bets in words. @param {Bets} bets @param {string} game */
export const inWords = (bets, game) => Object.entries(bets).filter(([, cents]) => cents)
  .map(([bet, cents]) => `${t(`bet.${bet}`, {}, game)} ${words.value.money(cents)}`).join(' · ');

/** Its stakes, in the order of the spots. @param {Bets} bets */
const stakes = (bets) => Object.values(bets).filter(Boolean)
  .map((cents) => words.value.short(cents));

/**
 * One button for each favourite; a star saves what lies on the table. Nothing without favourites:
 * the panel of chips saves the first.
 * @param {readonly Bets[]} kept @param {boolean} savable @param {(bets: Bets) => void} recall
 * @param {() => void} save @param {string} [game]
 */
export function Row(kept, savable, recall, save, game = '') {
  if (!kept.length) return nothing;
  style('favourites');
  return html`
  <div class="favourites" role="group" aria-label=${t('favourite.title')}>
    ${kept.map((bets, place) => html`<button class="favourite" @click=${() => recall(bets)}
      aria-keyshortcuts=${working(KEYS[place]) || nothing}>
      <span class="vh">${t('favourite.put', { bets: inWords(bets, game) })}</span>
      <b aria-hidden="true"><i>★</i> ${words.value.short(total(bets))}</b>
      ${stakes(bets).length > 1
        ? html`<small aria-hidden="true">${stakes(bets).join(' + ')}</small>` : nothing}
      </button>`)}
    <button class="favourite save" ?disabled=${!savable} @click=${save}
      aria-label=${t('favourite.save')} title=${t('favourite.save')}>
      <i aria-hidden="true">☆</i></button></div>`;
}
