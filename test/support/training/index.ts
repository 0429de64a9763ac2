import { randomBytes, randomInt } from 'node:crypto';
import type { TrainingSwitches } from '../../../src-preload/contract/index.ts';
import type { Clock, Random } from '../../../src-main/core/base/ports.ts';
import { readable } from '../../../src-main/training/accounts.ts';
import type { RequestFault } from '../../../src-main/training/answer.ts';
import { exercise } from '../../../src-main/training/exercise.ts';
import type { WireIncident } from '../../../src-main/training/incident.ts';
import type { Integrations, IntegrationStates } from '../../../src-main/training/integrations.ts';
import type { DecisionEffect, Mission } from '../../../src-main/training/missions.ts';
import { incidentsWithoutLocation } from '../../../src-main/training/script.ts';
import { TrainingService, type TrainingServiceOptions } from '../../../src-main/training/service.ts';
import type { Upload } from '../../../src-main/training/storage.ts';
import { realWeek } from '../../../src-main/training/world.ts';
import type { TrainingCounts } from './tally.ts';
import { Traffic } from './traffic.ts';

export type { RequestFault } from '../../../src-main/training/answer.ts';
export type { WireIncident } from '../../../src-main/training/incident.ts';
export { initialSwitches } from '../../../src-main/training/service.ts';

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
  /** Adds the invented exercise of the product; every incident then has the evidence that it counts. */
  readonly exercise?: boolean;
  /** How many seeded incidents without a location to add: 5, or 0 beside a `dataset` of one's own. */
  readonly withoutLocation?: number;
  /** Ports, 0 (the default) for any free one. */
  readonly listen?: { readonly infrastructurePort?: number; readonly coordinationPort?: number };
  readonly switches?: Partial<TrainingSwitches>;
}

interface HealthFields extends IntegrationStates {
  /** null lets it follow from the integrations. */
  readonly status: string | null;
}

/** Starts the training service with the controls of tests. Rejects when a port is taken or a switch is out of its range. */
export async function startTraining(options: TrainingOptions): Promise<TrainingServer> {
  const { clock, random = { bytes: randomBytes }, seed = randomInt(2 ** 32) } = options;
  const located = options.dataset ?? realWeek();
  const withoutLocation = options.withoutLocation ?? (options.dataset ? 0 : 5);
  return new TrainingServer(
    {
      clock,
      random,
      seed,
      now: options.now ?? (() => clock.wallNow()),
      incidents: [
        ...(options.exercise ? exercise(located) : located),
        ...incidentsWithoutLocation(located, withoutLocation, seed),
      ],
      exercise: options.exercise ?? false,
      ports: [options.listen?.infrastructurePort ?? 0, options.listen?.coordinationPort ?? 0],
      switches: options.switches ?? {},
    },
    new Traffic(),
  ).open();
}

/** The training service, with what tests need beyond what an operator may switch. */
export class TrainingServer extends TrainingService {
  readonly #traffic: Traffic;
  readonly #random: Pick<Random, 'bytes'>;
  /** The fault to come up with again. */
  #fault: TrainingSwitches['fault'];
  #down = false;

  constructor(options: TrainingServiceOptions, traffic: Traffic) {
    super({ ...options, intercept: traffic.intercept });
    this.#traffic = traffic;
    this.#random = options.random;
    this.#fault = super.switches().fault;
  }

  /** A copy of the counts so far. */
  get counts(): TrainingCounts {
    return this.#traffic.tally.counts();
  }

  resetCounts(): void {
    this.#traffic.tally.reset();
  }

  /** Requests that came whole and wait for a timer of the clock, or for ever. */
  get held(): number {
    return this.#traffic.held;
  }

  /** Streams of events that are open. They are requests without an end, and not among `held`. */
  get eventStreams(): number {
    return this.#traffic.streams;
  }

  /**
   * The next `count` requests (on `path` only, when given) meet `fault`. What comes back takes the rest
   * of them back.
   */
  failNext(count: number, fault: RequestFault, path?: string): () => void {
    return this.#traffic.plan.add(count, fault, path ?? null);
  }

  /** Answers every upload that it takes with this; null lets the answer name the CID. */
  answerUploads(answer: { readonly status: number; readonly body: string } | null): void {
    this.#traffic.uploadAnswer = answer;
  }

  /** How many answers to uploads named the CID. */
  get provenUploads(): number {
    return this.#traffic.provenUploads;
  }

  /** Adds an incident, created now near an existing one unless `partial` says otherwise. */
  addIncident(partial?: Partial<WireIncident>): WireIncident {
    return this.world.script.addIncident(partial);
  }

  /** Ends every list of incidents with `record`, as it is: for records that no service should send. */
  addStray(record: unknown): void {
    this.#traffic.strays.push(JSON.stringify(record));
  }

  /** Changes an incident in place. False when there is none with that id. */
  changeIncident(id: string, change: Partial<Omit<WireIncident, 'id' | 'created_at'>>): boolean {
    return this.world.incidents.change(id, change);
  }

  /** What `GET /incidents` knows, by id, in the order of creation. */
  incidents(): ReadonlyMap<string, WireIncident> {
    const { incidents } = this.world;
    const all = Array.from({ length: incidents.size }, (_, index) => incidents.at(index)!);
    return new Map(all.map((incident) => [incident.id, incident]));
  }

  /** Sets a field of `/health`; the script may set it again unless it is switched off. */
  setIntegration<F extends keyof HealthFields>(field: F, value: HealthFields[F]): void {
    if (field === 'status') this.#traffic.overall = value as HealthFields['status'];
    else this.world.integrations.set(field, value as IntegrationStates[keyof IntegrationStates]);
  }

  /** What `GET /health` says. */
  health(): ReturnType<Integrations['report']> {
    return this.world.integrations.report();
  }

  /** The tokens granted so far that have not run out. */
  issuedTokens(): readonly string[] {
    return [...this.accounts.tokens.keys()];
  }

  /** Makes every token invalid before its time; the account can log in again. */
  revokeTokens(): void {
    this.accounts.tokens.clear();
  }

  /** Gives the account another password, which `credentials` says from then on; its tokens stay valid. */
  changePassword(): void {
    this.accounts.credentials = { ...this.credentials, password: readable(this.#random.bytes(15)) };
  }

  /** Gives the account to another operator, or back; its tokens stay valid. */
  changeCredentials(credentials: TrainingServer['credentials']): void {
    this.accounts.credentials = credentials;
  }

  /** Every side effect of `POST /storage`, oldest first: one entry for one effect. */
  uploads(): readonly Upload[] {
    return [...this.world.storage.uploads];
  }

  /** Every side effect of a decision that was sent, oldest first. */
  decisions(): readonly DecisionEffect[] {
    return [...this.world.missions.decisions];
  }

  /** What `GET /evidence` knows, oldest first. */
  evidence(): readonly Readonly<Record<string, unknown>>[] {
    return this.world.evidence.all();
  }

  /** Adds a piece of evidence, of the newest incident unless `partial` says otherwise, and counts it there. */
  addEvidence(partial?: Readonly<Record<string, unknown>>): void {
    this.world.evidence.add(partial);
  }

  /** Every mission by its id, decided ones included. */
  missions(): ReadonlyMap<string, Mission> {
    return this.world.missions.all();
  }

  /** Adds a pending mission and gives its id. */
  addMission(partial?: Readonly<Record<string, unknown>>): string {
    return this.world.missions.add(partial);
  }

  /** Sends an event to every open stream. `data` that is no text goes as JSON. */
  emitEvent({
    kind,
    data,
    id,
  }: {
    readonly kind?: string;
    readonly data: unknown;
    readonly id?: string;
  }): void {
    this.world.events.publish(kind ?? null, data, id);
  }

  /** Ends every connection at once; new ones are taken. */
  async cutConnections(): Promise<void> {
    for (const server of this.apis) await server.cut();
  }

  /**
   * Lets every present connection dangle, as after a change of network: it looks open, what is sent on
   * it is taken, and nothing ever comes back. New ones are served.
   */
  strandConnections(): void {
    for (const { connections } of this.apis) this.#traffic.strand(connections);
  }

  override switches(): TrainingSwitches {
    const switches = super.switches();
    return this.#down ? { ...switches, fault: this.#fault } : switches;
  }

  override set(change: Partial<TrainingSwitches>): Promise<void> {
    this.#fault = change.fault ?? this.#fault;
    return super.set(this.#down ? { ...change, fault: 'refuse' } : change);
  }

  /** Stops the service: connections end, tokens are forgotten, the data stays. */
  async goDown(): Promise<void> {
    this.#down = true;
    await super.set({ fault: 'refuse' });
    this.revokeTokens();
  }

  /** Starts it again, on the same ports. */
  comeUp(): Promise<void> {
    this.#down = false;
    return super.set({ fault: this.#fault });
  }
}
