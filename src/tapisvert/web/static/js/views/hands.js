/** The hands of a position, small: each zone with its cards. */
import { html, nothing } from '../../vendor/lit.js';
import { Back, Face } from '../cards.js';
import { indices, words } from '../store.js';
import { t } from './parts.js';

/** @param {import('../scene.js').Scene} scene @param {string} game */
export const Hands = ({ zones, names }, game) => html`<div class="hands">${Object.entries(zones)
  .filter(([, places]) => places.length).map(([zone, places]) => html`<div>
    <p aria-hidden="true">${t(`zone.${zone}`, {}, game)}</p>
    <ul class="hand" aria-label=${t(`zone.${zone}`, {}, game)}>${places.map(({ card }) => html`
      <li class="card ${card ? '' : 'down'}">
      <span class="vh">${words.value.card(card)}</span>
      ${card ? Face(card, indices.value) : Back()}</li>`)}</ul>
    ${names[zone] ? html`<p class="dim">${words.value.hand(names[zone], game)}</p>` : nothing}
  </div>`)}</div>`;
