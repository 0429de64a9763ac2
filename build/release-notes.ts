/** Prints what CHANGELOG.md says of a version, for its release: `node build/release-notes.ts 0.3.0`. */
import { readFileSync } from 'node:fs';
import process from 'node:process';

const version = process.argv[2]?.replace(/^v/, '') ?? '';
const sections = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8').split(/^## /m);
const section = sections.find((one) => one.startsWith(`${version} - `));
if (section === undefined) {
  process.stderr.write(`CHANGELOG.md says nothing of version “${version}”.\n`);
  process.exit(1);
}
process.stdout.write(section.slice(section.indexOf('\n') + 1).trim() + '\n');
