/**
 * A console that adds notes until it is killed: the real core on the real adapters. It says on standard
 * output, as JSON lines:
 *
 *   ["kept", texts]   signed in; the notes that were there
 *   ["noted", text]   the console answered that this note is kept
 *
 * Arguments: data folder, deployment file. The first line of standard input holds the credentials and the name that
 * its notes begin with.
 */
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { VerbRequest } from '../../../src-preload/contract/index.ts';
import { ask } from '../../support/console.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import { cheapHasher } from '../../support/ports.ts';

const say = (line: readonly unknown[]): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const [dataDir = '', deployment = ''] = process.argv.slice(2);
const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string];
const { credentials, name } = JSON.parse(line) as {
  readonly credentials: VerbRequest<'signIn'>;
  readonly name: string;
};

const { console } = await openNodeConsole({
  dataDir,
  deployment,
  logLevel: 'debug',
  // Hundreds of starts: the shipped cost of a password is proven elsewhere.
  change: () => ({ hasher: cheapHasher }),
});

await ask(console, 'signIn', credentials);
const kept: string[] = [];
for (let from = 0; ; from += 200) {
  const { notes } = await ask(console, 'readNotes', { incidentId: null, from, count: 200 });
  kept.push(...notes.map(({ text }) => text));
  if (notes.length < 200) break;
}
say(['kept', kept]);
for (let round = 0; ; round += 1) {
  const incidentId = `inc-${String(round % 7)}`;
  // Several at a time, as pages may ask.
  await Promise.all(
    ['a', 'b', 'c'].map(async (part) => {
      const text = `canary-note ${name} ${String(round)} ${part}`;
      await ask(console, 'addNote', { incidentId, text });
      say(['noted', text]);
    }),
  );
}
