/**
 * Settles a round a second time. It is written from the rules, not from the house's scripts, so
 * two independent programs must agree. Every figure is read from the sheet.
 */
import { Table, refuse } from './table.js';

/**
 * Replay a finished round with its recorded answers; refuse what the rules forbid.
 * @param {any} round as in round.json
 * @param {import('./table.js').Settlement} settlement of its game
 */
export function settle(round, settlement) {
  const table = new Table(round, settlement);
  try {
    settlement.play(table);
    if (table.answers.length) refuse('answers', table.answers[0]); // nobody asked
    // It was over: nothing could be broken off.
    if (round.void_reason) refuse('void_reason', round.void_reason);
  } catch (error) { // a round that was broken off ends at a question
    if (!round.void_reason || /** @type {any} */ (error).field !== 'unfinished') throw error;
  }
  return {
    lines: table.lines(), zones: table.seen(), questions: table.questions, names: table.names,
  };
}
