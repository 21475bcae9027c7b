/** The page of a certificate: all its content is rendered from the checked data.
 */
import { Words } from '../static/js/words.js';

/** @typedef {import('./examine.js').Examined} Examined */
/** @typedef {import('./settle/table.js').Question} Question */

const SUITS = /** @type {Record<string, string>} */ ({ c: '♣', d: '♦', h: '♥', s: '♠' });
const DIGITS = 6;
// The rest is only held against itself.
const DONE_AGAIN = ['commitment', 'deck', 'sheet', 'choices', 'settlement'];
const FIELDS = ['commitment', 'server_seed', 'client_seed', 'round_id', 'sheet_hash'];

/** @param {string} tag @param {Record<string, string>} attributes
 * @param {(Node | string | null | false)[]} children */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null && child !== false));
  return made;
}

/** Hands with their second halves, the house last. @param {Record<string, string[]>} zones */
const inOrderOfPlay = (zones) => Object.entries(zones)
  .sort(([one], [other]) => orderOf(one) - orderOf(other));
/** @param {string} zone */
const orderOf = (zone) => (zone.startsWith('house') ? 9 : Number(zone.at(-1)) || 0);

/** The page of one certificate, in one language. */
class Page {
  /** @param {Words} words @param {Examined} examined */
  constructor(words, examined) {
    this.words = words;
    this.examined = examined;
    this.proof = examined.data?.proof ?? {};
    this.game = String(this.proof.game);
  }

  /** @param {string} key @param {Record<string, any>} [args] */
  t(key, args = {}) { return this.words.write(`certificate.${key}`, args, this.game); }

  /** A word of the table, or the bare id if the file names what no table has. @param {string} key
   * @param {string} id */
  word(key, id) { return this.words.find(`${key}.${id}`, this.game) ?? id; }

  /** @param {string} card */
  card(card) {
    if (card === '??')
      return el('span', { class: 'card back', role: 'img', 'aria-label': this.words.card(null) });
    const [index, suit] = card === 'Jk' ? ['', '★'] : [this.words.find(`verifier.index.${card[0]}`)
      ?? card[0], SUITS[card[1]]];
    const kind = card === 'Jk' ? 'joker' : 'dh'.includes(card[1]) ? 'red' : 'black';
    return el('span', { class: `card ${kind}`, role: 'img', 'aria-label': this.words.card(card) },
      el('b', {}, index), el('i', {}, `${suit}\uFE0E`));
  }

  /** @param {string} zone @param {string[]} cards @param {string} [name] */
  hand(zone, cards, name) {
    return el('figure', { class: 'hand' },
      el('figcaption', {}, el('span', {}, this.word('zone', zone)), name
        ? el('em', {}, name) : null),
      el('div', { class: 'cards' }, ...cards.map((card) => this.card(card))));
  }

  /** @param {string} id @param {(Node | string | null | false)[]} children */
  section(id, ...children) {
    return el('section', { 'aria-labelledby': id }, el('h2', { id }, this.t(id)), ...children);
  }

  /** A table with a head; the first cell of a row is its head. @param {string} caption
   * @param {string[]} heads
   * @param {{kind?: string, cells: (Node | string)[]}[]} rows */
  table(caption, heads, rows) {
    return el('table', {}, el('caption', {}, caption),
      el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
      el('tbody', {}, ...rows.map(({ kind = '', cells: [first, ...rest] }) =>
        el('tr', { class: kind }, el('th', { scope: 'row' }, first),
          ...rest.map((cell) => el('td', {}, cell))))));
  }

  /** A value in units of a stake, and in money. @param {number} value @param {number} unit_cents */
  worth(value, unit_cents) {
    return el('span', { class: 'worth' }, this.words.figure(value, DIGITS),
      el('small', {}, this.words.signed(Math.round(value * unit_cents))));
  }

  /** What is false in a part, in words. @param {import('./examine.js').Note} note */
  told({ field, bet, place, expected, found }) {
    if (field === 'more') return this.t('more', { count: found });
    const name = place ? this.t('place', { place }) : this.words.find(`certificate.field.${field}`)
      ?? field;
    const what = bet === undefined ? name : `${this.word('bet', bet)}, ${name}`;
    const write = (/** @type {unknown} */ value) =>
      (/_cents$/.test(field) && Number.isInteger(value) ? this.words.money(Number(value))
      : place ? this.words.card(String(value)) : String(value ?? '–'));
    if (expected === undefined && found === undefined) return what;
    return this.t(expected === undefined ? 'cannot-be' : 'differs',
      { what, expected: write(expected), found: write(found) });
  }

  verdict() {
    const { true: holds, parts } = this.examined;
    const names = (/** @type {(part: import('./examine.js').Part) => boolean} */ wanted) =>
      parts.filter(wanted).map(({ id }) => this.t(`part.${id}`)).join(', ');
    const [sign, head, says] = holds
      ? ['✓', this.t('true'),
      this.t('true-help', { parts: names(({ id }) => DONE_AGAIN.includes(id)) })]
      : ['✗', this.t('false'), this.t('false-help', { parts: names(({ ok }) => ok === false) })];
    return el('div', { class: `verdict ${holds}`, role: 'status' },
      el('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      el('div', {}, el('p', { class: 'head' }, head), el('p', {}, says)));
  }

  checks() {
    return el('ul', { class: 'checks' }, ...this.examined.parts.map(({ id, ok, notes }) => {
      const [kind, sign] = ok === null ? ['open', '○'] : ok ? ['pass', '✓'] : ['fail', '✗'];
      return el('li', { class: kind, 'data-part': id },
        el('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
        el('div', {}, el('strong', {}, this.t(`part.${id}`)), ' ', el('span', { class: 'word' },
          id === 'values' && ok ? this.t('belong') : this.words.write(`verifier.${kind}`)),
          el('p', {}, ok === false ? this.t(`wrong.${id}`) : this.t(`check.${id}`)),
          ...notes.map((note) => el('p', { class: 'wrong' }, this.told(note)))));
    }));
  }

  cards() {
    const { settled } = this.examined;
    if (!settled) return null;
    const { zones, names } = settled;
    const staked = new Set(settled.lines.map(({ bet }) => bet));
    const side = Object.entries(names).filter(([name]) => !(name in zones) && staked.has(name));
    return this.section('cards', el('div', { class: 'hands' },
      ...inOrderOfPlay(zones).map(([zone, cards]) => this.hand(zone, cards, names[zone]
        && this.name(names[zone])))),
    ...side.map(([bet, hand]) =>
      el('p', {}, this.t('side', { bet: this.word('bet', bet), hand: this.name(hand) }))));
  }

  /** @param {import('./settle/ranking.js').Hand} hand */
  name({ category, ranks = '', total }) {
    return this.words.hand({ category, ranks, total: total ?? null, cards: [], joker: null },
      this.game);
  }

  /** An option as it stood on its button; a set of Pai Gow by its two low cards.
   * @param {string} id */
  option(id) {
    const cards = id.split(' ');
    if (cards.length === 1) return el('span', {}, this.word('option', id));
    return el('span', { class: 'cards small' }, ...cards.map((card) => this.card(card)));
  }

  /** @param {Question} question @param {number} step */
  decision({ key, hand, options, chosen, zones, unit_cents }, step) {
    const value = this.examined.data.values?.[step];
    const worth = (/** @type {string} */ id) => Number(value.options[id]);
    const costs = Object.fromEntries(options.map(({ id, cents = 0 }) => [id, cents]));
    const legal = options.filter((option) => option.legal);
    if (value) legal.sort((one, other) => worth(other.id) - worth(one.id));
    const tags = (/** @type {string} */ id) => [id === chosen && 'chosen', id === value?.best
      && 'best', id === value?.house_way && 'house-way']
      .filter((tag) => tag !== false).map((tag) => el('em', { class: tag }, this.t(tag)));
    const rows = legal.map(({ id, cents = 0 }) => ({ kind: id === chosen ? 'chosen' : '', cells: [
      el('span', { class: 'option' }, this.option(id), ...tags(id)), cents
        ? this.words.money(cents) : '–',
      ...(value ? [this.worth(worth(id), unit_cents), id === value.best
        ? '–' : this.worth(worth(id) - worth(value.best), unit_cents)] : [])] }));
    const heads = ['option', 'adds', ...(value ? ['worth', 'cost'] : [])].map((head) =>
      this.t(`head.${head}`));
    const asked = this.words.write(`event.asked.${key}`, { hand, ...costs }, this.game);
    return el('article', { class: 'decision' },
      el('h3', {}, this.t('decision', { number: step + 1 }), ' ', el('span', {}, asked)),
      el('div', { class: 'hands small' }, ...inOrderOfPlay(zones)
        .map(([zone, cards]) => this.hand(zone, cards))),
      el('div', { class: 'wide' }, this.table(this.t('options', { cents: unit_cents }), heads,
        rows)));
  }

  decisions() {
    const { settled, data } = this.examined;
    if (!settled) return null;
    const { questions } = settled;
    const lead = questions.length === 0 ? this.t('no-decisions') : data.values
      ? this.t('values-help') : this.t('no-values');
    return this.section('decisions', el('p', {}, lead),
      ...questions.map((question, step) => this.decision(question, step)));
  }

  settlement() {
    const { settled } = this.examined;
    if (!settled) return null;
    const { lines } = settled; // as computed here, not as in the file
    const sum = (/** @type {'staked_cents' | 'returned_cents'} */ name) =>
      lines.reduce((total, line) => total + line[name], 0);
    const [staked, returned] = [sum('staked_cents'), sum('returned_cents')];
    const cells = (/** @type {Node} */ name, /** @type {number} */ put,
      /** @type {number} */ back) =>
      [name, this.words.money(put), this.words.money(back), this.words.signed(back - put)];
    const rows = lines.map(({ bet, staked_cents, returned_cents, outcome, capped }) => {
      const result = this.words.write(`outcome.${outcome}`)
        + (capped ? ` (${this.t('capped')})` : '');
      const name = el('span', { class: 'option' }, this.word('bet', bet),
        el('em', { class: outcome }, result));
      return { kind: outcome, cells: cells(name, staked_cents, returned_cents) };
    });
    rows.push({ kind: 'total', cells: cells(el('span', {}, this.t('total')), staked, returned) });
    const { void_reason, answers } = this.proof;
    const told = [void_reason && this.words.write(`why.${void_reason}`),
      answers.some((/** @type {unknown} */ answer) => Number.isInteger(answer))
        && this.t('pot')].filter(Boolean);
    const { reversal } = this.examined.data.house;
    return this.section('settlement', el('div', { class: 'wide' }, this.table(this.t('ledger'),
      ['bet', 'staked', 'returned', 'net'].map((head) => this.t(`head.${head}`)), rows)),
    ...told.map((text) => el('p', {}, text.charAt(0).toUpperCase() + text.slice(1)
      .replace(/[^.]$/, '$&.'))),
    reversal && el('p', { class: 'wrong' }, this.words.write('certificate.reversed', reversal)));
  }

  deal() {
    const dealt = new Set(Object.values(this.examined.settled?.zones ?? {}).flat());
    const deck = Array.isArray(this.proof.deck) ? this.proof.deck.map(String) : [];
    return this.section('deal', el('dl', {}, ...FIELDS.flatMap((field) =>
      [el('dt', {}, this.t(`field.${field}`)),
        el('dd', {}, el('code', {}, String(this.proof[field])))])),
    el('p', {}, this.t('deal-help')),
    el('ol', { class: 'deck' }, ...deck.map((/** @type {string} */ card) =>
      el('li', { class: dealt.has(card) ? 'dealt' : '' }, this.card(card)))));
  }

  limits() {
    const says = ['promised', 'forged', 'program', ...(this.examined.data?.values ? ['coach'] : []),
      'date'];
    const file = el('a', { download: 'round.json', class: 'act',
      href: URL.createObjectURL(new Blob([JSON.stringify(this.proof)],
      { type: 'application/json' })) }, this.t('save'));
    const paper = el('button', { type: 'button', class: 'act' }, this.t('print'));
    paper.addEventListener('click', () => print());
    return this.section('limits',
      el('ul', {}, ...says.map((each) => el('li', {}, this.t(`limit.${each}`)))),
      el('p', { class: 'acts' }, file, paper));
  }

  head() {
    const at = this.examined.data?.house?.opened_at;
    const when = at ? new Date(at).toLocaleString(`${this.words.language}-CA`,
      { dateStyle: 'long', timeStyle: 'short' }) : '';
    const title = this.words.find('title', this.game) ?? this.game;
    document.title = `${this.t('title')} · ${title} · ${String(this.proof.round_id).slice(0, 8)}`;
    return el('header', {}, el('p', { class: 'brand' }, '♠\uFE0E Tapis Vert'),
      el('h1', {}, this.t('title')),
      el('p', { class: 'which' }, el('strong', {}, title), when && el('time', { datetime: at },
        when), el('code', {}, String(this.proof.round_id))));
  }

  /** Render each part separately: one that fails is false and must not hide others. */
  draw() {
    const names = /** @type {const} */ (['cards', 'decisions', 'settlement', 'deal', 'limits']);
    const drawn = names.map((name) => {
      try { return this[name]() ?? ''; } catch { return el('p', { class: 'wrong' },
        this.t('undrawn')); }
    });
    return [this.head(), this.verdict(), this.checks(), ...drawn];
  }
}

/**
 * Examine the data of this page, and draw it. Without a page there is nothing to do.
 * @param {(text: string) => Promise<Examined>} examine by the rules of the certificate's game
 */
export async function start(examine) {
  if (!globalThis.document) return undefined;
  const text = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? '';
  const words = new Words(document.documentElement.lang, JSON.parse(text('words')));
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  if (!globalThis.crypto?.subtle)
    return main.replaceChildren(el('p', { class: 'wrong' }, words.write('verifier.no-crypto')));
  const page = new Page(words, await examine(text('certificate')));
  main.replaceChildren(...page.draw());
  main.dataset.verdict = String(page.examined.true);
  return undefined;
}
