/** The table of a replayed round: stakes, cards, questions with the recorded answers, and
 * returns.
 * @typedef {{id: string, legal: boolean, bet?: string, cents?: number}} Option
 * @typedef {{key: string, hand: string | null, options: Option[], chosen: string,
 * zones: Record<string, string[]>, unit_cents: number}} Question
 * @typedef {{bet: string, staked_cents: number, returned_cents: number, outcome: string,
 * capped: boolean}} Line */
/**
 * How a game is settled: what its settle.js exports by default.
 * @typedef {object} Settlement
 * @property {number[]} editions  the editions of the rules that `play` was written from
 * @property {Record<string, string[]>} spots  what is staked before the deal, and beside what
 * @property {Record<string, string>} [equals]  a stake that must be as large as another one
 * @property {(table: Table) => void} play  a round from the deal to the last settled bet
 */

/** Refuse what cannot have happened. @param {'stakes'|'answers'|'unfinished'|'void_reason'} field
 * @param {unknown} what @returns {never} */
export function refuse(field, what) {
  throw Object.assign(new Error(`${field}: ${what}`), { field, what: String(what) });
}

export class Table {
  zones = /** @type {Record<string, string[]>} */ ({});
  names = /** @type {Record<string, import('./ranking.js').Hand>} */ ({});
  questions = /** @type {Question[]} */ ([]);
  staked = /** @type {Map<string, number>} */ (new Map()); // in the order staked
  #returned = /** @type {Map<string, number>} */ (new Map());
  #hidden = /** @type {Set<string>} */ (new Set());
  #dealt = 0;
  /** @param {any} round as in round.json @param {Settlement} settlement of its game */
  constructor({ edition, sheet, deck, stakes, answers }, { spots, equals = {} }) {
    this.edition = /** @type {number} */ (edition);
    this.sheet = sheet;
    this.deck = /** @type {string[]} */ (deck);
    this.answers = /** @type {unknown[]} */ ([...answers]);
    for (const bet of Object.keys(stakes)) if (!Object.hasOwn(spots, bet)) refuse('stakes', bet);
    for (const [bet, needs] of Object.entries(spots)) {
      if (!Object.hasOwn(stakes, bet)) continue;
      const [cents, { min_cents, max_cents }] = [stakes[bet], sheet.spots[bet]];
      const fits = Number.isInteger(cents) && cents >= min_cents && cents <= max_cents
        && cents % sheet.step_cents === 0;
      if (!fits || !needs.every((other) => Object.hasOwn(stakes, other))) refuse('stakes', bet);
      this.staked.set(bet, cents);
    }
    if (!this.staked.size) refuse('stakes', Object.keys(spots)[0]);
    for (const [bet, other] of Object.entries(equals)) if (stakes[bet] !== stakes[other])
      refuse('stakes', bet);
  }

  /** @param {string} bet */ stake(bet) { return this.staked.get(bet) ?? 0; }
  /** Cards from the top of the deck, the first of them face up. @param {string} zone
   * @param {number} count @param {number} [up] */
  take(zone, count, up = count) {
    const cards = this.deck.slice(this.#dealt, (this.#dealt += count));
    for (const card of cards.slice(up)) this.#hidden.add(card);
    return (this.zones[zone] = [...(this.zones[zone] ?? []), ...cards]);
  }
  /** Turn every card of a zone. @param {string} zone */
  show(zone) {
    for (const card of this.zones[zone]) this.#hidden.delete(card);
    return this.zones[zone];
  }
  /** What the player sees. */
  seen() {
    const faces = (/** @type {string[]} */ cards) =>
      cards.map((card) => (this.#hidden.has(card) ? '??' : card));
    return Object.fromEntries(Object.entries(this.zones)
      .map(([zone, cards]) => [zone, faces(cards)]));
  }

  /** Take the recorded answer to a question, and the stake it adds; refuse one that was not
   * allowed.
   * @param {string} key @param {Option[]} options @param {string} unit the bet that values are
   * counted in @param {string | null} [hand] */
  ask(key, options, unit, hand = null) {
    if (!this.answers.length) refuse('unfinished', key);
    const answer = this.answers.shift();
    const chosen = options.find(({ id }) => id === answer);
    if (!chosen?.legal) return refuse('answers', answer);
    this.questions.push({ key, hand, options, chosen: chosen.id, zones: this.seen(),
      unit_cents: this.stake(unit) });
    if (chosen.bet) this.staked.set(chosen.bet, chosen.cents ?? 0);
    return chosen.id;
  }

  /** Close a bet; one that was not staked is passed over. @param {string} bet
   * @param {number} cents */
  settle(bet, cents) { if (this.staked.has(bet)) this.#returned.set(bet, cents); }
  /** @param {string[]} bets */
  push(...bets) { for (const bet of bets) this.settle(bet, this.stake(bet)); }
  /** @param {string[]} bets */ lose(...bets) { for (const bet of bets) this.settle(bet, 0); }
  /** Return the stake and what odds bring on it; without odds it is lost. @param {string} bet
   * @param {string} [odds] such as "3:2" */
  pay(bet, odds) {
    // The product may be too long for a double.
    const [gain, per] = (odds ?? '0:1').split(':').map(BigInt);
    this.settle(bet, odds ? this.stake(bet) + Number((BigInt(this.stake(bet)) * gain) / per) : 0);
  }

  /** Each bet as it came back: cut to its own cap, then to the round's; what was not settled is
   * given back whole. @returns {Line[]} */
  lines() {
    const caps = this.sheet.caps_cents ?? {};
    const cut =
      new Map([...this.#returned].map(([bet, cents]) =>
      [bet, Math.min(cents, caps[bet] ?? cents)]));
    const back = (/** @type {string} */ bet) => cut.get(bet) ?? 0;
    // Of equals, the one staked last.
    const order = [...this.staked.keys()].filter((bet) => cut.has(bet)).reverse();
    const excess = () => order.reduce((sum, bet) => sum + back(bet), 0) - (caps.round ?? Infinity);
    while (excess() > 0) {
      const most = order.reduce((top, bet) => (back(bet) > back(top) ? bet : top));
      cut.set(most, Math.max(0, back(most) - excess()));
    }
    return [...this.staked].map(([bet, staked_cents]) => {
      const returned_cents = cut.get(bet) ?? staked_cents;
      const outcome = returned_cents > staked_cents ? 'won' : returned_cents === staked_cents
        ? 'returned' : returned_cents ? 'part' : 'lost';
      return { bet, staked_cents, returned_cents, outcome,
        capped: back(bet) < (this.#returned.get(bet) ?? 0) };
    });
  }
}
