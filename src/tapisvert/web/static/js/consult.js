/** Asking the coach: first how far he is, then for advice. Fetched with the views that need him. */
import { tried } from './net.js';

const AGAIN_MS = 1_500, REFUSALS_MAX = 2;

/**
 * Why the coach is silent: on his way (the seconds that are left, if he knows, and the part that is
 * done), not there, or
 * without an answer for this table.
 * @typedef {{why: 'warming', left: number | null, share: number} | {why: 'absent'} |
 * {why: 'none'}} Silence
 */
/** Games he was ready for when last asked: only then is he asked for advice, so that he never has
 * to refuse. */
const ready = /** @type {Set<string>} */ (new Set());

/**
 * Ask the coach until he answers, or nobody waits for it any more; tell why he is silent meanwhile.
 * @param {string} game @param {string} path @param {() => boolean} wanted
 * @param {(why: Silence | null) => void} tell
 * @returns {Promise<any>} null if he has nothing to say
 */
export async function consulted(game, path, wanted, tell) {
  const since = performance.now();
  let left = /** @type {number | null} */ (null), refusals = 0;
  while (wanted()) {
    let state = 'ready';
    if (!ready.has(game)) {
      const { body } = await tried(`/coach?game=${game}`);
      [state, left] = [body?.state ?? 'warming', body?.seconds_left ?? null];
    }
    if (state === 'ready') {
      const { body, code } = await tried(path), away = code.startsWith('coach/');
      if (body || (code && !away)) {
        ready.add(game);
        if (wanted()) tell(body ? null : { why: 'none' });
        return body;
      }
      ready.delete(game); // he has gone since: how far is the next one?
      if (away && (refusals += 1) > REFUSALS_MAX) state = 'absent';
    }
    if (!wanted()) break;
    const spent = (performance.now() - since) / 1000;
    tell(state === 'absent' ? { why: state } : { why: 'warming', left, share: left === null
      ? 0 : spent / (spent + left) });
    if (state === 'absent') break;
    await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
  }
  return null;
}
