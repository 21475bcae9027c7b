/** The hands of Casino Stud, best first. */
import standard from './standard.js';

/** @type {import('../views/rankings.js').Ranking} */
export default [{ id: 'hands', hands: standard }];
