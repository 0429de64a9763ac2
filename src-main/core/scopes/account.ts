import {
  isInMemoryOnly,
  type Alarm,
  type ApiConnection,
  type Failure,
  type OutboxState,
  type SessionState,
} from '../../../src-preload/contract/index.ts';
import { nameOf } from '../base/errors.ts';
import { makeFailure } from '../base/failure.ts';
import { message, type Message } from '../base/messages/message.ts';
import type { ServerTime } from '../base/serverTime.ts';
import type { SpoolAnswer } from '../base/spoolAnswer.ts';
import { Alarms } from '../features/alarms/alarms.ts';
import type { Heard } from '../features/alarms/forgetting.ts';
import type { Deployment } from '../features/deployments/schema.ts';
import { Drones } from '../features/drones/index.ts';
import { LiveEvents } from '../features/events/liveEvents.ts';
import { Contents } from '../features/evidence/content/contents.ts';
import { Evidence, type RevisionCounter } from '../features/evidence/evidence.ts';
import type { Downloads } from '../features/exports/downloads.ts';
import { LastHourCounter } from '../features/incidents/changes/lastHour.ts';
import { UnseenChanges } from '../features/incidents/changes/unseenChanges.ts';
import { IncidentSync, type IncidentSyncOptions } from '../features/incidents/sync/incidentSync.ts';
import { Missions } from '../features/missions/missions.ts';
import type { HandoverRepository } from '../features/notes/handover/handoverRepository.ts';
import { Handovers } from '../features/notes/handover/handovers.ts';
import { Notes } from '../features/notes/notes.ts';
import { Uploads } from '../features/uploads/uploads.ts';
import { Views } from '../features/views/views.ts';
import type { CoordinationApi } from '../service/api/coordination.ts';
import type { InfrastructureApi } from '../service/api/infrastructure.ts';
import type { GatewayClient } from '../service/gateway/gatewayClient.ts';
import type { Line } from '../service/transport/line.ts';
import type { ApiName } from '../service/transport/request.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { Account } from '../vault/account.ts';
import type { Ports } from './ports.ts';

export interface AccountScopeOptions extends Account {
  readonly deployment: Deployment;
  readonly ports: Ports;
  readonly store: ConsoleStore;
  readonly downloads: Downloads;
  readonly serverTime: ServerTime;
  readonly infrastructure: InfrastructureApi;
  readonly coordination: CoordinationApi;
  readonly line: Line;
  /** Null where no evidence may be fetched from gateways. */
  readonly gateways: Pick<GatewayClient, 'ask'> | null;
  readonly session: () => SessionState;
  readonly uploadToken: () => OutboxState['uploadToken'];
  readonly connection: (api: ApiName) => ApiConnection;
  readonly onLedger: IncidentSyncOptions['onLedger'];
  /** Reads the stored incidents into the store. Returns the ledger of what they cover. */
  readonly restore: () => Promise<{ readonly ledger: string | null } | null>;
  readonly handovers: HandoverRepository;
  readonly revisions: RevisionCounter;
  readonly droneVersions: RevisionCounter;
  readonly onUnsent: (unsent: number) => void;
  readonly onNotice: (said: Message) => void;
  readonly onLeft: (heard: Heard) => void;
}

/** Evidence changes mostly with uploads, which cause a read themselves. */
const evidenceEvery = 4;

/** The common options of the account's features. Their timers belong to the scope, and end with it. */
function sharedBy({ scope, records, username, ports, store, downloads, serverTime }: AccountScopeOptions) {
  const { random, logger } = ports;
  return { scope, records, username, store, clock: scope.clock, random, logger, serverTime, downloads };
}

type Shared = ReturnType<typeof sharedBy>;

/**
 * All features of one operator on one deployment: made when the vault opens, disposed of when it closes. What is made
 * first ends last: incidents stay in the store until all other features have taken what they still have to write, and
 * the shift's log accepts lines until the uploads have ended.
 */
export class AccountScope {
  readonly incidents: IncidentSync;
  readonly notes: Notes;
  readonly handovers: Handovers;
  readonly views: Views;
  readonly uploads: Uploads;
  readonly evidence: Evidence;
  readonly contents: Contents;
  readonly missions: Missions;
  readonly alarms: Alarms;
  readonly drones: Drones;
  readonly changes: UnseenChanges;
  /** Resolves when the stored data are loaded. Never rejects. */
  readonly ready: Promise<void>;
  /** Resolves when reading incidents from the service has started. Never rejects. */
  readonly reading: Promise<void>;
  readonly #events: LiveEvents;
  readonly #options: AccountScopeOptions;
  #isReady = false;

  constructor(options: AccountScopeOptions) {
    const { deployment, ports, serverTime } = options;
    const { incidentsMs: intervalMs } = deployment.pollIntervals;
    const shared = sharedBy(options);
    this.#options = options;
    this.incidents = new IncidentSync({
      ...shared,
      unit: deployment.timestampUnit,
      intervalMs,
      requestsPerMinute: deployment.sync.requestsPerMinute,
      bytesPerHour: deployment.sync.bytesPerHour,
      pageSize: deployment.sync.pageSize,
      retention: deployment.retention,
      onLedger: options.onLedger,
      api: options.infrastructure,
      line: options.line,
      connection: this.#connection('infrastructure'),
      onNotice: options.onNotice,
    });
    this.handovers = new Handovers({
      ...shared,
      repository: options.handovers,
      onTakenOver: ({ from }) => {
        this.notes.log({ kind: 'taken-over', subject: from });
      },
    });
    this.notes = new Notes({
      ...shared,
      handovers: this.handovers,
      readUploads: (from, count) => this.uploads.read(from, count),
      auditHash: () => this.missions.auditHash,
    });
    this.views = new Views({
      ...shared,
      setQuery: (query) => {
        this.incidents.setQuery(query);
      },
    });
    this.changes = new UnseenChanges(shared);
    new LastHourCounter({ ...shared, intervalMs });
    this.contents = new Contents({
      ...shared,
      client: options.gateways,
      gateways: deployment.gateways,
      addressesOf: (content) => this.evidence.addressesOf(content),
      preview: deployment.evidencePreview,
      cacheBytes: deployment.evidenceCache,
      serverNow: () => serverTime.serverNow(),
    });
    this.evidence = new Evidence({
      ...shared,
      api: options.infrastructure,
      gateways: deployment.gateways,
      openExternal: ports.openExternal,
      hasher: () => ports.records.hasher(),
      bytesOf: (content) => this.contents.contentOf(content),
      connection: this.#connection('infrastructure'),
      intervalMs: evidenceEvery * intervalMs,
      onRead: () => {
        void this.uploads.prove((cids) => this.evidence.lists(cids));
      },
      revisions: options.revisions,
    });
    this.uploads = this.#makeUploads(shared);
    this.missions = this.#makeMissions(shared);
    this.alarms = new Alarms({
      ...shared,
      onAcknowledged: (alarm) => {
        this.#logAlarm('alarm-acknowledged', alarm);
      },
      onUndone: (alarm) => {
        this.#logAlarm('acknowledgement-undone', alarm);
      },
      onLeft: options.onLeft,
    });
    this.drones = this.#makeDrones(shared);
    this.#events = this.#makeEvents(shared);
    // Not awaited: a damaged file, or a key store without an answer, must not delay a sign-in.
    void this.handovers.load();
    const views = this.views.load();
    this.ready = this.#load(views);
    this.reading = this.#read(views);
  }

  tokenChanged(): void {
    this.incidents.tokenChanged();
    if (!this.#isReady) return;
    this.evidence.tokenChanged();
    this.missions.tokenChanged();
  }

  /** An API answers again: the line to the other may be back too, whose lists wait for minutes after an outage. */
  connectionReturned(api: ApiName): void {
    if (api === 'infrastructure') this.incidents.connectionReturned();
    if (!this.#isReady) return;
    if (api === 'infrastructure') this.evidence.connectionReturned();
    this.missions.connectionReturned();
    this.#events.connectionReturned();
  }

  wake(): void {
    this.incidents.wake();
    if (!this.#isReady) return;
    this.evidence.wake();
    this.missions.wake();
    this.#events.wake();
    this.alarms.wake();
    this.uploads.review();
  }

  /**
   * Time passed, or the session or a connection changed. Incidents are reviewed separately: they do not depend on the
   * session.
   */
  review(): void {
    if (!this.#isReady) return;
    this.uploads.review();
    this.evidence.review();
    this.missions.review();
    this.#events.review();
  }

  /** Gives bytes to the feature that announced this id; null when none of them has. */
  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> | null {
    if (this.uploads.knows(id)) return this.uploads.receive(id, body);
    return this.evidence.knows(id) ? this.evidence.receive(id, body) : null;
  }

  #makeUploads(shared: Shared): Uploads {
    const { coordination, deployment, uploadToken, onUnsent, onNotice } = this.#options;
    return new Uploads({
      ...shared,
      api: coordination,
      upload: deployment.upload,
      session: () => this.#session(),
      connection: this.#connection('coordination'),
      uploadToken,
      findEvidence: (cids) => this.evidence.find(cids),
      onUnsent,
      onUpload: (kind, { fileName: subject, incidentId, phase }) => {
        const outcome = phase.state === 'sent' || phase.state === 'unproven' ? phase.verdict : null;
        this.notes.log({ kind, subject, incidentId, outcome });
      },
      onNotice,
    });
  }

  #makeMissions(shared: Shared): Missions {
    const { coordination, deployment } = this.#options;
    return new Missions({
      ...shared,
      api: coordination,
      missions: deployment.missions,
      hasEvents: deployment.eventsPath !== null,
      intervalMs: deployment.pollIntervals.incidentsMs,
      connection: this.#connection('coordination'),
      blocked: () => this.#blocked(),
      onDecided: ({ missionId: subject, decision, outcome }) => {
        this.notes.log({ kind: 'mission-decided', subject, outcome: `${decision}-${outcome}` });
      },
    });
  }

  #makeDrones(shared: Shared): Drones {
    const { deployment, droneVersions } = this.#options;
    return new Drones({
      ...shared,
      rule: deployment.positions,
      hasStream: deployment.eventsPath !== null,
      knowsIncident: (id) => shared.store.incidents.has(id),
      evidenceNaming: (id) => this.evidence.naming(id),
      heard: () => this.#events.heard,
      onSilence: (silence, why) => {
        this.alarms.takeDrones(silence, why);
      },
      versions: droneVersions,
    });
  }

  #makeEvents(shared: Shared): LiveEvents {
    const { coordination, deployment } = this.#options;
    return new LiveEvents({
      ...shared,
      api: coordination,
      path: deployment.eventsPath,
      missionIdField: deployment.missions.idField,
      knowsIncident: (id) => shared.store.incidents.has(id),
      takePosition: (event) => this.drones.take(event),
      onIncident: (id) => {
        this.incidents.hint(id);
      },
      onMission: (missionId, event) => {
        this.missions.noteEvent(missionId, event);
      },
      onEvidence: () => {
        this.evidence.hint();
      },
      heartbeatMs: deployment.timeouts.eventsMs,
      session: () => this.#session(),
    });
  }

  async #load(views: Promise<void>): Promise<void> {
    const { scope, ports } = this.#options;
    const others = [this.notes, this.alarms, this.changes, this.uploads, this.evidence, this.missions];
    // Not awaited: it reads thousands of notes beside files.
    void this.contents.load();
    try {
      await Promise.all([views, ...others.map((feature) => feature.load())]);
    } catch (error) {
      const name = nameOf(error);
      ports.logger.error('features-not-started', { error: name });
    }
    if (scope.isOver) return;
    this.#isReady = true;
    this.#events.open();
    this.review();
  }

  /** Shows the stored list first, and then reads from the service with the restored filters. */
  async #read(views: Promise<void>): Promise<void> {
    const { scope, restore } = this.#options;
    const [restored] = await Promise.all([restore(), views]);
    if (!scope.isOver) this.incidents.start({ ledger: restored?.ledger ?? null });
  }

  #logAlarm(kind: 'alarm-acknowledged' | 'acknowledgement-undone', alarm: Alarm): void {
    if (isInMemoryOnly(alarm)) return;
    const { sentence, note, incidentIds, count } = alarm;
    const incidentId = count === 1 ? (incidentIds[0] ?? null) : null;
    this.notes.log({ kind, subject: note, alarm: sentence, incidentId });
  }

  #connection(api: ApiName): () => ApiConnection['state'] {
    return () => this.#options.connection(api).state;
  }

  #session(): 'live' | 'waiting' | 'ended' {
    const session = this.#options.session();
    switch (session.state) {
      case 'active':
        return 'live';
      case 'renewing':
      case 'waiting':
        return session.expiresAt === null ? 'waiting' : 'live';
      case 'tokens-refused':
        return 'waiting';
      case 'none':
      case 'signing-in':
      case 'rejected':
        return 'ended';
    }
  }

  /** A decision needs the service and a live session. */
  #blocked(): Failure | null {
    const { session: ask, connection, serverTime, deployment } = this.#options;
    const at = serverTime.serverNow();
    const session = ask();
    if (session.state === 'rejected' || session.state === 'tokens-refused') return session.failure;
    const isLive = session.state === 'active' || (session.state === 'renewing' && session.expiresAt !== null);
    if (!isLive) {
      return makeFailure({
        code: 'session-waiting',
        at,
        sentence: message('mission.needsSession'),
        remedy: message('mission.needsConnectionRemedy'),
      });
    }
    // When no other request goes to the Coordination API, only a decision can find out that it answers again.
    const asked = deployment.missions.pendingPath !== null || deployment.eventsPath !== null;
    const offline =
      connection('infrastructure').state === 'offline' ||
      (asked && connection('coordination').state === 'offline');
    if (!offline) return null;
    return makeFailure({
      code: 'unreachable',
      at,
      sentence: message('mission.needsConnection'),
      remedy: message('mission.needsConnectionRemedy'),
    });
  }
}
