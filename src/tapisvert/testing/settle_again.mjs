// Settle rounds again: a line of sheets, then a round to a line; the lines of the settlement (or
// another part of it, if one is named) come back, or what was refused. The folder is that of
// `browser_files.lay_out`.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , folder, part = 'lines'] = process.argv;
const load = (name) => import(pathToFileURL(`${folder}/${name}`).href);
const { settle } = await load('settle/settle.js');
const out = [];
let sheets;
for await (const line of createInterface({ input: process.stdin })) {
  if (sheets === undefined) { sheets = JSON.parse(line); continue; }
  const { sheet, deck, ...round } = JSON.parse(line);
  const { default: settlement } = await load(`games/${round.game}/settle.js`);
  try {
    const settled = settle({ ...round, sheet: sheets[sheet], deck: deck.split(' ') }, settlement);
    out.push(JSON.stringify(settled[part]));
  } catch (error) {
    if (!error.field) throw error;
    out.push(`refused ${error.field}`);
  }
}
process.stdout.write(out.map((line) => `${line}\n`).join(''));
