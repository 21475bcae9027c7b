// Settle rounds again: a line of sheets, then a round to a line; the lines of the settlement (or another part of it, if one is
// named) come back, or what was refused.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { settle } = await import(pathToFileURL(process.argv[2]).href);
const out = [];
let sheets;
for await (const line of createInterface({ input: process.stdin })) {
  if (sheets === undefined) { sheets = JSON.parse(line); continue; }
  const { sheet, deck, ...round } = JSON.parse(line);
  try {
    out.push(JSON.stringify(settle({ ...round, sheet: sheets[sheet], deck: deck.split(' ') })[process.argv[3] ?? 'lines']));
  } catch (error) {
    if (!error.field) throw error;
    out.push(`refused ${error.field}`);
  }
}
process.stdout.write(out.map((line) => `${line}\n`).join(''));
