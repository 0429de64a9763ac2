import { randomBytes, randomInt } from 'node:crypto';
import { trainingSwitchesSchema, type TrainingSwitches } from '../../src-preload/contract/index.ts';
import { SerialQueue } from '../core/base/queues.ts';
import { Accounts } from './accounts.ts';
import type { TrainingAnswer } from './answer.ts';
import { ApiServer } from './apiServer.ts';
import { FaultPlan } from './faultPlan.ts';
import { TrainingGateway } from './gateway.ts';
import { IdempotencyCache } from './idempotency.ts';
import type { IntegrationStates } from './integrations.ts';
import { coordinationRoutes, infrastructureRoutes } from './routes.ts';
import { Tally } from './tally.ts';
import {
  initialSwitches,
  type HealthFields,
  type TrainingOptions,
  type TrainingServer,
} from './trainingServer.ts';
import { createWorld, type World } from './world.ts';

export type { WireIncident } from './incident.ts';
export type { RequestFault } from './faultPlan.ts';
export type { TrainingOptions, TrainingServer } from './trainingServer.ts';
export { initialSwitches } from './trainingServer.ts';

/**
 * Starts both APIs of the interface on loopback, with made-up credentials.
 *
 * Rejects when a port is taken or a switch is out of its range.
 */
export async function startTraining(options: TrainingOptions): Promise<TrainingServer> {
  const service = new TrainingService(options);
  try {
    await service.opened;
  } catch (error) {
    await service.closeAll();
    throw error;
  }
  return controlsOf(service);
}

/** The training deployment: its world, its account, the servers of it, and the switches that change how they answer. */
class TrainingService {
  readonly seed: number;
  readonly world: World;
  readonly accounts: Accounts;
  readonly tally = new Tally();
  readonly faults: FaultPlan;
  readonly infrastructure: ApiServer;
  readonly coordination: ApiServer;
  readonly gateway: TrainingGateway;
  /** Settles when the servers listen. */
  readonly opened: Promise<void>;
  #switches: TrainingSwitches;
  #down = false;
  /** A listener that is still closing cannot be opened, so changes come one after another. */
  readonly #changes = new SerialQueue();

  constructor(options: TrainingOptions) {
    const { clock, seed = randomInt(2 ** 32), now = () => clock.wallNow(), listen } = options;
    const bytes = (length: number): Uint8Array => options.random?.bytes(length) ?? randomBytes(length);
    this.seed = seed;
    this.#switches = trainingSwitchesSchema.parse({ ...initialSwitches, ...options.switches });
    const world = createWorld({ ...options, seed, now, eventStream: () => this.#switches.eventStream });
    const accounts = new Accounts({ bytes });
    this.world = world;
    this.accounts = accounts;
    this.faults = new FaultPlan(() => this.#switches);
    const shared = {
      clock,
      bytes,
      serverNow: () => now() + this.#switches.clockOffsetMs,
      switches: () => this.#switches,
      takeFault: (path: string) => this.faults.take(path),
      accountOf: (authorization: string | undefined, access: 'bearer' | 'upload') => {
        const token = /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1];
        return token === undefined ? null : accounts.holderOf(token, access, now());
      },
      idempotency: new IdempotencyCache<TrainingAnswer>(() => clock.elapsed()),
      tally: this.tally,
    };
    this.infrastructure = new ApiServer({
      ...shared,
      routes: infrastructureRoutes(world, accounts, now),
      port: listen?.infrastructurePort ?? 0,
    });
    this.coordination = new ApiServer({
      ...shared,
      routes: coordinationRoutes(world),
      port: listen?.coordinationPort ?? 0,
    });
    this.gateway = new TrainingGateway({
      clock,
      switches: () => this.#switches,
      find: (cid) => world.evidence.file(cid),
      port: listen?.gatewayPort ?? 0,
    });
    this.opened = this.#changes.run(() => this.#apply(null));
  }

  get switches(): TrainingSwitches {
    return this.#switches;
  }

  get apis(): readonly [ApiServer, ApiServer] {
    return [this.infrastructure, this.coordination];
  }

  set(change: Partial<TrainingSwitches>): Promise<void> {
    return this.#alone(() => {
      this.#switches = trainingSwitchesSchema.parse({ ...this.#switches, ...change });
    });
  }

  /** Refuses connections, as a service that is down; its tokens are worth nothing afterwards. */
  goDown(): Promise<void> {
    return this.#alone(() => {
      this.#down = true;
      this.accounts.revokeTokens();
    });
  }

  comeUp(): Promise<void> {
    return this.#alone(() => {
      this.#down = false;
    });
  }

  /** Closes everything once the last change is done. */
  async close(): Promise<void> {
    await this.#changes.settled();
    await this.closeAll();
  }

  async closeAll(): Promise<void> {
    const { script, fleet, flights, exercise, events } = this.world;
    script.close();
    fleet.set(false);
    flights.set('none');
    exercise?.set(false);
    events.end();
    await Promise.all([...this.apis, this.gateway].map((server) => server.shut()));
  }

  #alone(change: () => void): Promise<void> {
    return this.#changes.run(() => {
      const before = this.#switches;
      change();
      return this.#apply(before);
    });
  }

  /** Does what the switches say; `before` are the ones until now, null at the start. */
  async #apply(before: TrainingSwitches | null): Promise<void> {
    const switches = this.#switches;
    const { script, fleet, flights, exercise, events } = this.world;
    if (switches.accountRevoked) {
      this.accounts.revokeTokens();
      events.end();
    }
    if (before?.arrivals !== switches.arrivals) {
      script.setArrivals(switches.arrivals);
      fleet.set(switches.arrivals);
      exercise?.set(switches.arrivals);
    }
    if (before?.drones !== switches.drones) flights.set(switches.drones);
    if (before?.integrationScript !== switches.integrationScript) {
      script.setIntegrations(switches.integrationScript);
    }
    events.modeChanged();
    // Ports are found by opening; a service that starts refused opens once and shuts.
    const refused = this.#down || switches.fault === 'refuse';
    const all = [...this.apis, this.gateway];
    if (before === null || !refused) await Promise.all(all.map((server) => server.open()));
    if (refused) for (const server of all) await server.shut();
  }
}

/** What an operator and tests do with the service. */
function controlsOf(service: TrainingService): TrainingServer {
  const { seed, world, accounts, tally, faults, infrastructure, coordination, gateway, apis } = service;
  const { incidents, evidence, missions, events, script, integrations, strays, storage } = world;
  return {
    seed,
    infrastructureUrl: infrastructure.url,
    coordinationUrl: coordination.url,
    gatewayUrl: gateway.url,
    uploadToken: accounts.uploadToken,
    get credentials() {
      return accounts.credentials;
    },
    switches: () => service.switches,
    set: (change) => service.set(change),
    get counts() {
      return tally.counts();
    },
    resetCounts: () => tally.reset(),
    addStray: (record) => {
      strays.push(JSON.stringify(record));
    },
    addIncident: (partial) => script.addIncident(partial),
    changeIncident: (id, change) => incidents.change(id, change),
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
    incidents: () => incidents.all(),
    health: () => integrations.report(),
    uploads: () => storage.uploads(),
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
      for (const server of apis) await server.cut();
    },
    strandConnections: () => {
      for (const server of apis) server.strand();
    },
    goDown: () => service.goDown(),
    comeUp: () => service.comeUp(),
    close: () => service.close(),
  };
}
