/**
 * Checks a certificate: deals again, settles the round again, and compares every field with its
 * digest.
 * It reports what is false, and trusts no statement of the file about itself.
 *
 * @typedef {{field: string, expected?: unknown, found?: unknown, bet?: string,
 * place?: number}} Note what differs, as written and as found
 * @typedef {{id: string, ok: boolean | null, notes: Note[]}} Part `null`: could not be tried
 * @typedef {{step: number, unit_cents: number, options: Record<string, string>, best: string,
 * house_way: string | null}} Value
 * @typedef {import('./settle/table.js').Settlement} Settlement
 * @typedef {{true: boolean, parts: Part[], data: any, settled: ReturnType<typeof settle> |
 * null}} Examined
 */
import { check, read, sheetHash } from '../static/js/deal.js';
import { settle } from './settle/settle.js';

const FORMAT = 'tapisvert/certificate/1';
const PLACES_TOLD = 3;
const PARTS = ['commitment', 'deck', 'sheet', 'choices', 'settlement', 'values', 'written'];
// The part that is false when a field cannot be read.
const PART_OF = new Map(Object.entries({ server_seed: 'commitment', commitment: 'commitment',
  sheet: 'sheet', sheet_hash: 'sheet',
  deck: 'deck', game: 'deck', round_id: 'deck', client_seed: 'deck', stakes: 'choices',
    answers: 'choices', unfinished: 'choices',
  void_reason: 'choices' }));

class Findings {
  parts = new Map(PARTS.map((id) => [id, /** @type {Part} */ ({ id, ok: null, notes: [] })]));

  /** @param {string} id @returns {Part} */
  part(id) { return /** @type {Part} */ (this.parts.get(id)); }

  /** @param {string} id @param {boolean} ok @param {Note[]} notes */
  note(id, ok, ...notes) {
    const part = this.part(id);
    part.ok = ok && part.ok !== false;
    part.notes.push(...notes);
  }

  /** Something that was thrown names its field. @param {any} error @param {string} otherwise */
  thrown(error, otherwise) {
    const field = error.field ?? error.reason ?? otherwise;
    this.note(PART_OF.get(field) ?? 'written', false, { field, found: error.what });
  }
}

/** The places where two decks differ: the first few, and how many there are. @param {string[]} told
 * @param {string[]} dealt */
function elsewhere(told, dealt) {
  const places = dealt.flatMap((card, at) =>
    (card === told[at] ? [] : [{ field: 'deck', place: at + 1, expected: told[at], found: card }]));
  const rest = places.length - PLACES_TOLD;
  return rest > 0 ? [...places.slice(0, PLACES_TOLD), { field: 'more', found: rest }] : places;
}

/** The seed, the sheet and the order of the cards. @param {any} proof @param {number} cards
 * @param {Findings} findings */
async function examineDeal(proof, cards, findings) {
  try {
    const { steps } = await check(proof, cards);
    for (const { id, ok, expected, found } of steps) {
      const notes = id === 'deck' ? elsewhere(expected.split(' '), found.split(' ')) : [{ field: id,
        expected, found }];
      findings.note(id, ok, ...(ok ? [] : notes));
    }
  } catch (error) {
    findings.thrown(error, 'proof');
  }
}

/** The choices and what they led to. @param {any} proof @param {Settlement} settlement
 * @param {Findings} findings */
function examineRound(proof, settlement, findings) {
  try {
    if (!settlement.editions.includes(proof.edition))
      throw { field: 'edition', what: proof.edition };
    const settled = settle(proof, settlement);
    findings.note('choices', true);
    const names = /** @type {const} */ (['staked_cents', 'returned_cents', 'outcome', 'capped']);
    settled.lines.forEach((line, at) => {
      const told = proof.lines?.[at] ?? {};
      if (told.bet !== line.bet)
        findings.note('settlement', false, { field: 'bet', bet: line.bet, expected: told.bet,
        found: line.bet });
      else for (const field of names) if (told[field] !== line[field])
        findings.note('settlement', false, { field, bet: line.bet, expected: told[field],
          found: line[field] });
    });
    // Exact comparison: an extra line, or an extra field in one, is false.
    findings.note('settlement', JSON.stringify(proof.lines) === JSON.stringify(settled.lines));
    return settled;
  } catch (error) {
    findings.thrown(error, 'answers');
    return null;
  }
}

/** Values must belong to the questions asked; their amounts cannot be checked here.
 * @param {Value[] | null} values @param {Examined['settled']} settled @param {Findings} findings */
function examineValues(values, settled, findings) {
  if (values === null) return findings.parts.delete('values');
  if (!settled || !Array.isArray(values)) return findings.note('values', false,
    { field: 'values' });
  const fits = values.length === settled.questions.length
    && settled.questions.every(({ options, unit_cents }, step) => {
    const said = values[step], legal = options.filter((option) => option.legal).map(({ id }) => id);
    const worth = (/** @type {string} */ id) => Number(said.options?.[id]);
    return said?.step === step && said.unit_cents === unit_cents && Object.keys(said.options)
      .join() === legal.join()
      && legal.every((id) => Number.isFinite(worth(id)) && worth(id) <= worth(said.best))
      && (said.house_way === null || legal.includes(said.house_way));
  });
  return findings.note('values', fits, ...(fits ? [] : [{ field: 'values' }]));
}

/** Every field as it was written. @param {any} data @param {Findings} findings */
async function examineDigests(data, findings) {
  const { digests, proof, ...rest } = data;
  const fields = { ...rest, ...proof, 'round.json': Object.keys(proof).sort() };
  for (const field of new Set([...Object.keys(fields), ...Object.keys(digests ?? {})])) {
    const found = await sheetHash(fields[field] ?? null).catch(() => '');
    const ok = Object.hasOwn(fields, field) && found === digests?.[field];
    findings.note('written', ok, ...(ok ? [] : [{ field }]));
  }
}

/**
 * Examine the text of a certificate's data.
 * @param {string} text
 * @param {Settlement} settlement of the certificate's game
 * @param {number} cards how many its deck has
 * @returns {Promise<Examined>}
 */
export async function examine(text, settlement, cards) {
  const findings = new Findings();
  let [data, settled] = [/** @type {any} */ (null), /** @type {Examined['settled']} */ (null)];
  try {
    data = read(text);
    if (data?.format !== FORMAT || typeof data.proof !== 'object' || data.proof === null)
      throw { field: 'format' };
    await examineDeal(data.proof, cards, findings);
    settled = examineRound(data.proof, settlement, findings);
    examineValues(data.values, settled, findings);
    await examineDigests(data, findings);
  } catch (error) {
    findings.thrown(error, 'json');
  }
  const parts = [...findings.parts.values()];
  return { true: parts.every(({ ok }) => ok === true), parts, data, settled };
}
