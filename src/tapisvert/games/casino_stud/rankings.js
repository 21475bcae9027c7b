/** The hands of Casino Stud, best first. */
import standard from '../../js/rankings/standard.js';

/** @type {import('../../js/views/rankings.js').Ranking} */
export default [{ id: 'hands', hands: standard }];
