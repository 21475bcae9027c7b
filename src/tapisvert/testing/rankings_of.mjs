// Print the hands that a game's help draws. The file lies in a tree like the one it is served from.
import { pathToFileURL } from 'node:url';

const { default: groups } = await import(pathToFileURL(process.argv[2]).href);
process.stdout.write(JSON.stringify(groups));
