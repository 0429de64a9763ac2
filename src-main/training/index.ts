import { randomBytes, randomInt } from 'node:crypto';
import { trainingSwitchesSchema, type TrainingSwitches } from '../../src-preload/contract/index.ts';
import { Accounts } from './accounts.ts';
import type { TrainingAnswer } from './answer.ts';
import { ApiServer } from './apiServer.ts';
import { FaultPlan } from './faultPlan.ts';
import { TrainingGateway } from './gateway.ts';
import { IdempotencyCache } from './idempotency.ts';
import type { IntegrationStates } from './integrations.ts';
import { coordinationRoutes, infrastructureRoutes } from './routes.ts';
import { initialSwitches } from './switches.ts';
import { Tally } from './tally.ts';
import type { HealthFields, TrainingOptions, TrainingServer } from './trainingServer.ts';
import { createWorld } from './world.ts';

export type { WireIncident } from './incident.ts';
export type { RequestFault } from './faultKinds.ts';
export type { TrainingOptions, TrainingServer } from './trainingServer.ts';
export { initialSwitches } from './switches.ts';

/**
 * Starts both APIs of the interface on loopback, with made-up credentials.
 *
 * Rejects when a port is taken or a switch is out of its range.
 */
export async function startTraining(options: TrainingOptions): Promise<TrainingServer> {
  const { clock, seed = randomInt(2 ** 32), now = () => clock.wallNow() } = options;
  const bytes = (length: number): Uint8Array => options.random?.bytes(length) ?? randomBytes(length);
  let switches = trainingSwitchesSchema.parse({ ...initialSwitches, ...options.switches });

  const world = createWorld({ ...options, seed, now, eventStream: () => switches.eventStream });
  const { shelf, evidence, missions, events, script, fleet, exercise, integrations } = world;
  const accounts = new Accounts({ bytes });
  const tally = new Tally();
  const faults = new FaultPlan(() => switches);
  const shared = {
    clock,
    bytes,
    serverNow: () => now() + switches.clockOffsetMs,
    switches: () => switches,
    takeFault: (path: string) => faults.take(path),
    accountOf: (authorization: string | undefined, access: 'bearer' | 'upload') => {
      const token = /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1];
      return token === undefined ? null : accounts.holderOf(token, access, now());
    },
    idempotency: new IdempotencyCache<TrainingAnswer>(() => clock.elapsed()),
    tally,
  };
  const servers = [
    new ApiServer({
      ...shared,
      routes: infrastructureRoutes(world, accounts, now),
      port: options.listen?.infrastructurePort ?? 0,
    }),
    new ApiServer({
      ...shared,
      routes: coordinationRoutes(world),
      port: options.listen?.coordinationPort ?? 0,
    }),
  ] as const;
  const [infrastructure, coordination] = servers;
  const gateway = new TrainingGateway({
    clock,
    switches: () => switches,
    find: (cid) => evidence.file(cid),
    port: options.listen?.gatewayPort ?? 0,
  });
  let down = false;

  const apply = async (before: TrainingSwitches | null): Promise<void> => {
    if (switches.accountRevoked) {
      accounts.revokeTokens();
      events.end();
    }
    if (before?.arrivals !== switches.arrivals) {
      script.setArrivals(switches.arrivals);
      fleet.set(switches.arrivals);
      exercise?.set(switches.arrivals);
    }
    if (before?.integrationScript !== switches.integrationScript) {
      script.setIntegrations(switches.integrationScript);
    }
    events.modeChanged();
    // Ports are found by opening; a service that starts refused opens once and shuts.
    const refused = down || switches.fault === 'refuse';
    const all = [...servers, gateway];
    if (before === null || !refused) await Promise.all(all.map((server) => server.open()));
    if (refused) for (const server of all) await server.shut();
  };
  const close = async (): Promise<void> => {
    script.close();
    fleet.set(false);
    exercise?.set(false);
    events.end();
    await Promise.all([...servers, gateway].map((server) => server.shut()));
  };
  let settled: Promise<void> = apply(null);
  /** One after another: a listener that is still closing cannot be opened. */
  const alone = (change: () => void): Promise<void> => {
    const next = settled
      .catch(() => undefined)
      .then(() => {
        const before = switches;
        change();
        return apply(before);
      });
    settled = next;
    return next;
  };
  try {
    await settled;
  } catch (error) {
    await close();
    throw error;
  }

  return {
    seed,
    infrastructureUrl: infrastructure.url,
    coordinationUrl: coordination.url,
    gatewayUrl: gateway.url,
    uploadToken: accounts.uploadToken,
    get credentials() {
      return accounts.credentials;
    },
    switches: () => switches,
    set: (change) =>
      alone(() => {
        switches = trainingSwitchesSchema.parse({ ...switches, ...change });
      }),
    get counts() {
      return tally.counts();
    },
    resetCounts: () => tally.reset(),
    addStray: (record) => {
      world.strays.push(JSON.stringify(record));
    },
    addIncident: (partial) => script.addIncident(partial),
    changeIncident: (id, change) => shelf.change(id, change),
    setIntegration: (field, value) => {
      if (field === 'status') integrations.setOverall(value as HealthFields['status']);
      else
        integrations.set(
          field as keyof IntegrationStates,
          value as IntegrationStates[keyof IntegrationStates],
        );
    },
    failNext: (count, fault, path) => faults.add(count, fault, path ?? null),
    issuedTokens: () => accounts.tokens(),
    revokeTokens: () => accounts.revokeTokens(),
    changePassword: () => accounts.changePassword(),
    changeCredentials: (credentials) => accounts.changeCredentials(credentials),
    incidents: () => shelf.all(),
    health: () => integrations.report(),
    uploads: () => world.storage.uploads(),
    decisions: () => missions.decisions(),
    evidence: () => evidence.all(),
    addEvidence: (partial) => evidence.add(partial),
    missions: () => missions.all(),
    addMission: (partial) => missions.add(partial),
    emitEvent: ({ kind, data, id }) => events.publish(kind ?? null, data, id),
    get eventStreams() {
      return events.streams;
    },
    get held() {
      return infrastructure.held + coordination.held;
    },
    cutConnections: async () => {
      for (const server of servers) await server.cut();
    },
    strandConnections: () => {
      for (const server of servers) server.strand();
    },
    goDown: () =>
      alone(() => {
        down = true;
        accounts.revokeTokens();
      }),
    comeUp: () =>
      alone(() => {
        down = false;
      }),
    close: async () => {
      await settled.catch(() => undefined);
      await close();
    },
  };
}
