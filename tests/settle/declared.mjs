// What the settlement of a game says of itself, apart from its play, as one line of JSON.
import { pathToFileURL } from 'node:url';

const { default: settlement } = await import(pathToFileURL(process.argv[2]).href);
process.stdout.write(`${JSON.stringify({ equals: {}, ...settlement })}\n`);
