// Deal again: the facts of a deal to a line; its commitment and its deck come back.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { commitment, deal } = await import(pathToFileURL(process.argv[2]).href);
for await (const line of createInterface({ input: process.stdin })) {
  const { cards, ...facts } = JSON.parse(line);
  const { deck } = await deal(facts, cards);
  process.stdout.write(`${await commitment(facts.server_seed)} ${deck.join(' ')}\n`);
}
