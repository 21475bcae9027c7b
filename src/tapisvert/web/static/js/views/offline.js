/** Shown instead of a table or a list while offline: the reason, and what works
 * offline. */
import { html } from '../../vendor/lit.js';
import { get } from '../net.js';
import { games } from '../store.js';
import { Act, t } from './parts.js';

export const View = () => html`<main class="page offline">
  <p class="message told" role="status">${t('offline.play')}</p>
  <p class="row">${Act(t('offline.again'), '', () => location.reload(), { kind: 'primary' })}</p>
  <section><h2>${t('offline.works')}</h2>
    <ul class="menu">${games.map(({ id }) =>
      html`<li><a class="act" href="/help/${id}">${t('help.of',
      { title: t('title', {}, id) })}</a></li>`)}
      <li><a class="act" href="/fair">${t('view.fair')}</a></li>
      <li><a class="act" href="/verifier">${t('offline.verifier')}</a></li></ul></section></main>`;

// Nothing is lost by waiting: the house is asked again as soon as the browser has a connection. The
// worker may learn of it a moment later than the page, which then is here once more.
const comeBack = () => get('/health').then(() => location.reload());
addEventListener('online', comeBack);
if (navigator.onLine) comeBack();
