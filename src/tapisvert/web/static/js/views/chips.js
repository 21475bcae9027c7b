/** The panel of chips: favourite bets, and the values in the tray. */
import { html, nothing } from '../../vendor/lit.js';
import * as betting from '../bets.js';
import * as comforts from '../comforts.js';
import * as play from '../play.js';
import { panel, words } from '../store.js';
import { style } from '../style.js';
import { inWords } from './favourites.js';
import { Act, t } from './parts.js';

const CHIPS_MOST = 5;

/** @typedef {import('../store.js').GameView} GameView */

/** @param {GameView} game */
function Favourites({ id }) {
  const open = play.phase.value === 'bet', why = open ? comforts.whyNot() : 'playing';
  const put = (/** @type {betting.Bets} */ bets) => () => {
    panel.value = null;
    comforts.recall(bets);
  };
  return html`<section class="kept"><h3>${t('favourite.title')}</h3>
    <p class="dim">${t('favourite.about')}</p>
    <ul>${comforts.mine().map((bets) => {
      const told = inWords(bets, id);
      return html`<li><button class="act" ?disabled=${!open} @click=${put(bets)}>
          <span><i aria-hidden="true">★</i> ${
            words.value.money(betting.total(bets))}<small>${told}</small></span></button>
        <button class="ico" @click=${() => comforts.forget(bets)}
          aria-label=${t('favourite.forget', { bets: told })}>
          <span aria-hidden="true">✕</span></button></li>`;
    })}</ul>
    <p>${Act(t('favourite.save'), '', comforts.save, { off: why !== '',
      note: why ? t(`favourite.${why}`) : inWords(play.bets.value, id) })}</p></section>`;
}

/** Which values lie in the tray. */
function Tray() {
  const all = betting.values(play.spots.value), now = play.chips.value;
  const toggle = (/** @type {number} */ cents) => comforts.lay(now.includes(cents)
    ? now.filter((each) => each !== cents) : [...now, cents]);
  const own = comforts.tray().length > 0;
  return html`<section class="kept"><fieldset><legend>${t('tray.title')}</legend>
    ${all.map((cents) => {
      const lies = now.includes(cents);
      return html`<label class="pick"><input type="checkbox" name="tray" value=${cents}
        .checked=${lies} ?disabled=${lies ? now.length === 1 : now.length >= CHIPS_MOST}
        @change=${() => toggle(cents)}><span>${words.value.money(cents)}</span></label>`;
    })}</fieldset>
    <p class="dim">${t('tray.about')}</p>
    ${own ? html`<p>${Act(t('tray.usual'), '', () => comforts.lay([]))}</p>` : nothing}</section>`;
}

/** @param {GameView} game */
export function Chips(game) {
  style('favourites');
  return html`${Favourites(game)}${Tray()}`;
}
