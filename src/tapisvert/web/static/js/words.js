/** The message catalogue; same rules as on the server (src/tapisvert/words). */

/** @typedef {import('./protocol.js').AnyEvent} AnyEvent */
/** @typedef {import('./protocol.js').HandName} HandName */
/** @typedef {Record<string, any>} Args */

const PLACE = /\{([^{}:]+)(?::([^{}]+))?\}/g;

/** All templates of one language. A game's own key wins over the common one. */
export class Words {
  /** The player's currency, written instead of the dollar sign. */
  static sign = '$';

  /** @param {string} language @param {Record<string, string>} templates */
  constructor(language, templates) {
    this.language = language;
    this.templates = templates;
  }

  /** @param {string} key @param {string} [game] @returns {string | undefined} */
  find(key, game = '') {
    return this.templates[`${game}.${key}`] ?? this.templates[key];
  }

  /** Fill in a template. @param {string} key @param {Args} [args] @param {string} [game]
   * @returns {string} */
  write(key, args = {}, game = '') {
    const template = this.find(key, game);
    if (template === undefined) throw new Error(`no words for ${key} (${this.language}, ${game})`);
    return template.replace(PLACE, (_, name, form) => this.#form(form, at(args, name), game));
  }

  /** @param {string | undefined} form @param {any} value @param {string} game @returns {string} */
  #form(form, value, game) {
    switch (form) {
      case undefined: return String(value);
      case 'money': return this.money(value);
      case 'odds': return this.odds(value);
      case 'share': return this.share(value);
      case 'times': return this.times(value);
      case 'card': return this.card(value);
      case 'cards': return value.map((/** @type {string | null} */ card) => this.card(card))
        .join(', ');
      case 'rank-list': return this.#ranks([...value], 'rank');
      case 'to-rank-list': return this.#ranks([...value], 'to-rank');
      default: return this.write(`${form}.${value}`, {}, game);
    }
  }

  /** Ranks, joined so that no two read as another number. @param {string[]} ranks
   * @param {string} first */
  #ranks([top, ...others], first) {
    const names = [this.write(`${first}.${top}`),
      ...others.map((rank) => this.write(`rank.${rank}`))];
    const join = `rank-list.${others.length === 1 ? 'two' : 'more'}`;
    return names.reduce((one, other) => this.write(join, { 0: one, 1: other }));
  }

  /** An amount with its currency. @param {number} cents @param {string} [sign] */
  money(cents, sign = Words.sign) {
    const written = this.write('money.format', { amount: this.#amount(Math.abs(cents), true) });
    return (cents < 0 ? '-' : '') + written.replace('$', () => sign);
  }

  /** An amount with its sign, for what was won or lost. @param {number} cents */
  signed(cents) {
    return cents > 0 ? `+${this.money(cents)}` : cents < 0
      ? `−${this.money(-cents)}` : this.money(0);
  }

  /** An amount as short as it can be, for a chip. @param {number} cents */
  short(cents) {
    return this.#amount(cents, cents % 100 !== 0);
  }

  /** @param {number} cents @param {boolean} full */
  #amount(cents, full) {
    const whole = this.#grouped(String(Math.floor(cents / 100)));
    return full ? whole + this.write('money.decimal') + String(cents % 100)
      .padStart(2, '0') : whole;
  }

  /** A whole number with its thousands apart. @param {string} digits */
  #grouped(digits) {
    return digits.replace(/\B(?=(\d{3})+$)/g, this.write('money.group'));
  }

  /** Parse an amount as written in this language; null if it is none.
   * @param {string} text */
  cents(text) {
    const group = `[\\s${this.write('money.group').trim()}]`;
    const thousands = new RegExp(`^\\d{1,3}(?:${group}\\d{3})+(?!\\d)`);
    const bare = text.trim().replace(/^\$\s*|\s*\$$/g, '')
      .replace(thousands, (whole) => whole.replace(/\D/g, ''));
    const found = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(bare);
    return found ? Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : null;
  }

  /** A figure with its sign. @param {number} value @param {number} digits */
  figure(value, digits) {
    const written = Math.abs(value).toFixed(digits).replace('.', this.write('money.decimal'));
    return (value < 0 ? '−' : '+') + written;
  }

  /** @param {string} odds such as "3:2" */
  odds(odds) {
    const [gain, stake] = odds.split(':').map((part) => this.#grouped(part));
    return this.write('odds.format', { gain, stake });
  }

  /** @param {string} value such as "97.45" */
  percent(value) {
    return this.write('percent.format', { value: value.replace('.', this.write('money.decimal')) });
  }

  /** A part, written as odds, in percent. @param {string} share */
  share(share) {
    const [part, whole] = share.split(':').map(Number);
    return this.percent(String(Number((100 * part / whole).toPrecision(12))));
  }

  /** How many times a stake, one or the other. @param {number[]} counts */
  times(counts) {
    const told = counts.map((count) => this.write('times.format', { count }));
    return [...told.slice(0, -2), told.slice(-2).join(this.write('times.or'))].join(', ');
  }

  /** @param {string | null} card */
  card(card) {
    if (card === null) return this.write('card.hidden');
    if (card === 'Jk') return this.write('card.joker');
    return this.write('card.name', { rank: card[0], suit: card[1] });
  }

  /** What a hand is called at this table, and what its joker stands for. @param {HandName} hand
   * @param {string} game */
  hand(hand, game) {
    const told = this.write(`hand.${hand.category}`, { ...[...hand.ranks], ranks: hand.ranks,
      total: hand.total }, game);
    return hand.joker ? this.write(`joker.${hand.joker.length === 2 ? 'card' : 'rank'}`,
      { hand: told, joker: hand.joker })
      : told;
  }

  /** A length of time, roughly: what a player wants to know. @param {number} seconds */
  duration(seconds) {
    const units = /** @type {const} */ ([['days', 86_400], ['hours', 3_600], ['minutes', 60]]);
    // 24 and 36 hours are written as hours, not as "1 day".
    const fits = (/** @type {number} */ size) => seconds >= 2 * size
      || (size === 3_600 && seconds === size);
    const [unit, size] = units.find(([, each]) => fits(each)) ?? units[2];
    const count = Math.max(1, Math.floor(seconds / size));
    return this.write(`duration.${count === 1 ? unit.slice(0, -1) : unit}`, { count });
  }

  /** The sentence for an event. @param {AnyEvent} event @param {string} game @returns {string} */
  tell(event, game) {
    switch (event.kind) {
      case 'dealt':
      case 'revealed':
        return this.write(`event.${event.kind}.${event.zone}`, event, game);
      case 'named':
        return this.write(`event.named.${event.zone}`, { hand: this.hand(event.hand, game) }, game);
      case 'moved':
        return this.write(`event.moved.${event.to}`, event, game);
      case 'asked': {
        const costs =
          Object.fromEntries(event.options.map((option) => [option.id, option.stake_cents]));
        const reasons = new Set(event.options.map((option) => `event.forbidden.${option.why_not}`));
        const told = [...reasons].filter((key) => this.find(key, game))
          .map((key) => this.write(key, {}, game));
        return [this.write(`event.asked.${event.key}`, { hand: event.hand, ...costs }, game),
          ...told].join(' ');
      }
      case 'chose': {
        const cards = event.option.split(' '); // a set of Pai Gow is named by its cards
        return this.write(`event.chose.${cards.length === 1 ? event.option : 'cards'}`,
          { ...event, cards }, game);
      }
      case 'said':
        return this.write(`event.said.${event.key}`, event.args, game);
      case 'settled': {
        const how = event.outcome === 'won' && !event.odds ? 'prize' : event.outcome;
        const why = this.write(`why.${event.why}`, event, game);
        const told = this.write(`event.settled.${how}`, { ...event, why }, game);
        return event.capped ? `${told} ${this.write('event.capped')}` : told;
      }
      default:
        return this.write(`event.${event.kind}`, event, game);
    }
  }
}

/** Read a value by its dotted path, as help does from a sheet. @param {Args} args
 * @param {string} path */
function at(args, path) {
  if (path in args) return args[path];
  const value = path.split('.').reduce((inner, name) => inner?.[name], /** @type {any} */ (args));
  if (value === undefined) throw new Error(`no value for ${path}`);
  return value;
}
