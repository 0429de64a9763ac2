import { DeploymentScope } from '../../../src-main/core/scopes/deployment.ts';
import { readDeployment } from '../../../src-main/core/features/deployments/schema.ts';
import { RequestJournal } from '../../../src-main/core/features/diagnostics/requestJournal.ts';
import { noPolicy } from '../../../src-main/core/features/policy/policy.ts';
import type { ConsoleStore } from '../../../src-main/core/state/consoleStore.ts';
import { createFeatureRig } from '../../core/featureRig.ts';
import { createTestStore } from '../../core/state/storeFixtures.ts';
import { createTestPorts } from '../../support/ports.ts';
import { createVirtualWorld } from '../../support/virtualWorld.ts';
import { credentials, ZooApi, type AskedList } from '../../support/zoo/api.ts';
import { ZooService } from '../../support/zoo/service.ts';
import type { Traits } from '../../support/zoo/traits.ts';
import { VirtualWire } from '../../support/zoo/wire.ts';

/** As short as the review's, so that a round over all windows takes two minutes. */
export const intervalMs = 3_000;
export const requestsPerMinute = 1_200;

/** The wires of this process's consoles, by the origin of their service. */
export const wires = new Map<string, VirtualWire>();
let opened = 0;

/** The real core of one deployment, an operator signed in, on a service of the zoo; all of it on virtual time. */
export interface ZooConsole {
  readonly service: ZooService;
  readonly store: ConsoleStore;
  /** True time of the start, Unix milliseconds. */
  readonly start: number;
  /** Milliseconds after the start. */
  now(): number;
  /** All lists so far. */
  readonly lists: readonly AskedList[];
  /** The incidents that alarms named so far. */
  alarmed(): Promise<ReadonlySet<string>>;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function openZooConsole(traits: Traits): Promise<ZooConsole> {
  const ports = createTestPorts({ seed: traits.seed });
  const { clock } = ports;
  const [begun, start] = [clock.elapsed(), clock.wallNow()];
  const now = (): number => clock.elapsed() - begun;
  const service = new ZooService(traits, start);
  const lists: AskedList[] = [];
  const api = new ZooApi(service, now, (asked) => lists.push(asked));
  const origin = `http://127.0.0.1:${String(10_000 + (opened += 1))}`;
  wires.set(origin, new VirtualWire(clock, (request) => api.answer(request)));
  const store = createTestStore();
  const reading = readDeployment({
    ...{ version: 1, id: 'zoo', name: 'Zoo', infrastructureUrl: origin, coordinationUrl: origin },
    pollIntervals: { incidentsMs: intervalMs, healthMs: 60_000 },
    sync: { requestsPerMinute },
  });
  if (!reading.valid) throw new Error('The deployment is not valid');
  const scope = new DeploymentScope({
    app: { ...createFeatureRig({ ports, store }), policy: { ...noPolicy, evidencePreview: false } },
    ...{ deployment: reading.deployment, ca: null, kept: false },
    journal: new RequestJournal(),
    forgetAfterMs: 8 * 3_600_000,
    endedBefore: null,
  });
  const world = createVirtualWorld({ clock, held: () => 0 });
  scope.start();
  const signedIn = scope.link.session.signIn(credentials.username, credentials.password);
  await world.advance(1_000);
  const answer = await signedIn;
  if (!answer.ok) throw new Error(`Sign-in failed: ${answer.failure.code}`);
  const alarmed = new Set<string>();
  return {
    service,
    store,
    start,
    now,
    lists,
    async alarmed() {
      const { active, past } = store.slice('alarms');
      for (const { id } of [...active, ...past]) {
        const members = await scope.account?.verbs.readAlarmIncidents({ id });
        if (members?.ok) for (const member of members.value.ids) alarmed.add(member);
      }
      return alarmed;
    },
    advance: (ms) => world.advance(ms),
    async close() {
      await scope.close();
      world.close();
      wires.delete(origin);
    },
  };
}
