// Run a certificate's own program without a page: a text to a line as JSON; what it finds false comes back.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const page = readFileSync(process.argv[2], 'utf8');
const [, program] = /<script type="module">([^]*)<\/script>/.exec(page);
const exported = `${program}\nexport default bundledModules;`;
const { default: modules } = await import(`data:text/javascript,${encodeURIComponent(exported)}`);
const { examine } = modules['certificate/main.js'];
for await (const line of createInterface({ input: process.stdin })) {
  const { true: holds, parts } = await examine(JSON.parse(line));
  const wrong = parts.filter(({ ok }) => ok === false);
  const fields = wrong.flatMap(({ notes }) => notes.map(({ field, bet }) => (bet ? `${bet}.${field}` : field)));
  process.stdout.write(`${JSON.stringify({ true: holds, false: wrong.map(({ id }) => id), fields })}\n`);
}
