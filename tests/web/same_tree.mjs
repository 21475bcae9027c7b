// Reads lines, each a JSON pair of modules, and writes for each whether both have the same syntax
// tree: esbuild writes a module from its tree, without comments.
import { createInterface } from 'node:readline';
import { transformSync } from 'esbuild';

const tree = (code) =>
  transformSync(code, { minifyWhitespace: true, legalComments: 'none' }).code;

for await (const line of createInterface({ input: process.stdin })) {
  const [one, other] = JSON.parse(line);
  console.log(JSON.stringify(tree(one) === tree(other)));
}
