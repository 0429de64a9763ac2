import type { ConsoleState, PageFacts, Result } from '../../../src-preload/contract/index.ts';
import type { Answer, ApiName } from '../api/request.ts';
import type { PasswordHasher, Ports } from '../ports.ts';
import { keysOf, sealRecord, unsealRecord } from '../vault/seal.ts';
import { bytesText } from './factWords.ts';
import { skewText } from './sections.ts';
import type { DiagnosticTools } from './tools.ts';
import { costText } from './vaultFacts.ts';

/** What a check found: a sentence with its outcome. */
export interface Finding {
  readonly outcome: 'passed' | 'failed' | 'not-run';
  readonly detail: string;
}

export interface Check {
  readonly id: string;
  readonly name: string;
  /** May reject, which is a failure of the check with the error's kind. */
  run(): Promise<Finding> | Finding;
}

export interface CheckOptions {
  readonly tools: DiagnosticTools;
  readonly hasher: PasswordHasher;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly maps: Pick<Ports['maps'], 'list'>;
  readonly slice: <N extends keyof ConsoleState>(name: N) => ConsoleState[N];
  /** Station time, Unix milliseconds. */
  readonly now: () => number;
  /** One request to an API; null when no deployment is in use. */
  readonly probe: (api: ApiName) => Promise<Result<Answer>> | null;
}

const passed = (detail: string): Finding => ({ outcome: 'passed', detail });
const broken = (detail: string): Finding => ({ outcome: 'failed', detail });
const notRun = (detail: string): Finding => ({ outcome: 'not-run', detail });

/** Under this an upload, a map or a cache may be the last that fits. */
const leastFreeBytes = 500_000_000;
/** Certificates are refused, and people misled, by a clock that is further off than this. */
const mostSkewMs = 5 * 60_000;

/** Every step of the self-test, in the order of the page. */
export const checksOf = (options: CheckOptions, page: PageFacts): readonly Check[] => [
  ...diskChecks(options),
  ...cryptographyChecks(options),
  ...machineChecks(options, page),
  serviceCheck(options, 'infrastructure', 'Infrastructure answers'),
  serviceCheck(options, 'coordination', 'Coordination answers'),
  { id: 'events', name: 'Live events', run: () => checkEvents(options.slice('events')) },
];

function diskChecks({ tools, randomBytes, now, maps, slice }: CheckOptions): Check[] {
  return [
    {
      id: 'data-folder',
      name: 'Data folder can be written',
      run: async () => {
        await tools.writeProbe();
        return passed('A file was written, brought to the disk, read again and removed.');
      },
    },
    {
      id: 'disk-space',
      name: 'Space on the disk',
      run: async () => {
        const { free } = await tools.folder();
        if (free === null) return notRun('This system does not say how much is free.');
        const text = `${bytesText(free) ?? ''} are free.`;
        return free < leastFreeBytes ? broken(`Only ${text}`) : passed(text);
      },
    },
    {
      id: 'database',
      name: 'SQLite in its thread',
      run: async () => {
        const keys = keysOf(randomBytes(32), Buffer.from(randomBytes(16)).toString('hex'));
        const journal = await tools.databaseProbe(keys, now());
        return passed(`A database was begun, written, read and removed, with a ${journal}.`);
      },
    },
    {
      id: 'keeping',
      name: 'What is known is kept',
      run: () => {
        const { keeping, problem } = slice('storage');
        if (problem) return broken(`It is kept in memory only (${problem.code}).`);
        return keeping === 'disk'
          ? passed('It is written to the open vault.')
          : notRun('No vault is open, so nothing is being kept.');
      },
    },
    {
      id: 'maps',
      name: 'Map packages can be read',
      run: async () => {
        const known = slice('maps').packages.length;
        const { size } = await maps.list();
        return size < known
          ? broken(`${String(size)} of ${String(known)} map files are there.`)
          : passed(`${String(size)} map files are there.`);
      },
    },
  ];
}

function cryptographyChecks({ hasher, randomBytes }: CheckOptions): Check[] {
  return [
    {
      id: 'sealed-record',
      name: 'Sealing and opening a record',
      run: () => {
        const { records, identity } = keysOf(randomBytes(32), 'self-test');
        const place = { identity, table: 'blocks', row: '1' } as const;
        const sealed = sealRecord(records, Buffer.from('self-test'), place);
        const opened = unsealRecord(records, sealed, place)?.toString() === 'self-test';
        const elsewhere = unsealRecord(records, sealed, { ...place, row: '2' });
        if (!opened) return broken('A sealed record did not open again.');
        if (elsewhere !== null) return broken('A sealed record opened in a place that is not its own.');
        return passed('A record sealed with AES-256-GCM opened in its place, and in no other.');
      },
    },
    {
      id: 'password-key',
      name: 'Making a key of a password',
      run: async () => {
        const password = Buffer.from(randomBytes(16)).toString('hex');
        const key = await hasher.derive(password, randomBytes(16), 32);
        key.fill(0);
        return passed(`One was made with ${costText(hasher.cost)}.`);
      },
    },
  ];
}

function machineChecks({ tools, slice }: CheckOptions, page: PageFacts): Check[] {
  return [
    {
      id: 'threads',
      name: 'Threads answer',
      run: async () => {
        await tools.threadProbe();
        return passed('A thread was started and answered.');
      },
    },
    {
      id: 'clock',
      name: 'Clock of this computer',
      run: () => {
        const { skewMs, verified } = slice('time');
        if (skewMs === null || !verified) return notRun('The service has not said yet what time it is.');
        const text = `It is ${skewText(skewMs)}.`;
        return Math.abs(skewMs) > mostSkewMs ? broken(text) : passed(text);
      },
    },
    {
      id: 'webgl',
      name: 'WebGL in the page',
      run: () =>
        page.webgl === null
          ? broken('The page has no WebGL, so the map cannot be drawn.')
          : passed(`It is drawn by ${page.webgl}.`),
    },
  ];
}

const serviceCheck = ({ probe, slice }: CheckOptions, api: ApiName, name: string): Check => ({
  id: `service-${api}`,
  name,
  run: async () => {
    const asked = probe(api);
    if (asked === null) return notRun('No deployment is in use.');
    const result = await asked;
    const { known, chosen } = slice('deployments');
    const deployment = known.find(({ id }) => id === chosen);
    const host = api === 'infrastructure' ? deployment?.infrastructureHost : deployment?.coordinationHost;
    const from = host === undefined ? '' : ` from ${host}`;
    if (result.ok) return passed(`Status ${String(result.value.status)} came${from}.`);
    const { status, code } = result.failure;
    // Any word of the service's own, such as 401 or 404, shows that it is there; a fault does not.
    if (status !== null && status < 500 && isAnswer(code)) {
      return passed(`Status ${String(status)} came${from}, so it is there.`);
    }
    return broken(
      status === null
        ? `No answer came${from} (${code}).`
        : `Status ${String(status)} came${from} (${code}).`,
    );
  },
});

const isAnswer = (code: string): boolean =>
  code !== 'answered-by-something-else' && code !== 'unreadable-answer' && code !== 'timed-out';

function checkEvents({ state, failure, received }: ConsoleState['events']): Finding {
  switch (state) {
    case 'open':
      return passed(`The stream is open; ${String(received)} events have come.`);
    case 'connecting':
      return notRun('The stream is being connected.');
    case 'waiting':
      return broken(`The stream was lost and is tried again (${failure?.code ?? 'no reason known'}).`);
    case 'off':
      return notRun('Nobody is signed in, or the deployment names no stream.');
  }
}
