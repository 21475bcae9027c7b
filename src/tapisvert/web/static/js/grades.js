/** Grades of choices by their exact cost, and what many choices sum to (docs/review.md). */

/** Values of options that differ by less are equal: they are sums of floats. */
const SAME = 1e-9;

/** The grades, and the cost each ends below, in units of the stake. */
const ENDS = /** @type {const} */ ([
  ['best', SAME], ['inaccuracy', 0.05], ['mistake', 0.25], ['blunder', Infinity],
]);

/** @typedef {(typeof ENDS)[number][0]} Grade */
/** @typedef {{cost: number, unit_cents: number}} Cost */

/** @type {readonly Grade[]} */
export const GRADES = ENDS.map(([grade]) => grade);

/** The grade of a choice. @param {number} cost in units of its stake @returns {Grade} */
export const gradeOf = (cost) => (ENDS.find(([, end]) => cost < end) ?? ENDS[3])[0];

/** @param {Cost} choice */
export const centsOf = ({ cost, unit_cents: unit }) => cost * unit;

/** What choices sum to: how many there are, how many of each grade, the mean cost in units of
 * the stake, and the cost in cents. @param {readonly Cost[]} choices */
export function summed(choices) {
  const grades = /** @type {Record<Grade, number>} */ (Object.fromEntries(GRADES.map((grade) =>
    [grade, choices.filter(({ cost }) => gradeOf(cost) === grade).length])));
  return { count: choices.length, grades,
    mean: choices.reduce((sum, { cost }) => sum + cost, 0) / (choices.length || 1),
    cents: choices.reduce((sum, choice) => sum + centsOf(choice), 0) };
}

/** The costliest choices in money, the dearest first. @template {Cost} T
 * @param {readonly T[]} choices @param {number} most */
export const costliest = (choices, most) => choices.filter(({ cost }) => gradeOf(cost) !== 'best')
  .toSorted((one, other) => centsOf(other) - centsOf(one)).slice(0, most);
