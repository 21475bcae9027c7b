/** Fairness: how a deal is committed and checked, and the check of one round in this
 * browser. */
import { html, nothing } from '../../vendor/lit.js';
import { signal } from '../../vendor/signals.js';
import { Face } from '../cards.js';
import { check } from '../deal.js';
import { get } from '../net.js';
import { facts, indices, promised, say, words } from '../store.js';
import { t } from './parts.js';

/** @typedef {Awaited<ReturnType<typeof check>>} Verdict */

const proof = signal(/** @type {import('../protocol.js').Proof | null} */ (null));
const verdict = signal(/** @type {Verdict | null} */ (null));

/** @param {string} id */
export async function arrive(id) {
  proof.value = verdict.value = null;
  if (!id) return;
  const found = await get(`/rounds/${id}/proof`);
  // The commitment this browser stored before the stake: a proof file alone is only consistent
  // with itself.
  const judged = globalThis.isSecureContext ? await check(found, facts[found.game]?.cards,
    promised(id)) : null;
  proof.value = found;
  verdict.value = judged;
}

/** A value that is worth copying. @param {string} label @param {string} value */
function Copy(label, value) {
  const copy = () => navigator.clipboard?.writeText(value)
    .then(() => say(t('fair.copied', { label })));
  return html`<div class="copy"><dt>${label}</dt><dd><code>${value}</code>
    <button class="act" @click=${copy}>${t('fair.copy')}<span class="vh">
      ${label}</span></button></dd></div>`;
}

/** One step of the check. @param {Verdict['steps'][number]} step */
const Step = ({ id, ok, expected, found }) => html`<li class=${ok ? 'ok' : 'bad'}>
  <b>${ok ? t('fair.ok') : t('fair.bad')}</b> ${t(`fair.step.${id}`)}
  <details><summary>${t('fair.values')}</summary>
    <p>${t('fair.expected')} <code>${expected}</code></p>
    <p>${t('fair.found')} <code>${found}</code></p></details></li>`;

/** @param {Verdict | null} judged */
function Judged(judged) {
  if (judged === null) return html`<p class="message told">${t('fair.insecure')}</p>`;
  // Without a note of the commitment a proof can only agree with itself, and the page claims no
  // more.
  const noted = judged.steps.some(({ id }) => id === 'promised');
  const [tone, key] = !judged.true ? ['loss', 'false'] : noted ? ['win', 'true'] : ['told',
    'alone'];
  return html`<p class="message ${tone}" role="status">${t(`fair.${key}`)}</p>
    <ol class="checks">${noted ? nothing : html`<li class="open"><b>${t('fair.unchecked')}</b>
      ${t('fair.step.promised')}</li>`}
      ${judged.steps.map(Step)}</ol>`;
}

/** @param {import('../protocol.js').Proof} found @param {Verdict | null} judged */
const Round = (found, judged) => html`
  <h2>${t('fair.round', { id: found.round_id.slice(0, 8) })}</h2>
  ${Judged(judged)}
  <dl>${Copy(t('fair.commitment'), found.commitment)}${Copy(t('fair.server-seed'),
    found.server_seed)}
    ${Copy(t('fair.client-seed'), found.client_seed)}${Copy(t('fair.round-id'), found.round_id)}
    ${Copy(t('fair.sheet-hash'), found.sheet_hash)}</dl>
  <h3>${t('fair.deck')}</h3>
  <ol class="deck">${found.deck.map((card) => html`<li class="card">
    <span class="vh">${words.value.card(card)}</span>${Face(card, indices.value)}</li>`)}</ol>
  <p class="row">
    <a class="act" href="/api/v1/rounds/${found.round_id}/proof" download="round.json">${
      t('fair.save')}</a>
    <a class="act" href="/certificate/${found.round_id}">${t('fair.certificate')}</a>
    <a class="act" href="/rounds/${found.round_id}/certificate?language=${words.value.language}"
      download>${t('fair.save-certificate')}</a>
    <a class="act" href="/r/${found.round_id}">${t('history.replay')}</a></p>`;

/** @param {string} id */
export const View = (id) => html`<main class="page fair">
  ${proof.value ? Round(proof.value, verdict.value) : nothing}
  <section><h2>${t('fair.how')}</h2>
    <ol class="how">${[1, 2, 3, 4].map((step) => html`<li>${t(`fair.how-${step}`)}</li>`)}</ol>
    <p>${t('fair.offline')}</p>
    <p class="row"><a class="act" href="/verifier.html" download="tapis-vert-verifier.html">${
      t('fair.verifier')}</a>
      ${id ? nothing : html`<a class="act"
        href="/history">${t('fair.choose')}</a>`}</p></section></main>`;
