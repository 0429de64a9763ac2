import type {
  ConsoleState,
  PageFacts,
  Result,
  SelfTestStep,
} from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { BasePorts, Clock } from '../../base/ports.ts';
import type { Answer, ApiName } from '../../service/transport/request.ts';
import { keysOf, newDataKeys, sealRecord, unsealRecord, type DataKeys } from '../../vault/seal.ts';
import type { AppContext } from '../context.ts';
import { durationText } from './factMessages.ts';
import { costText } from './vaultFacts.ts';

/** The result of a check: a sentence with its outcome. */
export interface Finding {
  readonly outcome: 'passed' | 'failed' | 'not-run';
  readonly detail: Message;
}

export interface Check {
  readonly id: string;
  readonly name: Message;
  /** May reject: the check then fails with the kind of the error. */
  run(): Promise<Finding> | Finding;
}

/** One request to an API of the deployment in use; null when there is none. */
export type Probe = (api: ApiName) => Promise<Result<Answer>> | null;

const passed = (detail: Message): Finding => ({ outcome: 'passed', detail });
const broken = (detail: Message): Finding => ({ outcome: 'failed', detail });
const notRun = (detail: Message): Finding => ({ outcome: 'not-run', detail });

/** With less than this, an upload, a map or a cache may soon fail. */
const leastFreeBytes = 500_000_000;
/** With a larger difference certificates may be refused, and times on the screen mislead. */
const mostSkewMs = 5 * 60_000;

/** Every step of the self-test, in the order of the page. */
export const checksOf = (app: AppContext, probe: Probe, page: PageFacts): readonly Check[] => [
  ...diskChecks(app),
  ...cryptographyChecks(app.ports),
  ...machineChecks(app, page),
  serviceCheck(app, probe, 'infrastructure'),
  serviceCheck(app, probe, 'coordination'),
  { id: 'events', name: message('selfTest.name.events'), run: () => checkEvents(app.store.slice('events')) },
];

const newKeys = ({ random }: BasePorts): DataKeys => newDataKeys((length) => random.bytes(length));

function diskChecks({ ports, store, serverNow }: AppContext): Check[] {
  const { diagnostics: tools, maps, random } = ports;
  return [
    {
      id: 'data-folder',
      name: message('selfTest.name.dataFolder'),
      run: async () => {
        await tools.writeProbe();
        return passed(message('selfTest.written'));
      },
    },
    {
      id: 'disk-space',
      name: message('selfTest.name.diskSpace'),
      run: async () => {
        const { free } = await tools.folder();
        if (free === null) return notRun(message('selfTest.freeUnknown'));
        return free < leastFreeBytes
          ? broken(message('selfTest.little', { freeBytes: free }))
          : passed(message('selfTest.free', { freeBytes: free }));
      },
    },
    {
      id: 'database',
      name: message('selfTest.name.database'),
      run: async () => {
        const keys = keysOf(newKeys(ports), Buffer.from(random.bytes(16)).toString('hex'));
        const journal = await tools.databaseProbe(keys, serverNow());
        return passed(message(`selfTest.database.${journal}`));
      },
    },
    {
      id: 'keeping',
      name: message('selfTest.name.keeping'),
      run: () => {
        const { keeping, problem } = store.slice('storage');
        if (problem) return broken(message('selfTest.memoryOnly', { code: problem.code }));
        return keeping === 'disk' ? passed(message('selfTest.kept')) : notRun(message('selfTest.noVault'));
      },
    },
    {
      id: 'maps',
      name: message('selfTest.name.maps'),
      run: async () => {
        const known = store.slice('maps').packages.length;
        const { size } = await maps.list();
        return size < known
          ? broken(message('selfTest.maps.some', { there: size, all: known }))
          : passed(message('selfTest.maps.all', { count: size }));
      },
    },
  ];
}

function cryptographyChecks(ports: BasePorts): Check[] {
  const { hasher, random } = ports;
  return [
    {
      id: 'sealed-record',
      name: message('selfTest.name.sealedRecord'),
      run: () => {
        const { records, identity } = keysOf(newKeys(ports), 'self-test');
        const place = { identity, table: 'blocks', row: '1' } as const;
        const sealed = sealRecord(records, Buffer.from('self-test'), place);
        const opened = unsealRecord(records, sealed, place)?.toString() === 'self-test';
        const elsewhere = unsealRecord(records, sealed, { ...place, row: '2' });
        if (!opened) return broken(message('selfTest.notOpened'));
        if (elsewhere !== null) return broken(message('selfTest.openedElsewhere'));
        return passed(message('selfTest.sealed'));
      },
    },
    {
      id: 'password-key',
      name: message('selfTest.name.passwordKey'),
      run: async () => {
        const password = Buffer.from(random.bytes(16)).toString('hex');
        const key = await hasher.derive(password, random.bytes(16), 32);
        key.fill(0);
        return passed(message('selfTest.keyMade', { cost: costText(hasher.cost) }));
      },
    },
  ];
}

function machineChecks({ ports, store }: AppContext, page: PageFacts): Check[] {
  return [
    {
      id: 'threads',
      name: message('selfTest.name.threads'),
      run: async () => {
        await ports.diagnostics.threadProbe();
        return passed(message('selfTest.threadAnswered'));
      },
    },
    {
      id: 'clock',
      name: message('selfTest.name.clock'),
      run: () => {
        const { skewMs, verified } = store.slice('time');
        if (skewMs === null || !verified) return notRun(message('selfTest.clock.unknown'));
        return Math.abs(skewMs) > mostSkewMs ? broken(saidOfSkew(skewMs)) : passed(saidOfSkew(skewMs));
      },
    },
    {
      id: 'webgl',
      name: message('selfTest.name.webgl'),
      run: () =>
        page.webgl === null
          ? broken(message('selfTest.webgl.none'))
          : passed(message('selfTest.webgl.by', { name: page.webgl })),
    },
  ];
}

const serviceCheck = ({ store }: AppContext, probe: Probe, api: ApiName): Check => ({
  id: `service-${api}`,
  name: message(`selfTest.name.${api}`),
  run: async () => {
    const asked = probe(api);
    if (asked === null) return notRun(message('selfTest.noDeployment'));
    const result = await asked;
    const { known, chosen } = store.slice('deployments');
    const deployment = known.find(({ id }) => id === chosen);
    const host =
      (api === 'infrastructure' ? deployment?.infrastructureHost : deployment?.coordinationHost) ?? api;
    if (result.ok) {
      return passed(message('selfTest.service.answered', { status: String(result.value.status), host }));
    }
    const { status, code } = result.failure;
    // An answer such as 401 or 404 shows that the service is reachable; a server error does not.
    if (status !== null && status < 500 && isAnswer(code)) {
      return passed(message('selfTest.service.there', { status: String(status), host }));
    }
    return broken(
      status === null
        ? message('selfTest.service.silent', { host, code })
        : message('selfTest.service.fault', { status: String(status), host, code }),
    );
  },
});

/** How far the computer's clock is from the service's. sections.ts says the same as text. */
function saidOfSkew(skewMs: number): Message {
  if (Math.abs(skewMs) < 1_000) return message('selfTest.clock.same');
  const span = durationText(skewMs);
  return skewMs > 0 ? message('selfTest.clock.ahead', { span }) : message('selfTest.clock.behind', { span });
}

const isAnswer = (code: string): boolean =>
  code !== 'answered-by-something-else' && code !== 'unreadable-answer' && code !== 'timed-out';

function checkEvents({ state, failure, received }: ConsoleState['events']): Finding {
  switch (state) {
    case 'open':
      return passed(message('selfTest.events.open', { count: received }));
    case 'connecting':
      return notRun(message('selfTest.events.connecting'));
    case 'waiting':
      return broken(
        failure === null
          ? message('selfTest.events.lostUnknown')
          : message('selfTest.events.lost', { code: failure.code }),
      );
    case 'off':
      return notRun(message('selfTest.events.off'));
  }
}

/** A step without an answer for this long has failed, milliseconds. */
const patienceMs = 30_000;

/** Runs the checks one after another, so that none slows down another's measurement. Never rejects. */
export async function runChecks(checks: readonly Check[], clock: Clock): Promise<SelfTestStep[]> {
  const steps: SelfTestStep[] = [];
  for (const check of checks) {
    const began = clock.elapsed();
    const { outcome, detail } = await found(check, clock);
    const milliseconds = Math.round(clock.elapsed() - began);
    const { id, name } = check;
    steps.push({ id, name, outcome, detail, milliseconds });
  }
  return steps;
}

async function found(check: Check, clock: Clock): Promise<Finding> {
  let cancel = (): void => undefined;
  const late = new Promise<Finding>((resolve) => {
    cancel = clock.schedule(patienceMs, () => {
      resolve({ outcome: 'failed', detail: message('selfTest.late', { count: patienceMs / 1_000 }) });
    });
  });
  try {
    return await Promise.race([Promise.resolve(check.run()), late]);
  } catch (error) {
    return { outcome: 'failed', detail: message('selfTest.failed', { kind: kindOf(error) }) };
  } finally {
    cancel();
  }
}

/** Only the kind of an error: messages hold paths of this computer. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('reason' in error && typeof error.reason === 'string') return error.reason;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
