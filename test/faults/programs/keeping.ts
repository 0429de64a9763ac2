/**
 * A console that keeps all evidence for offline until it is killed: the real core on the real adapters. It says on
 * standard output, as JSON lines:
 *
 *   ["has", cids]      what was verified and stored when the vault was open
 *   ["stored", cid]    one more is
 *   ["all"]            nothing is missing
 *
 * Arguments: data folder, deployment file. The first line of standard input holds the credentials.
 */
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { acknowledge, ask } from '../../support/console.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import { cheapHasher } from '../../support/ports.ts';

const say = (line: readonly unknown[]): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const [dataDir = '', deployment = ''] = process.argv.slice(2);
const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string];
const credentials = JSON.parse(line) as { readonly username: string; readonly password: string };

const { console } = await openNodeConsole({
  dataDir,
  deployment,
  logLevel: 'debug',
  // Hundreds of starts: the shipped cost of a password is proven elsewhere.
  change: () => ({ hasher: cheapHasher }),
});

let isLoaded = false;
acknowledge(console, ({ slices: { contents } }) => {
  if ((contents?.revision ?? 0) > 0) isLoaded = true;
});
await ask(console, 'signIn', credentials);

const stored = new Set<string>();
async function look(): Promise<{ readonly fresh: string[]; readonly missing: number }> {
  const fresh: string[] = [];
  let missing = 0;
  for (let from = 0; ; from += 200) {
    const { items, total } = await ask(console, 'readEvidence', { incidentId: null, from, count: 200 });
    for (const { cid, content } of items) {
      if (cid === null || content === null) continue;
      if (content.state !== 'verified') missing += 1;
      else if (!stored.has(cid)) fresh.push(cid);
    }
    if (from + 200 >= total) break;
  }
  for (const cid of fresh) stored.add(cid);
  return { fresh, missing };
}

for (;;) {
  const { items } = await ask(console, 'readEvidence', { incidentId: null, from: 0, count: 1 });
  if (isLoaded && items.length > 0) break;
  await pause(5);
}
say(['has', (await look()).fresh]);
await ask(console, 'keepContent', { of: { kind: 'list' }, kept: true });
for (;;) {
  const { fresh, missing } = await look();
  for (const cid of fresh) say(['stored', cid]);
  if (missing === 0) say(['all']);
  await pause(missing === 0 ? 1_000 : 5);
}
