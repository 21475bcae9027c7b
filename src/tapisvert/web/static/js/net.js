/** HTTP client. A command is retried with its idempotency key until it is answered. */
import { signal } from '../vendor/signals.js';

const API = '/api/v1', PATIENCE_MS = 8_000, RETRY_MS = 250, RETRY_MAX_MS = 4_000, PULSE_MS = 15_000,
  CIRCLE_MS = 12_000;

/** Whether the house hears us. @type {import('../vendor/signals.js').Signal<'live' | 'lost'>} */
export const link = signal(/** @type {'live' | 'lost'} */ ('live'));

/** A refusal, with a stable code and a sentence for the player. */
export class Refusal extends Error {
  /** @param {import('./protocol.js').Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.code = problem.code;
  }
}

class Unreachable extends Error {}

/** A random text of hexadecimal digits. @param {number} bytes */
export function random(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16)
    .padStart(2, '0')).join('');
}

/** @param {string} path @param {RequestInit} request @returns {Promise<any>} */
async function once(path, request) {
  let answer, body;
  try {
    answer = await fetch(API + path, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
    body = answer.status === 204 ? null : await answer.json();
  } catch {
    throw new Unreachable(path);
  }
  if (answer.ok) return body;
  if (body?.retryable || !body?.code) throw new Unreachable(path);
  throw new Refusal(body);
}

/** Wait before another try; coming online ends the wait. @param {number} tries */
function breath(tries) {
  return new Promise((resolve) => {
    const done = () => { clearTimeout(timer); removeEventListener('online', done);
      resolve(undefined); };
    const timer = setTimeout(done, Math.min(RETRY_MS * 2 ** tries, RETRY_MAX_MS));
    addEventListener('online', done);
  });
}

/** The session is unknown: reload the page as a new guest, a limited number of times. */
function comeInAgain() {
  const last = Number(sessionStorage.getItem('came-in-again'));
  if (Date.now() - last < CIRCLE_MS) return false;
  sessionStorage.setItem('came-in-again', String(Date.now()));
  location.reload();
  return true;
}

/** @param {string} path @param {RequestInit} request @returns {Promise<any>} */
async function patiently(path, request) {
  for (let tries = 0; ; tries += 1) {
    try {
      const body = await once(path, request);
      link.value = 'live';
      return body;
    } catch (failure) {
      if (!(failure instanceof Unreachable)) {
        link.value = 'live';
        if (failure instanceof Refusal && failure.code === 'session/missing' && path !== '/sessions'
          && comeInAgain()) return new Promise(() => {});
        throw failure;
      }
      link.value = 'lost';
      await breath(tries);
    }
  }
}

const told = () => ({ 'Accept-Language': document.documentElement.lang });

/** @param {object} body */
const posted = (body) => ({
  method: 'POST', headers: { ...told(), 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/** Ask a question. @param {string} path */
export const get = (path) => patiently(path, { headers: told() });

/** Ask once, without retry: the answer, or the code of a refusal ('' if unreachable).
 * @param {string} path @param {object} [body] makes it a POST */
export async function tried(path, body) {
  try {
    const answer = await fetch(API + path, { ...(body ? posted(body) : { headers: told() }),
      signal: AbortSignal.timeout(PATIENCE_MS) });
    const found = await answer.json();
    return answer.ok ? { body: found, code: '' } : { body: null, code: String(found?.code ?? '') };
  } catch {
    return { body: null, code: '' };
  }
}

/** Say something that may be said again without harm. @param {string} path
 * @param {object} [body] */
export const post = (path, body = {}) => patiently(path, posted(body));

/** Give a command that moves money: one key for all tries. @param {string} path
 * @param {object} [body] */
export const command = (path, body = {}) => patiently(path, {
  method: 'POST', body: JSON.stringify(body),
  headers: { ...told(), 'Content-Type': 'application/json', 'Idempotency-Key': random(16) },
});

/** Import a module; after a lost connection, again when the house answers.
 * @param {() => Promise<any>} load */
export async function fetched(load) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await load();
    } catch (failure) {
      if (tries === 3) throw failure;
      link.value = 'lost';
      await get('/health');
    }
  }
}

/** Poll the health while the page is visible, to notice a lost connection early. */
export function watch() {
  addEventListener('offline', () => { link.value = 'lost'; get('/health'); });
  setInterval(() => { if (!document.hidden && link.value === 'live') get('/health'); }, PULSE_MS);
}
