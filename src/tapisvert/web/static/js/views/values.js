/** The coach's values of options: value, cost and a bar for each, the best
 * first. */
import { html, nothing } from '../../vendor/lit.js';
import { words } from '../store.js';
import { Heads, money, t, units } from './parts.js';

/** Estimated seconds are rounded to steps of these. */
const ABOUT_S = 5;

/** Why there is no advice; during the warm-up, the seconds left.
 * @param {import('../consult.js').Silence | null} silence */
export function Silent(silence) {
  if (!silence) return nothing;
  if (silence.why !== 'warming') return html`<span class="dim">${t(`coach.${silence.why}`)}</span>`;
  const { left, share } = silence, known = left !== null;
  return html`<label class="dim warming"><span>${known
    ? t('coach.left', { seconds: Math.max(1, Math.ceil(left / ABOUT_S)) * ABOUT_S })
    : t('coach.warming')}</span>
    <progress max="1" value=${known ? share : nothing}></progress></label>`;
}

/** Options that read the same and are worth the same, in one row; the best first.
 * @param {Record<string, number>} options @param {(id: string) => string} label
 * @returns {{ids: string[], worth: number}[]} */
export function rowsOf(options, label) {
  const rows = /** @type {Map<string, {ids: string[], worth: number}>} */ (new Map());
  for (const [id, worth] of Object.entries(options).sort(([, one], [, other]) => other - one)) {
    const key = `${label(id)} ${worth.toFixed(9)}`, row = rows.get(key);
    if (row) row.ids.push(id);
    else rows.set(key, { ids: [id], worth });
  }
  return [...rows.values()];
}

/** How many options a row stands for. @param {readonly string[]} ids */
export const Ways = ({ length }) => (length > 1 ? html`<em>×${length}</em>` : nothing);

/**
 * @param {import('../protocol.js').AdviceView} found @param {(id: string) => string} label
 * @param {string} [taken] the option that was taken
 */
export function Values(found, label, taken) {
  const rows = rowsOf(found.options, label);
  const [most, least] = [rows[0].worth, rows[rows.length - 1].worth];
  return html`<div class="values" tabindex=${rows.length > 6 ? 0 : nothing}>
    <table><caption class="vh">${t('coach.values')}</caption>
    <thead>${Heads('coach.option', 'coach.value', 'coach.cost')}</thead>
    <tbody>${rows.map(({ ids, worth }) => html`<tr
      class=${ids.includes(found.best) ? 'best' : ''}>
      <th scope="row"><span>${label(ids[0])}</span>${Ways(ids)}
        ${ids.includes(found.best) ? html`<em>${t('coach.best')}</em>` : nothing}
        ${ids.includes(found.house_way ?? '') ? html`<em>${t('coach.house-way')}</em>` : nothing}
        ${ids.includes(taken ?? '') ? html`<em>${t('what-if.taken')}</em>` : nothing}
        <progress aria-hidden="true" max="1"
          .value=${most > least ? (worth - least) / (most - least) : 1}></progress></th>
      <td><b>${units(worth)}</b><small>${money(worth * found.unit_cents)}</small></td>
      <td>${ids.includes(found.best) ? '–' : units(worth - most)}</td></tr>`)}</tbody></table></div>
    <p class="dim">${t('coach.exact', { cents: found.unit_cents })}</p>`;
}

/** How much of the stake a choice costs: a percentage, or from the whole stake on how many times
 * it. @param {number} cost */
export const ofStake = (cost) => (cost >= 1
  ? t('costly.times', { count: words.value.figure(cost, 1).slice(1) })
  : t('costly.part', { percent: words.value.percent((100 * cost).toFixed(cost < 0.01 ? 2 : 1)) }));
