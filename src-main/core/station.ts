import type { ApiConnection, IncidentQuery, Result, SessionState } from '../../src-preload/contract/index.ts';
import { connectionAtStart, trackConnection, type ConnectionTrack } from './api/connection.ts';
import { createServiceLink, type ServiceAddress, type ServiceLink } from './api/link.ts';
import type { AttemptOutcome } from './api/request.ts';
import type { HealthFieldNames } from './domain/integration.ts';
import type { TimestampUnit } from './domain/range.ts';
import { createStationTime, type StationTime } from './domain/stationTime.ts';
import type { Ports } from './ports.ts';
import type { ConsoleStore } from './store/consoleStore.ts';
import { HealthMonitor } from './sync/healthMonitor.ts';
import { IncidentPoller } from './sync/incidentPoller.ts';
import { IncidentReader } from './sync/incidentReader.ts';

/** What a station is made from: a deployment, or the embedded training one. */
export interface StationPlan {
  readonly id: string;
  readonly name: string;
  readonly address: ServiceAddress;
  readonly unit: TimestampUnit;
  readonly healthFields: HealthFieldNames;
  readonly incidentsMs: number;
  readonly healthMs: number;
}

export interface StationOptions {
  readonly plan: StationPlan;
  readonly ports: Ports;
  readonly store: ConsoleStore;
  readonly forgetAfterMs: number;
  /** Why the session before this station ended, which the sign-in page still has to say; null for none. */
  readonly endedBefore: Extract<SessionState, { state: 'none' }>['ended'] | null;
}

const tickMs = 10_000;

/**
 * The console at work on one deployment: its session, its time, its connection and what it reads.
 * Everything that belongs to the deployment ends with it.
 */
export class Station {
  readonly id: string;
  readonly #options: StationOptions;
  readonly #time: StationTime;
  readonly #link: ServiceLink;
  readonly #poller: IncidentPoller;
  readonly #health: HealthMonitor;
  readonly #stops: (() => void)[] = [];
  #tracks: { infrastructure: ConnectionTrack; coordination: ConnectionTrack };
  #signedIn = false;
  #expiresAt: number | null = null;
  #cancelTick: (() => void) | null = null;
  #closed = false;

  /** @throws when the plan's address or private CA cannot be used. */
  constructor(options: StationOptions) {
    const { plan, ports, store, forgetAfterMs } = options;
    const { clock, random, logger, hasher } = ports;
    this.id = plan.id;
    this.#options = options;
    this.#time = createStationTime({ clock });
    const now = this.#time.stationNow();
    this.#tracks = { infrastructure: connectionAtStart(now), coordination: connectionAtStart(now) };
    this.#link = createServiceLink({
      address: plan.address,
      clock,
      random,
      logger,
      hasher,
      stationTime: this.#time,
      forgetAfterMs,
      onOutcome: (outcome) => {
        this.#takeOutcome(outcome);
      },
    });
    const { infrastructure } = this.#link;
    const shared = {
      store,
      clock,
      random,
      logger,
      stationTime: this.#time,
      connection: (): ApiConnection['state'] => this.#tracks.infrastructure.connection.state,
    };
    this.#poller = new IncidentPoller({
      ...shared,
      reader: new IncidentReader({ api: infrastructure, stationTime: this.#time, unit: plan.unit }),
      intervalMs: plan.incidentsMs,
    });
    this.#health = new HealthMonitor({
      ...shared,
      api: infrastructure,
      intervalMs: plan.healthMs,
      fieldNames: plan.healthFields,
    });
  }

  start(): void {
    this.#stops.push(
      this.#link.session.onChange(() => {
        this.#takeSession();
      }),
      this.#time.onChange(() => {
        this.#tellTime();
      }),
    );
    this.#takeSession();
    this.#tellConnection();
    this.#tick();
    this.#health.start();
  }

  get signedIn(): boolean {
    return this.#signedIn;
  }

  stationNow(): number {
    return this.#time.stationNow();
  }

  signIn(username: string, password: string): Promise<Result<null>> {
    return this.#link.session.signIn(username, password);
  }

  signOut(): void {
    this.#link.session.signOut();
  }

  lock(): Result<null> {
    return this.#link.session.lock();
  }

  unlock(password: string): Promise<Result<null>> {
    return this.#link.session.unlock(password);
  }

  setQuery(query: IncidentQuery): void {
    this.#poller.setQuery(query);
  }

  refreshIncidents(): Promise<Result<null>> {
    return this.#poller.refresh();
  }

  checkHealth(): Promise<Result<null>> {
    return this.#health.checkNow(true);
  }

  wake(): void {
    this.#time.wake();
    this.#link.session.wake();
    this.#poller.wake();
    void this.#health.checkNow();
  }

  /** Signs out because the deployment changes, and ends everything that belongs to it. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#link.session.signOut('deployment-changed');
    for (const stop of this.#stops) stop();
    this.#cancelTick?.();
    this.#poller.stop();
    this.#health.stop();
    await this.#link.close();
  }

  #takeSession(): void {
    const { store, plan, endedBefore } = this.#options;
    const { vault, session: current, username, lock } = this.#link.session.snapshot();
    const untouched = current.state === 'none' && current.ended === 'never-started';
    const session: SessionState = untouched && endedBefore ? { state: 'none', ended: endedBefore } : current;
    const signedIn = vault === 'open';
    const wasSignedIn = this.#signedIn;
    this.#signedIn = signedIn;
    if (wasSignedIn && !signedIn) this.#dropData();
    store.set('session', { vault, session, username });
    store.set('lock', {
      locked: lock.locked,
      username: lock.locked ? username : null,
      deploymentName: lock.locked ? plan.name : null,
      throttledUntil: lock.throttledUntil,
    });
    if (!wasSignedIn && signedIn) this.#poller.start();
    this.#health.attend(signedIn);
    const expiresAt = session.state === 'active' ? session.expiresAt : this.#expiresAt;
    if (expiresAt !== this.#expiresAt && wasSignedIn && signedIn) this.#poller.tokenChanged();
    this.#expiresAt = expiresAt;
  }

  /** What one operator has read is not there for the next one. */
  #dropData(): void {
    this.#poller.stop();
    this.#options.store.beginEpoch();
    this.#expiresAt = null;
  }

  #takeOutcome(outcome: AttemptOutcome): void {
    if (this.#closed) return;
    const before = this.#tracks[outcome.api];
    const after = trackConnection(before, outcome, this.#time.stationNow());
    if (after === before) return;
    this.#tracks = { ...this.#tracks, [outcome.api]: after };
    this.#tellConnection();
    if (outcome.api !== 'infrastructure' || after.connection.state === before.connection.state) return;
    this.#poller.review();
    this.#health.review();
    if (after.connection.state === 'online') this.#poller.connectionReturned();
    const troubled = before.connection.state === 'offline' || before.connection.state === 'degraded';
    if (after.connection.state === 'online' && troubled) this.#health.connectionReturned();
  }

  #tellConnection(): void {
    this.#options.store.set('connection', {
      infrastructure: this.#tracks.infrastructure.connection,
      coordination: this.#tracks.coordination.connection,
    });
  }

  #tellTime(): void {
    this.#options.store.set('time', {
      stationNow: this.#time.stationNow(),
      verified: this.#time.verified(),
      skewMs: this.#time.skewMs(),
    });
  }

  #tick(): void {
    this.#tellTime();
    this.#poller.review();
    this.#health.review();
    this.#cancelTick = this.#options.ports.clock.schedule(tickMs, () => {
      this.#tick();
    });
  }
}
