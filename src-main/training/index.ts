import { randomBytes, randomInt } from 'node:crypto';
import { trainingSwitchesSchema, type TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { TrainingControl } from '../core/console.ts';
import type { Clock, Random } from '../core/ports.ts';
import { Accounts } from './accounts.ts';
import { json, refusal, type TrainingAnswer, type TrainingRoute } from './answer.ts';
import { ApiServer } from './apiServer.ts';
import type { RequestFault } from './faults.ts';
import { IdempotencyCache } from './idempotency.ts';
import type { WireIncident } from './incident.ts';
import { listEvidence, listIncidents } from './incidentList.ts';
import { Integrations, type IntegrationStates } from './integrations.ts';
import { logIn } from './login.ts';
import { incidentsWithoutLocation, Script } from './script.ts';
import { Shelf } from './shelf.ts';
import { Tally, type TrainingCounts } from './tally.ts';
import { realWeek } from './week.ts';

export type { WireIncident } from './incident.ts';
export type { RequestFault } from './faults.ts';
export type { TrainingCounts } from './tally.ts';

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
};

export interface TrainingOptions {
  readonly clock: Clock;
  /** Of the script: the same seed tells the same story. A random one when absent. */
  readonly seed?: number;
  /** Makes credentials, tokens and request ids; the system's source when absent. */
  readonly random?: Pick<Random, 'bytes'>;
  /** What time it is without the service's clock offset, Unix ms; the clock's wall when absent. */
  readonly now?: () => number;
  /** Stands in for the real week. Moved, like the week, so that the newest is now. */
  readonly dataset?: readonly WireIncident[];
  /** How many seeded incidents without a location to add: 5, or 0 beside a `dataset` of one's own. */
  readonly withoutLocation?: number;
  /** Ports, 0 (the default) for any free one. */
  readonly listen?: { readonly infrastructurePort?: number; readonly coordinationPort?: number };
  readonly switches?: Partial<TrainingSwitches>;
}

/** The training deployment, with what tests need beyond what an operator may switch. */
export interface TrainingServer extends TrainingControl {
  readonly seed: number;
  /** A copy of the counts so far. */
  readonly counts: TrainingCounts;
  resetCounts(): void;
  /** Adds an incident, created now near an existing one unless `partial` says otherwise. */
  addIncident(partial?: Partial<WireIncident>): WireIncident;
  /** Ends every list of incidents with `record`, as it is: for records that no service should send. */
  addStray(record: unknown): void;
  /** Changes an incident in place. False when there is none with that id. */
  changeIncident(id: string, change: Partial<Omit<WireIncident, 'id' | 'created_at'>>): boolean;
  /** Sets a field of `/health`; the script may set it again unless it is switched off. */
  setIntegration<F extends keyof HealthFields>(field: F, value: HealthFields[F]): void;
  /**
   * The next `count` requests (on `path` only, when given) meet `fault`. What comes back takes the rest
   * of them back.
   */
  failNext(count: number, fault: RequestFault, path?: string): () => void;
  /** The tokens granted so far that have not run out. */
  issuedTokens(): readonly string[];
  /** Makes every token invalid before its time; the account can log in again. */
  revokeTokens(): void;
  /** Gives the account another password, which `credentials` says from then on; its tokens stay valid. */
  changePassword(): void;
  /** What `GET /incidents` knows, by id, and what `GET /health` says. */
  incidents(): ReadonlyMap<string, WireIncident>;
  health(): ReturnType<Integrations['report']>;
  /** Requests that came whole and wait for a timer of the clock, or for ever. */
  readonly held: number;
  /** Ends every connection at once; new ones are taken. */
  cutConnections(): Promise<void>;
  /** Leaves every present connection open and dead, as after a change of network; new ones are served. */
  strandConnections(): void;
  /** Stops the service: connections end, tokens are forgotten, the data stays. */
  goDown(): Promise<void>;
  /** Starts it again, on the same ports. */
  comeUp(): Promise<void>;
  /** Stops every timer and ends every connection. */
  close(): Promise<void>;
}

interface HealthFields extends IntegrationStates {
  /** null lets it follow from the integrations. */
  readonly status: string | null;
}

/**
 * Starts both APIs of the interface on loopback, with made-up credentials.
 *
 * Rejects when a port is taken or a switch is out of its range.
 */
export async function startTraining(options: TrainingOptions): Promise<TrainingServer> {
  const { clock, seed = randomInt(2 ** 32), now = () => clock.wallNow() } = options;
  const bytes = (length: number): Uint8Array => options.random?.bytes(length) ?? randomBytes(length);
  let switches = trainingSwitchesSchema.parse({ ...initialSwitches, ...options.switches });
  const located = options.dataset ?? realWeek();
  const withoutLocation = options.withoutLocation ?? (options.dataset ? 0 : 5);
  const incidents = [...located, ...incidentsWithoutLocation(located, withoutLocation, seed)];

  const shelf = new Shelf({ incidents, newestAt: now(), seed });
  const strays: string[] = [];
  const integrations = new Integrations();
  const script = new Script({ clock, seed, shelf, integrations, now });
  const accounts = new Accounts({ bytes });
  const tally = new Tally();
  const planned: { fault: RequestFault; path: string | null; left: number }[] = [];
  const takeFault = (path: string): RequestFault | 'none' => {
    const plan = planned.find((candidate) => candidate.left > 0 && (candidate.path ?? path) === path);
    if (plan) {
      plan.left -= 1;
      return plan.fault;
    }
    // A request that was already on its way when the listener closed.
    return switches.fault === 'refuse' ? 'reset' : switches.fault;
  };
  const shared = {
    clock,
    bytes,
    serverNow: () => now() + switches.clockOffsetMs,
    switches: () => switches,
    takeFault,
    accountOf: (authorization: string | undefined) => {
      const token = /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1];
      return token !== undefined && accounts.isValid(token, now()) ? accounts.credentials.username : null;
    },
    idempotency: new IdempotencyCache<TrainingAnswer>(() => clock.elapsed()),
    tally,
  };
  const servers = [
    new ApiServer({
      ...shared,
      routes: infrastructureRoutes({ accounts, now, shelf, strays, integrations }),
      port: options.listen?.infrastructurePort ?? 0,
    }),
    new ApiServer({
      ...shared,
      routes: [publicGet('/health', () => json(200, { status: 'ok' }))],
      port: options.listen?.coordinationPort ?? 0,
    }),
  ] as const;
  const [infrastructure, coordination] = servers;
  let down = false;

  const apply = async (before: TrainingSwitches | null): Promise<void> => {
    if (switches.accountRevoked) accounts.revokeTokens();
    if (before?.arrivals !== switches.arrivals) script.setArrivals(switches.arrivals);
    if (before?.integrationScript !== switches.integrationScript) {
      script.setIntegrations(switches.integrationScript);
    }
    // Ports are found by opening; a service that starts refused opens once and shuts.
    const refused = down || switches.fault === 'refuse';
    if (before === null || !refused) await Promise.all(servers.map((server) => server.open()));
    if (refused) for (const server of servers) await server.shut();
  };
  const close = async (): Promise<void> => {
    script.close();
    await Promise.all(servers.map((server) => server.shut()));
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
      strays.push(JSON.stringify(record));
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
    failNext: (count, fault, path) => {
      const plan = { fault, path: path ?? null, left: count };
      planned.push(plan);
      return () => {
        plan.left = 0;
      };
    },
    issuedTokens: () => accounts.tokens(),
    revokeTokens: () => accounts.revokeTokens(),
    changePassword: () => accounts.changePassword(),
    incidents: () => shelf.all(),
    health: () => integrations.report(),
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

const publicGet = (path: string, handle: TrainingRoute['handle']): TrainingRoute => ({
  method: 'GET',
  path,
  access: 'public',
  idempotent: false,
  handle,
});

function infrastructureRoutes(world: {
  readonly accounts: Accounts;
  readonly now: () => number;
  readonly shelf: Shelf;
  readonly strays: readonly string[];
  readonly integrations: Integrations;
}): TrainingRoute[] {
  const { accounts, now, shelf, strays, integrations } = world;
  return [
    publicGet('/health', () => json(200, integrations.report())),
    {
      ...publicGet('/incidents', (request) =>
        request.switches.incidentScope
          ? listIncidents(shelf, strays, request)
          : refusal(403, 'The scope to read incidents has not been granted'),
      ),
      access: 'bearer',
    },
    { ...publicGet('/evidence', listEvidence), access: 'bearer' },
    {
      method: 'POST',
      path: '/login',
      access: 'public',
      idempotent: false,
      handle: (request) => logIn(accounts, now(), request),
    },
  ];
}
