/** A grade, and what graded choices sum to. */
import { html, nothing } from '../../vendor/lit.js';
import { GRADES, gradeOf, summed } from '../grades.js';
import { words } from '../store.js';
import { style } from '../style.js';
import { money, t, units } from './parts.js';

style('review');

/** The grade of a choice, in a word. @param {number} cost in units of its stake */
export function Grade(cost) {
  const grade = gradeOf(cost);
  return html`<em class="grade ${grade}">${t(`grade.${grade}`)}</em>`;
}

/** @param {string} key @param {unknown} value */
const Told = (key, value) => html`<div><dt>${t(key)}</dt><dd>${value}</dd></div>`;

/** How well choices were made. @param {readonly import('../grades.js').Cost[]} choices
 * @param {number} rounds how many rounds they are of */
export function Accuracy(choices, rounds) {
  const { count, grades, mean, cents } = summed(choices);
  if (!count) return html`<p class="dim">${t('session.no-choices')}</p>`;
  const percent = words.value.percent((100 * grades.best / count).toFixed(1));
  return html`<dl class="figures">
      ${Told('session.rounds', rounds)}${Told('session.choices', count)}
      ${Told('session.accuracy', t('session.best-of', { best: grades.best, count, percent }))}
      ${Told('session.mean', mean > 0 ? units(-mean) : 0)}
      ${Told('session.cost', money(-cents))}</dl>
    <ul class="grades">${GRADES.map((grade) => (grades[grade] || grade === 'best'
      ? html`<li><em class="grade ${grade}">${t(`grade.${grade}`)}</em> ${grades[grade]}</li>`
      : nothing))}</ul>`;
}
