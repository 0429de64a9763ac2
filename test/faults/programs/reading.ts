/**
 * A console that reads what it is told to: the real core on the real adapters and the real clock.
 * Standard input gives the credentials, then one operation on each line; after each it says on standard
 * output, as a JSON line, what came of it (`Read`).
 *
 * Arguments: data folder, deployment file.
 */
import process from 'node:process';
import { createInterface } from 'node:readline';
import { acknowledge } from '../../support/console.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import { cheapHasher } from '../../support/ports.ts';

export type ReadOperation =
  | 'signIn'
  | 'signOut'
  | 'refreshIncidents'
  | 'refreshEvidence'
  | 'refreshMissions'
  | 'checkHealth';

export interface Read {
  /** `ok`, or the failure's code. */
  readonly outcome: string;
  /** The most memory that the process has had resident so far, bytes. */
  readonly peak: number;
  /** The longest turn of its event loop in this operation: processor time of the main thread, milliseconds. */
  readonly block: number;
}

const [dataDir = '', deployment = ''] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
const credentials = JSON.parse(String(first.value)) as {
  readonly username: string;
  readonly password: string;
};

const { console } = await openNodeConsole({
  dataDir,
  deployment,
  logLevel: 'error',
  change: () => ({ hasher: cheapHasher }),
});
// A page takes part, as what it is sent costs memory and time too.
acknowledge(console);

// Not by the time of day: on a busy machine a turn may wait for its processor for longer than it works.
/** A turn is measured to about as many milliseconds. */
const lookEveryMs = 5;
let longest = 0;
let used = process.threadCpuUsage();
function lookAtTurn(): void {
  const now = process.threadCpuUsage();
  longest = Math.max(longest, (now.user - used.user + now.system - used.system) / 1_000);
  used = now;
  // Immediates would make turn after turn, and take a core for the whole campaign.
  setTimeout(lookAtTurn, lookEveryMs);
}
lookAtTurn();

for await (const line of { [Symbol.asyncIterator]: () => lines }) {
  const operation = line as ReadOperation;
  longest = 0;
  const result =
    operation === 'signIn' ? await console.call('signIn', credentials) : await console.call(operation, {});
  const read: Read = {
    outcome: result.ok ? 'ok' : result.failure.code,
    peak: process.resourceUsage().maxRSS * 1024,
    block: longest,
  };
  process.stdout.write(`${JSON.stringify(read)}\n`);
}
process.exit(0);
