/** Requests to the coach: first its state, then advice. Fetched with the views that need it. */
import { tried } from './net.js';

const AGAIN_MS = 1_500, REFUSALS_MAX = 2;

/**
 * Why there is no advice: warming up (the seconds left, if known, and the part
 * done), unavailable, not installed on this server, or no answer for this table.
 * @typedef {{why: 'warming', left: number | null, share: number} |
 * {why: 'absent' | 'not-installed' | 'none'}} Silence
 */
/** Games the coach was ready for when last asked: only then is it asked for advice, so that it
 * does not refuse. */
const ready = /** @type {Set<string>} */ (new Set());

/**
 * Ask the coach until it answers or the caller stops waiting; report why it is silent.
 * @param {string} game @param {string} path @param {() => boolean} wanted
 * @param {(why: Silence | null) => void} tell
 * @param {object} [sent] the body of a POST
 * @returns {Promise<any>} null without advice
 */
export async function consulted(game, path, wanted, tell, sent) {
  const since = performance.now();
  let left = /** @type {number | null} */ (null), refusals = 0;
  while (wanted()) {
    let state = /** @type {'ready' | 'warming' | 'absent' | 'not-installed'} */ ('ready');
    if (!ready.has(game)) {
      const { body } = await tried(`/coach?game=${game}`);
      [state, left] = [body?.state ?? 'warming', body?.seconds_left ?? null];
      if (body?.code === 'coach/not_installed') state = 'not-installed';
      if (!wanted()) break;
    }
    if (state === 'ready') {
      const { body, code } = await tried(path, sent), away = code.startsWith('coach/');
      if (body || (code && !away)) {
        ready.add(game);
        if (wanted()) tell(body ? null : { why: 'none' });
        return body;
      }
      ready.delete(game); // it has exited: ask the state of the next
      if (away && (refusals += 1) > REFUSALS_MAX) state = 'absent';
    }
    if (!wanted()) break;
    const spent = (performance.now() - since) / 1000;
    if (state === 'absent' || state === 'not-installed') {
      tell({ why: state });
      break;
    }
    tell({ why: 'warming', left, share: left === null ? 0 : spent / (spent + left) });
    await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
  }
  return null;
}
