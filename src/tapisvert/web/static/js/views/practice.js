/** Progress in practice: streaks, and the themes of the game, each of which can be chosen. */
import { html, nothing } from '../../vendor/lit.js';
import { words } from '../store.js';
import { t, units } from './parts.js';

/** @typedef {import('../store.js').GameView} GameView */
/** @typedef {import('../protocol.js').Progress} Found */
/** @typedef {import('../protocol.js').ThemeProgress} ThemeProgress */

/**
 * @param {GameView} game @param {Found} found @param {string | null} chosen
 * @param {(theme: string | null) => void} choose
 * @param {import('../protocol.js').Mistakes} [mine] what the rounds at the table show
 */
export function Progress(game, found, chosen, choose, mine) {
  const due = found.themes.reduce((sum, theme) => sum + theme.due, 0);
  const best = (/** @type {number} */ count, /** @type {number} */ most) => (most > count
    ? t('drill.best', { count, most }) : String(count));
  return html`<section class="progress"><h2>${t('drill.progress')}</h2>
    <dl class="figures">${[['days', best(found.days, found.days_longest)],
      ['run', best(found.run, found.run_longest)], ['due', String(due)],
      ...(mine && mine.mean_cost !== null ? [['real', units(-mine.mean_cost)]] : [])]
      .map(([name, value]) => html`<div><dt>${t(`drill.${name}`)}</dt>
        <dd>${value}</dd></div>`)}</dl>
    ${found.themes.length > 1 ? html`<h3 id="themes">${t('drill.themes')}</h3>
      <ul class="themes" aria-labelledby="themes">
        ${Choice(t('drill.all'), t('drill.all-note'), chosen === null, () => choose(null))}
        ${found.themes.map((theme) => Choice(t(`theme.${theme.theme}`, {}, game.id),
          figures(theme), chosen === theme.theme, () => choose(theme.theme), theme))}</ul>`
    : nothing}
    ${mine?.rounds ? html`<p>${t('drill.mine', { looked: mine.looked_at, rounds: mine.rounds,
      mistakes: mine.mistakes, decisions: mine.decisions })}</p>` : nothing}
    <p class="dim">${t('drill.kept')}</p>
    <p class="row"><a href="/statistics">${t('view.statistics')}</a></p></section>`;
}

/** A theme, or all of them. @param {string} name @param {string} note @param {boolean} on
 * @param {() => void} press @param {ThemeProgress} [theme] */
const Choice = (name, note, on, press, theme) => html`<li><button class="theme" aria-pressed=${on}
  @click=${press}><b>${name}</b>${theme?.due ? html`<em>${t('drill.theme-due',
    { count: theme.due })}</em>` : nothing}
  ${theme?.answers ? html`<progress aria-hidden="true" max="1"
    .value=${theme.right / theme.answers}></progress>` : nothing}
  <small>${note}</small></button></li>`;

/** @param {ThemeProgress} theme */
const figures = ({ answers, right, mean_cost: cost, learned }) => (answers && cost !== null
  ? [t('drill.theme-share', { right, count: answers, cost: words.value.figure(cost, 3).slice(1) }),
    ...(learned ? [t('drill.theme-learned', { count: learned })] : [])].join(' · ')
  : t('drill.theme-new'));
