/** How Blackjack Royal Poker lies on the felt: the dealer above, up to four hands below. */
import { html, nothing } from '../../vendor/lit.js';
import { meter, real, words } from '../../js/store.js';
import { t } from '../../js/views/parts.js';

const ofHand = (/** @type {number} */ hand) => (
  [`hand-${hand}`, `insurance-${hand}`, `double-${hand}`, `split-${hand}`, `double-${hand}b`]);

/** @type {import('../../js/views/felt.js').Layout} */
export default {
  rows: [[{ id: 'house', cards: 2 }], [
    { id: 'hand-1', cards: 2 }, { id: 'split-1', cards: 0 }, { id: 'hand-2', cards: 2 },
      { id: 'split-2', cards: 0 }]],
  bets: [...ofHand(1), 'royal', ...ofHand(2)],
  onHand: ['insurance', 'even-money'],
  own: ['hand-1', 'split-1', 'hand-2', 'split-2'],
  // With play money the jackpot is shown as what it is: a demonstration that never moves.
  Corner: (game) => (real.value ? meter.value?.Meter(game.id)
    ?? nothing : html`<p class="meter"><small>${t('jackpot.demo', {}, game.id)}</small>
    <b>${words.value.money(/** @type {any} */ (game.sheet).royal.jackpot.reset_cents)}</b><small>${
      t('jackpot.fixed', {}, game.id)}</small></p>`),
};
