/** The hands of Ultimate Texas Hold'em, best first. */
import standard from './standard.js';

/** @type {import('../views/rankings.js').Ranking} */
export default [{ id: 'hands', hands: standard }];
