/**
 * A console that queues files and sends them until it is killed: the real core on the real adapters.
 * It says on standard output, as JSON lines:
 *
 *   ["open"]            signed in, the vault open
 *   ["rows", rows]      the outbox at the start: id and code of the failure of each, in its order
 *   ["begun", id]       the console answered that a file is announced
 *   ["copying"]         the file that never comes to its end is being copied
 *   ["gone", id]        one that is about to be taken off the list
 *   ["queued", name]    the console answered that the whole file is in its outbox
 *   ["state", counts]   how many uploads are in which state, after every change
 *
 * Arguments: data folder, deployment file, start and rate of the hasty clock. The first line of
 * standard input holds the credentials and the files to queue, whose bytes follow from their names.
 */
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../../src-main/core/scopes/app.ts';
import type { Upload } from '../../../src-preload/contract/index.ts';
import { acknowledge, ask } from '../../support/console.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import { said } from '../../support/messages.ts';
import { cheapHasher } from '../../support/ports.ts';
import { createHastyClock } from '../support/hastyClock.ts';
import { fileBytes, type UploadTask } from '../support/uploadFiles.ts';

const say = (line: readonly unknown[]): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const [dataDir = '', deployment = '', start = '', rate = ''] = process.argv.slice(2);
const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string];
const task = JSON.parse(line) as UploadTask;

const { console } = await openNodeConsole({
  dataDir,
  deployment,
  logLevel: 'debug',
  // Hundreds of starts: the shipped cost of a password is proven elsewhere.
  change: () => ({ hasher: cheapHasher, clock: createHastyClock(Number(start), Number(rate)) }),
});

acknowledge(console, ({ slices: { outbox } }) => {
  if (outbox?.available) say(['state', outbox.counts]);
});

// Passwords whose check was cut by a kill count as wrong ones, as a power cut must give no free guess: the third of them
// in a row has to wait, and an operator signs in again.
let signedIn = await console.call('signIn', task.credentials);
while (!signedIn.ok && signedIn.failure.code === 'throttled') {
  await pause(50);
  signedIn = await console.call('signIn', task.credentials);
}
if (!signedIn.ok) throw new Error(`signIn: ${signedIn.failure.code}: ${said(signedIn.failure.sentence)}`);
say(['open']);
say(['rows', await allRows()]);
await Promise.all([
  ...(task.unending === undefined ? [] : [queue(console, task.unending, true)]),
  ...task.files.map((name) => queue(console, name)),
]);

async function allRows(): Promise<(readonly [id: string, code: string | null])[]> {
  const rows: (readonly [string, string | null])[] = [];
  for (;;) {
    const { items, total } = await ask(console, 'readUploads', { from: rows.length, count: 200 });
    for (const { id, failure } of items) rows.push([id, failure?.code ?? null]);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

async function find(id: string): Promise<Upload | undefined> {
  const { items } = await ask(console, 'readUploads', { from: 0, count: 200 });
  return items.find((item) => item.id === id);
}

async function queue(to: App, name: string, unending = false): Promise<void> {
  const bytes = fileBytes(name);
  const { uploadId } = await ask(console, 'beginUpload', {
    fileName: name,
    bytes: bytes.byteLength,
    incidentId: null,
  });
  say(['begun', uploadId]);
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.byteLength; from += 16_384) {
      yield await Promise.resolve(bytes.subarray(from, from + 16_384));
      if (unending) {
        say(['copying']);
        await new Promise(() => undefined);
      }
    }
  }
  const answer = await to.bytes.spool(uploadId, body());
  if (answer !== 'kept') throw new Error(`${name} was not taken: ${answer}`);
  // A life before this one took the file and was killed before it could say so.
  const item = await find(uploadId);
  if (item?.decision === 'same-bytes') {
    say(['gone', uploadId]);
    await ask(console, 'discardUpload', { id: uploadId, state: 'needs-decision' });
  }
  say(['queued', name]);
}
