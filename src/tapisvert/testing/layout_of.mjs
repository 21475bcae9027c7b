// Print what a game's layout names: its bets, and the zones of its rows. What the module imports is
// of no matter here: every import stands for anything.
import { readFileSync } from 'node:fs';

const ANYTHING = `const anything = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything, construct: () => anything });`;
const source = readFileSync(process.argv[2], 'utf8').replace(
  /^import\s*\{([^}]*)\}\s*from\s*'[^']*';/gm,
  (_, names) => names.split(',').map((name) => name.trim().split(/\s+as\s+/).pop())
    .filter(Boolean).map((name) => `const ${name} = anything;`).join(' '));
const url = `data:text/javascript,${encodeURIComponent(`${ANYTHING}\n${source}`)}`;
const { default: layout } = await import(url);
if (!Array.isArray(layout?.rows) || !Array.isArray(layout.bets)) {
  throw new TypeError('layout.js must export { rows: [...], bets: [...] } by default');
}
const zones = layout.rows.flat(Infinity).map((zone) => zone.id);
process.stdout.write(JSON.stringify({ bets: layout.bets, zones }));
