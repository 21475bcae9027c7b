/** Reviews of finished rounds: what each choice cost. Each is fetched once. */
import { consulted } from './consult.js';
import { get } from './net.js';
import { roundsOfSession } from './store.js';

/** @typedef {import('./protocol.js').RoundReview} RoundReview */
/** @typedef {import('./protocol.js').RoundSummary} RoundSummary */
/** @typedef {import('./consult.js').Silence} Silence */

const known = /** @type {Map<string, RoundReview>} */ (new Map());

/**
 * Review rounds one by one, until they are done, the coach is away, or the player has left.
 * @param {readonly RoundSummary[]} rounds @param {() => boolean} wanted
 * @param {(found: RoundReview[], silence: Silence | null) => void} tell after each round
 */
export async function review(rounds, wanted, tell) {
  const found = /** @type {RoundReview[]} */ ([]);
  for (const { id, game } of rounds) {
    let silence = /** @type {Silence | null} */ (null);
    const one = known.get(id) ?? await consulted(game, `/rounds/${id}/review`, wanted, (why) => {
      silence = why;
      tell([...found], why);
    });
    if (!wanted()) return;
    if (one) {
      known.set(id, one);
      found.push(one);
      tell([...found], null);
    } else if (/** @type {Silence | null} */ (silence)?.why !== 'none') return;
  }
}

/** The finished rounds of this session, newest first. */
export async function ofSession() {
  const ids = new Set(roundsOfSession()), found = /** @type {RoundSummary[]} */ ([]);
  for (let path = ids.size ? '/rounds' : ''; path;) {
    const { rounds, next } = await get(path);
    const mine = rounds.filter((/** @type {RoundSummary} */ { id }) => ids.has(id));
    found.push(...mine);
    path = next !== null && mine.length && found.length < ids.size ? `/rounds?before=${next}` : '';
  }
  return found;
}

/** The newest rounds of a game that count. @param {string} game */
export async function ofGame(game) {
  const { rounds } = await get(`/rounds?game=${game}`);
  return rounds.filter((/** @type {RoundSummary} */ { state, reversed }) =>
    state === 'settled' && !reversed);
}
