/** A round, settled again: written from the rules and not from the house's scripts, so that two programs which share
 * nothing must agree. Every figure is read from the sheet. */
import { blackjack } from './blackjack.js';
import { casinoStud } from './casino-stud.js';
import { highCardFlush } from './high-card-flush.js';
import { paiGow } from './pai-gow.js';
import { Table, refuse } from './table.js';
import { ultimate } from './ultimate.js';
const GAMES = new Map(Object.entries({ 'pai-gow': paiGow, 'casino-stud': casinoStud, 'high-card-flush': highCardFlush, blackjack, ultimate }));

/** Play a finished round again with its recorded answers; refuse what the rules do not allow. @param {any} round as in round.json */
export function settle(round) {
  const table = new Table(round);
  try {
    GAMES.get(round.game)?.(table);
    if (table.answers.length) refuse('answers', table.answers[0]); // nobody asked
    if (round.void_reason) refuse('void_reason', round.void_reason); // it was over: nothing could be broken off
  } catch (error) { // a round that was broken off ends at a question
    if (!round.void_reason || /** @type {any} */ (error).field !== 'unfinished') throw error;
  }
  return { lines: table.lines(), zones: table.seen(), questions: table.questions, names: table.names };
}
