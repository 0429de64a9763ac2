import type { ConsoleState, PageFacts, Result } from '../../../../src-preload/contract/index.ts';
import type { Answer, ApiName } from '../../service/transport/request.ts';
import type { MapFiles, PasswordHasher } from '../../base/ports.ts';
import { keysOf, sealRecord, unsealRecord } from '../../vault/seal.ts';
import { say, type Said } from '../../base/messages/message.ts';
import { durationText } from './factMessages.ts';
import type { DiagnosticTools } from './tools.ts';
import { costText } from './vaultFacts.ts';

/** What a check found: a sentence with its outcome. */
export interface Finding {
  readonly outcome: 'passed' | 'failed' | 'not-run';
  readonly detail: Said;
}

export interface Check {
  readonly id: string;
  readonly name: Said;
  /** May reject, which is a failure of the check with the error's kind. */
  run(): Promise<Finding> | Finding;
}

export interface CheckOptions {
  readonly tools: DiagnosticTools;
  readonly hasher: PasswordHasher;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly maps: Pick<MapFiles, 'list'>;
  readonly slice: <N extends keyof ConsoleState>(name: N) => ConsoleState[N];
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  /** One request to an API; null when no deployment is in use. */
  readonly probe: (api: ApiName) => Promise<Result<Answer>> | null;
}

const passed = (detail: Said): Finding => ({ outcome: 'passed', detail });
const broken = (detail: Said): Finding => ({ outcome: 'failed', detail });
const notRun = (detail: Said): Finding => ({ outcome: 'not-run', detail });

/** Under this an upload, a map or a cache may be the last that fits. */
const leastFreeBytes = 500_000_000;
/** Certificates are refused, and people misled, by a clock that is further off than this. */
const mostSkewMs = 5 * 60_000;

/** Every step of the self-test, in the order of the page. */
export const checksOf = (options: CheckOptions, page: PageFacts): readonly Check[] => [
  ...diskChecks(options),
  ...cryptographyChecks(options),
  ...machineChecks(options, page),
  serviceCheck(options, 'infrastructure'),
  serviceCheck(options, 'coordination'),
  { id: 'events', name: say('selfTest.name.events'), run: () => checkEvents(options.slice('events')) },
];

function diskChecks({ tools, randomBytes, now, maps, slice }: CheckOptions): Check[] {
  return [
    {
      id: 'data-folder',
      name: say('selfTest.name.dataFolder'),
      run: async () => {
        await tools.writeProbe();
        return passed(say('selfTest.written'));
      },
    },
    {
      id: 'disk-space',
      name: say('selfTest.name.diskSpace'),
      run: async () => {
        const { free } = await tools.folder();
        if (free === null) return notRun(say('selfTest.freeUnknown'));
        return free < leastFreeBytes
          ? broken(say('selfTest.little', { freeBytes: free }))
          : passed(say('selfTest.free', { freeBytes: free }));
      },
    },
    {
      id: 'database',
      name: say('selfTest.name.database'),
      run: async () => {
        const keys = keysOf(randomBytes(32), Buffer.from(randomBytes(16)).toString('hex'));
        const journal = await tools.databaseProbe(keys, now());
        return passed(say(`selfTest.database.${journal}`));
      },
    },
    {
      id: 'keeping',
      name: say('selfTest.name.keeping'),
      run: () => {
        const { keeping, problem } = slice('storage');
        if (problem) return broken(say('selfTest.memoryOnly', { code: problem.code }));
        return keeping === 'disk' ? passed(say('selfTest.kept')) : notRun(say('selfTest.noVault'));
      },
    },
    {
      id: 'maps',
      name: say('selfTest.name.maps'),
      run: async () => {
        const known = slice('maps').packages.length;
        const { size } = await maps.list();
        return size < known
          ? broken(say('selfTest.maps.some', { there: size, all: known }))
          : passed(say('selfTest.maps.all', { count: size }));
      },
    },
  ];
}

function cryptographyChecks({ hasher, randomBytes }: CheckOptions): Check[] {
  return [
    {
      id: 'sealed-record',
      name: say('selfTest.name.sealedRecord'),
      run: () => {
        const { records, identity } = keysOf(randomBytes(32), 'self-test');
        const place = { identity, table: 'blocks', row: '1' } as const;
        const sealed = sealRecord(records, Buffer.from('self-test'), place);
        const opened = unsealRecord(records, sealed, place)?.toString() === 'self-test';
        const elsewhere = unsealRecord(records, sealed, { ...place, row: '2' });
        if (!opened) return broken(say('selfTest.notOpened'));
        if (elsewhere !== null) return broken(say('selfTest.openedElsewhere'));
        return passed(say('selfTest.sealed'));
      },
    },
    {
      id: 'password-key',
      name: say('selfTest.name.passwordKey'),
      run: async () => {
        const password = Buffer.from(randomBytes(16)).toString('hex');
        const key = await hasher.derive(password, randomBytes(16), 32);
        key.fill(0);
        return passed(say('selfTest.keyMade', { cost: costText(hasher.cost) }));
      },
    },
  ];
}

function machineChecks({ tools, slice }: CheckOptions, page: PageFacts): Check[] {
  return [
    {
      id: 'threads',
      name: say('selfTest.name.threads'),
      run: async () => {
        await tools.threadProbe();
        return passed(say('selfTest.threadAnswered'));
      },
    },
    {
      id: 'clock',
      name: say('selfTest.name.clock'),
      run: () => {
        const { skewMs, verified } = slice('time');
        if (skewMs === null || !verified) return notRun(say('selfTest.clock.unknown'));
        return Math.abs(skewMs) > mostSkewMs ? broken(saidOfSkew(skewMs)) : passed(saidOfSkew(skewMs));
      },
    },
    {
      id: 'webgl',
      name: say('selfTest.name.webgl'),
      run: () =>
        page.webgl === null
          ? broken(say('selfTest.webgl.none'))
          : passed(say('selfTest.webgl.by', { name: page.webgl })),
    },
  ];
}

const serviceCheck = ({ probe, slice }: CheckOptions, api: ApiName): Check => ({
  id: `service-${api}`,
  name: say(`selfTest.name.${api}`),
  run: async () => {
    const asked = probe(api);
    if (asked === null) return notRun(say('selfTest.noDeployment'));
    const result = await asked;
    const { known, chosen } = slice('deployments');
    const deployment = known.find(({ id }) => id === chosen);
    const host =
      (api === 'infrastructure' ? deployment?.infrastructureHost : deployment?.coordinationHost) ?? api;
    if (result.ok) {
      return passed(say('selfTest.service.answered', { status: String(result.value.status), host }));
    }
    const { status, code } = result.failure;
    // Any word of the service's own, such as 401 or 404, shows that it is there; a fault does not.
    if (status !== null && status < 500 && isAnswer(code)) {
      return passed(say('selfTest.service.there', { status: String(status), host }));
    }
    return broken(
      status === null
        ? say('selfTest.service.silent', { host, code })
        : say('selfTest.service.fault', { status: String(status), host, code }),
    );
  },
});

/** How far the computer's clock is from the service's, as sections.ts says it too. */
function saidOfSkew(skewMs: number): Said {
  if (Math.abs(skewMs) < 1_000) return say('selfTest.clock.same');
  const span = durationText(skewMs);
  return skewMs > 0 ? say('selfTest.clock.ahead', { span }) : say('selfTest.clock.behind', { span });
}

const isAnswer = (code: string): boolean =>
  code !== 'answered-by-something-else' && code !== 'unreadable-answer' && code !== 'timed-out';

function checkEvents({ state, failure, received }: ConsoleState['events']): Finding {
  switch (state) {
    case 'open':
      return passed(say('selfTest.events.open', { count: received }));
    case 'connecting':
      return notRun(say('selfTest.events.connecting'));
    case 'waiting':
      return broken(
        failure === null
          ? say('selfTest.events.lostUnknown')
          : say('selfTest.events.lost', { code: failure.code }),
      );
    case 'off':
      return notRun(say('selfTest.events.off'));
  }
}
