import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { Clock, Random } from '../core/base/ports.ts';
import type { TrainingControl } from '../core/scopes/app.ts';
import type { RequestFault } from './faultPlan.ts';
import type { WireIncident } from './incident.ts';
import type { Integrations, IntegrationStates } from './integrations.ts';
import type { DecisionEffect, Mission } from './missions.ts';
import type { Upload } from './storage.ts';
import type { TrainingCounts } from './tally.ts';

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
  /**
   * Adds an invented exercise: open critical incidents of several types, many at one place, one without a
   * location, changes while arrivals run; and every incident has the evidence that it counts.
   */
  readonly exercise?: boolean;
  /** How many seeded incidents without a location to add: 5, or 0 beside a `dataset` of one's own. */
  readonly withoutLocation?: number;
  /** Ports, 0 (the default) for any free one. */
  readonly listen?: {
    readonly infrastructurePort?: number;
    readonly coordinationPort?: number;
    readonly gatewayPort?: number;
  };
  readonly switches?: Partial<TrainingSwitches>;
}

/** The training deployment, with what tests need beyond what an operator may switch. */
export interface TrainingServer extends TrainingControl {
  readonly gatewayUrl: string;
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
  /** Gives the account to another operator, or back; its tokens stay valid. */
  changeCredentials(credentials: { readonly username: string; readonly password: string }): void;
  /** What `GET /incidents` knows, by id, and what `GET /health` says. */
  incidents(): ReadonlyMap<string, WireIncident>;
  health(): ReturnType<Integrations['report']>;
  /** Every side effect of `POST /storage`, oldest first: one entry for one effect. */
  uploads(): readonly Upload[];
  /** Every side effect of a decision that was sent, oldest first. */
  decisions(): readonly DecisionEffect[];
  /** What `GET /evidence` knows, oldest first. */
  evidence(): readonly Readonly<Record<string, unknown>>[];
  /** Adds a piece of evidence, of the newest incident unless `partial` says otherwise, and counts it there. */
  addEvidence(partial?: Readonly<Record<string, unknown>>): void;
  /** Every mission by its id, decided ones included. */
  missions(): ReadonlyMap<string, Mission>;
  /** Adds a pending mission and gives its id. */
  addMission(partial?: Readonly<Record<string, unknown>>): string;
  /** Sends an event to every open stream. `data` that is no text goes as JSON. */
  emitEvent(event: { readonly kind?: string; readonly data: unknown; readonly id?: string }): void;
  /** Streams of events that are open. They are requests without an end, and not among `held`. */
  readonly eventStreams: number;
  /** Accepted on `POST /storage` beside the session's tokens. */
  readonly uploadToken: string;
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

export interface HealthFields extends IntegrationStates {
  /** null lets it follow from the integrations. */
  readonly status: string | null;
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
