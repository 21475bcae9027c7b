/**
 * Chips on the spots before the deal: pure functions of the server's spot descriptors.
 * Each returns the new bets, or why not. The server checks again; this only avoids a refusal.
 */

/** @typedef {import('./protocol.js').SpotView} Spot */
/** @typedef {Record<string, number>} Bets  cents by spot */
/** @typedef {{key: string, args: Record<string, any>}} Notice  a message key with its arguments */
/** @typedef {{bets: Bets, notice?: Notice}} Change */

export const total = (/** @type {Bets} */ bets) => Object.values(bets)
  .reduce((sum, cents) => sum + cents, 0);

/** @param {Bets} one @param {Bets} other */
export const same = (one, other) => [...Object.keys(one), ...Object.keys(other)]
  .every((spot) => (one[spot] ?? 0) === (other[spot] ?? 0));

/** The spots that always carry the same stake as this one. @param {readonly Spot[]} spots
 * @param {string} id */
function twins(spots, id) {
  const leader = spots.find((spot) => spot.id === id)?.equals ?? id;
  return spots.filter((spot) => spot.id === leader || spot.equals === leader);
}

/** What a spot still waits for, or null; its twin is placed with it. @param {Spot} spot
 * @param {Bets} bets */
export const missing = (spot, bets) => spot.requires.find((id) => !bets[id] && id !== spot.equals)
  ?? null;

/** @param {readonly Spot[]} spots @param {Bets} bets */
export const ready = (spots, bets) => spots.some((spot) => spot.main && bets[spot.id] > 0);

/**
 * Leave out empty spots and those whose main bet is gone.
 * @param {readonly Spot[]} spots @param {Bets} bets @returns {Bets}
 */
function tidy(spots, bets) {
  const whole = (/** @type {string} */ id) => twins(spots, id)
    .every((twin) => bets[twin.id] === bets[id]);
  const kept = spots.filter((spot) => bets[spot.id] > 0 && !missing(spot, bets) && whole(spot.id));
  const next = Object.fromEntries(kept.map((spot) => [spot.id, bets[spot.id]]));
  return kept.length === Object.keys(bets).length ? next : tidy(spots, next);
}

/** What stands, and what to say of it. @param {Bets} bets @param {string} key
 * @param {Record<string, any>} args */
const refused = (bets, key, args) => ({ bets, notice: { key, args } });

/** @param {Bets} before @param {Bets} after @param {number} funds @returns {Change} */
function within(before, after, funds) {
  const needed = total(after);
  return needed <= funds ? { bets: after } : refused(before, 'bet.no-funds', { needed, funds });
}

/**
 * Put chips on a spot: at least the minimum, at most what fits.
 * @param {readonly Spot[]} spots @param {Bets} bets @param {string} id @param {number} cents
 * @param {number} funds @returns {Change}
 */
export function place(spots, bets, id, cents, funds) {
  const group = twins(spots, id);
  const own = group.map((spot) => spot.id);
  const needs = group.map((spot) => missing(spot, bets))
    .find((other) => other && !own.includes(other));
  if (needs) return refused(bets, 'bet.needs', { bet: id, needs });
  const most = Math.min(...group.map(({ max }) => max));
  const had = bets[id] ?? 0;
  const sum = group.some(({ fixed }) => fixed) ? most : Math.max(had + cents,
    ...group.map(({ min }) => min));
  if (had >= most) return refused(bets, 'bet.limit', { bet: id, max: most });
  const next = { ...bets };
  for (const spot of group) next[spot.id] = Math.min(sum, most);
  const change = within(bets, next, funds);
  if (change.notice) return change;
  if (sum > most) return refused(change.bets, 'bet.limit', { bet: id, max: most });
  return sum > had + cents && sum !== most ? refused(change.bets, 'bet.least',
    { bet: id, min: sum }) : change;
}

/**
 * Take chips back from a spot; a rest below the minimum is removed.
 * @param {readonly Spot[]} spots @param {Bets} bets @param {string} id @param {number} cents
 * @returns {Change}
 */
export function remove(spots, bets, id, cents) {
  const next = { ...bets };
  const group = twins(spots, id), left = (bets[id] ?? 0) - cents;
  for (const spot of group) next[spot.id] = group.every(({ min }) => left >= min) ? left : 0;
  return { bets: tidy(spots, next) };
}

/**
 * Double every bet, or none with the reason.
 * @param {readonly Spot[]} spots @param {Bets} bets @param {number} funds @returns {Change}
 */
export function double(spots, bets, funds) {
  const next = { ...bets };
  for (const spot of spots) {
    if (!bets[spot.id] || spot.fixed) continue;
    next[spot.id] = bets[spot.id] * 2;
    if (next[spot.id] > spot.max) return refused(bets, 'bet.double-limit',
      { bet: spot.id, max: spot.max });
  }
  return within(bets, next, funds);
}

/**
 * Repeat the last bets, as far as the table still allows them.
 * @param {readonly Spot[]} spots @param {Bets} last @param {number} funds @returns {Change}
 */
export function repeat(spots, last, funds) {
  const fits = spots.filter(({ id, min, max, step }) => last[id] >= min && last[id] <= max
    && last[id] % step === 0);
  return within({}, tidy(spots, Object.fromEntries(fits.map(({ id }) => [id, last[id]]))), funds);
}

const VALUES = [100, 500, 2_500, 10_000, 50_000, 100_000, 500_000];

/** Round values that the step and the limits of a table allow, as chips.
 * @param {readonly Spot[]} spots */
export function values(spots) {
  const step = Math.max(...spots.map((spot) => spot.step));
  const most = Math.max(...spots.map((spot) => spot.max));
  const fits = (/** @type {number} */ cents) => cents % step === 0 && cents <= most;
  const round = VALUES.filter(fits);
  const found = round.length >= 3 ? round : [1, 5, 10, 25, 100].map((times) => times * step)
    .filter(fits);
  const least = Math.min(...spots.map((spot) => spot.min));
  return found[0] > least ? [least, ...found] : found;
}

/** The chips of a table, five at most: those the player wants, as far as it has them.
 * @param {readonly Spot[]} spots @param {readonly number[]} [wanted] */
export function chips(spots, wanted = []) {
  const all = values(spots), own = all.filter((cents) => wanted.includes(cents));
  return (own.length ? own : all).slice(0, 5);
}
