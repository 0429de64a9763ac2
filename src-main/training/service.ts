import { trainingSwitchesSchema, type TrainingSwitches } from '../../src-preload/contract/index.ts';
import { SerialQueue } from '../core/base/queues.ts';
import type { Random } from '../core/base/ports.ts';
import type { TrainingControl } from '../core/features/training/index.ts';
import { Accounts } from './accounts.ts';
import type { TrainingAnswer } from './answer.ts';
import { ApiServer } from './apiServer.ts';
import { admission, type Admission } from './faults.ts';
import { TrainingGateway } from './gateway.ts';
import { IdempotencyCache } from './idempotency.ts';
import { coordinationRoutes, infrastructureRoutes } from './routes.ts';
import { createWorld, type World } from './world.ts';
import type { WorldOptions } from './worldOptions.ts';

export interface TrainingServiceOptions extends Omit<WorldOptions, 'eventStream'> {
  /** Makes credentials, tokens and request ids. */
  readonly random: Pick<Random, 'bytes'>;
  /** Of Infrastructure and Coordination; 0 for any free one. */
  readonly ports: readonly [number, number];
  readonly switches?: Partial<TrainingSwitches>;
  /** Stands before the service's own admission of requests. */
  readonly intercept?: (admit: Admission) => Admission;
}

/** The training deployment: its world, its account, the servers of it, and the switches that change how they answer. */
export class TrainingService implements TrainingControl {
  readonly seed: number;
  protected readonly world: World;
  protected readonly accounts: Accounts;
  protected readonly apis: readonly [ApiServer, ApiServer];
  readonly #gateway: TrainingGateway;
  #switches: TrainingSwitches;
  /** A listener that is still closing cannot be opened, so changes come one after another. */
  readonly #changes = new SerialQueue();

  /** Throws when a switch is out of its range. */
  constructor(options: TrainingServiceOptions) {
    const { clock, seed, now, random, ports } = options;
    this.seed = seed;
    this.#switches = trainingSwitchesSchema.parse({ ...initialSwitches, ...options.switches });
    const switches = (): TrainingSwitches => this.#switches;
    const bytes = (length: number): Uint8Array => random.bytes(length);
    const world = createWorld({ ...options, eventStream: () => this.#switches.eventStream });
    const accounts = new Accounts(bytes);
    this.world = world;
    this.accounts = accounts;
    const admit = admission({ clock, switches, noise: bytes });
    const shared = {
      bytes,
      serverNow: () => now() + this.#switches.clockOffsetMs,
      switches,
      admit: options.intercept?.(admit) ?? admit,
      accountOf: (authorization: string | undefined, access: 'bearer' | 'upload') => {
        const token = /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1];
        return token === undefined ? null : accounts.holderOf(token, access, now());
      },
      idempotency: new IdempotencyCache<TrainingAnswer>(() => clock.elapsed()),
    };
    this.apis = [
      new ApiServer({ ...shared, routes: infrastructureRoutes(world, accounts, now), port: ports[0] }),
      new ApiServer({ ...shared, routes: coordinationRoutes(world), port: ports[1] }),
    ];
    this.#gateway = new TrainingGateway(clock, switches, world.evidence);
  }

  get infrastructureUrl(): string {
    return this.apis[0].url;
  }

  get coordinationUrl(): string {
    return this.apis[1].url;
  }

  get gatewayUrl(): string {
    return this.#gateway.url;
  }

  get credentials(): TrainingControl['credentials'] {
    return this.accounts.credentials;
  }

  /** Accepted on `POST /storage` beside the session's tokens. */
  get uploadToken(): string {
    return this.accounts.uploadToken;
  }

  switches(): TrainingSwitches {
    return this.#switches;
  }

  set(change: Partial<TrainingSwitches>): Promise<void> {
    return this.#changes.run(() => {
      const before = this.#switches;
      this.#switches = trainingSwitchesSchema.parse({ ...before, ...change });
      return this.#apply(before);
    });
  }

  /** Opens the servers, once. Rejects when a port is taken; nothing is open then. */
  async open(): Promise<this> {
    try {
      await this.#changes.run(() => this.#apply(null));
    } catch (error) {
      await this.#closeAll();
      throw error;
    }
    return this;
  }

  /** Stops every timer and ends every connection, once the last change is done. */
  async close(): Promise<void> {
    await this.#changes.settled();
    await this.#closeAll();
  }

  async #closeAll(): Promise<void> {
    const { script, fleet, flights, exercise, events } = this.world;
    script.close();
    fleet.set(false);
    flights.set('none');
    exercise?.set(false);
    events.end();
    await Promise.all([...this.apis, this.#gateway].map((server) => server.shut()));
  }

  /** Does what the switches say; `before` are the ones until now, null at the start. */
  async #apply(before: TrainingSwitches | null): Promise<void> {
    const switches = this.#switches;
    const { script, fleet, flights, exercise, events } = this.world;
    if (switches.accountRevoked) {
      this.accounts.tokens.clear();
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
    const refused = switches.fault === 'refuse';
    const all = [...this.apis, this.#gateway];
    if (before === null || !refused) await Promise.all(all.map((server) => server.open()));
    if (refused) for (const server of all) await server.shut();
  }
}

/** The switches at start; see contract/state.ts for units. */
export const initialSwitches: TrainingSwitches = {
  tokenLifetimeSeconds: 3600,
  clockOffsetMs: 0,
  pageLimit: 200,
  pageLimitEnforced: false,
  order: 'newest-first',
  timestampUnit: 'seconds',
  latencyMs: 0,
  fault: 'none',
  accountRevoked: false,
  incidentScope: true,
  wrapWithCursor: false,
  arrivals: true,
  integrationScript: true,
  evidenceScope: true,
  evidenceWithCursor: true,
  uploadFault: 'none',
  cutAfterBytes: 0,
  missionScope: true,
  missionFault: 'none',
  missionListLagMs: 0,
  eventStream: 'steady',
  drones: 'none',
  gatewayFault: 'none',
};
