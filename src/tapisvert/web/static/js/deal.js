// @ts-check
/**
 * A deal, done again in the browser: docs/fair-dealing.md with WebCrypto and nothing else.
 * The saved verifier carries this text as it stands, so it imports nothing and touches no page.
 *
 * @typedef {Record<'server_seed'|'game'|'sheet_hash'|'round_id'|'client_seed', string>} Facts
 * @typedef {{n: number, word: number, skipped: number, swap: [number, number]}} Draw
 *   `skipped` words were passed over before `word`
 * @typedef {'promised'|'commitment'|'sheet'|'deck'} StepId
 * @typedef {{id: StepId, ok: boolean, found: string, expected: string}} Step
 *   what was claimed (`expected`), and what we `found` ourselves
 * @typedef {Facts & {commitment: string, sheet: Record<string, unknown>, deck: string[]}} Proof
 */

const TEXTS = ['game', 'sheet_hash', 'round_id', 'client_seed', 'server_seed', 'commitment'];
const SHA256_HEX = /^[0-9a-f]{64}$/i;
const NEW_DECK = [...'23456789TJQKA'].flatMap((rank) => [...'cdhs'].map((suit) => rank + suit));
NEW_DECK.push('Jk');

/** @param {string} reason the field that cannot be used */
const unreadable = (reason, code = 'proof/unreadable') =>
  Object.assign(new Error(`${code}: ${reason}`), { code, reason });

/** UTF-8; half a surrogate pair has none. @param {unknown} text @param {string} field */
function utf8(text, field) {
  if (typeof text !== 'string' || /\p{Surrogate}/u.test(text)) throw unreadable(field);
  return new TextEncoder().encode(text);
}

/** @param {unknown} it */
const isObject = (it) => typeof it === 'object' && it !== null && !Array.isArray(it);

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {Uint8Array<ArrayBuffer>} bytes */
const sha256 = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

/** @param {unknown} seed */
function seedBytes(seed) {
  if (typeof seed !== 'string' || !SHA256_HEX.test(seed)) throw unreadable('server_seed');
  return Uint8Array.from({ length: 32 }, (_, at) => parseInt(seed.slice(2 * at, 2 * at + 2), 16));
}

/** What is shown before the stake. @param {string} serverSeedHex @returns {Promise<string>} */
export const commitment = async (serverSeedHex) => sha256(seedBytes(serverSeedHex));

/** Each field in UTF-8 behind its length, 16 bits. @param {Facts} facts */
function message({ game, sheet_hash, round_id, client_seed }) {
  const fields = { label: 'tapisvert/deal/1', game, sheet_hash, round_id, client_seed };
  return Object.entries(fields).flatMap(([name, text]) => {
    const bytes = utf8(text, name);
    if (bytes.length > 0xffff) throw unreadable(name);
    return [bytes.length >> 8, bytes.length & 0xff, ...bytes];
  });
}

/** HMAC-SHA256(seed, message || block number), block by block, in 32-bit words without end.
 * @param {Facts} facts @returns {AsyncGenerator<number, never, void>} */
async function* wordsOf(facts) {
  const [start, seed] = [message(facts), seedBytes(facts.server_seed)];
  const kind = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', seed, kind, false, ['sign']);
  for (let block = 0; ; block++) {
    const input = new Uint8Array([...start, 0, 0, 0, 0]);
    new DataView(input.buffer).setUint32(start.length, block);
    const digest = new DataView(await crypto.subtle.sign('HMAC', key, input));
    for (let at = 0; at < 32; at += 4) yield digest.getUint32(at);
  }
}

/** The deck in dealing order, and how it came about.
 * @param {Facts} facts @param {number} cards @returns {Promise<{deck: string[], draws: Draw[]}>} */
export async function deal(facts, cards) {
  if (cards !== 52 && cards !== 53) throw unreadable('cards');
  const [deck, words] = [NEW_DECK.slice(0, cards), wordsOf(facts)];
  const draws = /** @type {Draw[]} */ ([]);
  for (let last = cards - 1; last > 0; last--) {
    const n = last + 1;
    const limit = Math.floor(2 ** 32 / n) * n;
    let [word, skipped] = [(await words.next()).value, 0];
    // A word past the last whole multiple of n would make some cards likelier than others.
    for (; word >= limit; skipped++) word = (await words.next()).value;
    const other = word % n;
    [deck[last], deck[other]] = [deck[other], deck[last]];
    draws.push({ n, word, skipped, swap: [other, last] });
  }
  return { deck, draws };
}

/** JSON with sorted keys and no spaces. @param {unknown} value @param {number} depth left
 * @returns {string} */
function canonical(value, depth) {
  // Beyond this, a number is no longer the one that is written in the file.
  const isLost = typeof value === 'number' && !Number.isSafeInteger(value);
  if (isLost || depth === 0) throw unreadable('sheet');
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, depth - 1))}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const rows = Object.entries(/** @type {object} */ (value)).map(([key, each]) => ({
    key: hex(utf8(key, 'sheet')), // sorted by bytes, as the house does, and not by UTF-16
    row: `${JSON.stringify(key)}:${canonical(each, depth - 1)}`,
  }));
  return `{${rows.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row)}}`;
}

/** The name of a rule sheet. @param {unknown} sheet @returns {Promise<string>} */
export const sheetHash = async (sheet) => sha256(utf8(canonical(sheet, 32), 'sheet'));

/** The text of round.json as a value. @param {string} text @returns {unknown} */
export function read(text) {
  // 1.0 is 1 once parsed, but not to the house; no figure of a proof is written that way.
  if (/\d[.e]/i.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))) throw unreadable('number');
  try { return JSON.parse(text); } catch { throw unreadable('json'); }
}

/** @param {any} proof @param {number | undefined} size of the deck of its game @returns {Proof} */
function readable(proof, size) {
  if (!isObject(proof)) throw unreadable('proof');
  if (proof.format !== 'tapisvert/round/1') throw unreadable('format');
  for (const name of TEXTS) if (utf8(proof[name], name).length > 1024) throw unreadable(name);
  seedBytes(proof.server_seed);
  if (!isObject(proof.sheet)) throw unreadable('sheet');
  if (size === undefined) throw unreadable('game');
  const cards = NEW_DECK.slice(0, size);
  const deck = Array.isArray(proof.deck) ? proof.deck : [];
  if (deck.length !== cards.length) throw unreadable('deck');
  for (const card of deck) if (!cards.includes(card)) throw unreadable('deck');
  return proof;
}

/** Check round.json, also against the commitment noted before the stake if there is one.
 * @param {unknown} proof
 * @param {number | undefined} cards how many the deck of its game has; undefined: no game we know
 * @param {string} [promised]
 * @returns {Promise<{steps: Step[], deck: string[], draws: Draw[], true: boolean}>} */
export async function check(proof, cards, promised) {
  const { game, sheet, ...rest } = readable(proof, cards);
  const noted = promised === undefined ? undefined : String(promised).trim().toLowerCase();
  if (noted !== undefined && !SHA256_HEX.test(noted)) throw unreadable('promised');
  const { deck, draws } = await deal({ game, ...rest }, rest.deck.length);
  const steps = /** @type {Step[]} */ ([]);
  /** @param {StepId} id @param {string} found @param {string} expected */
  const step = (id, found, expected) => steps.push({ id, ok: found === expected, found, expected });
  if (noted !== undefined) step('promised', rest.commitment, noted);
  step('commitment', await commitment(rest.server_seed), rest.commitment);
  // A true sheet of another game is as false as a changed one.
  if (sheet.game === game) step('sheet', await sheetHash(sheet), rest.sheet_hash);
  else step('sheet', `game = ${JSON.stringify(sheet.game)}`, `game = ${JSON.stringify(game)}`);
  step('deck', deck.join(' '), rest.deck.join(' '));
  return { steps, deck, draws, true: steps.every(({ ok }) => ok) };
}
