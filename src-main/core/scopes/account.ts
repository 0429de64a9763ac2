import type {
  Alarm,
  ApiConnection,
  Failure,
  OutboxState,
  SessionState,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../base/failure.ts';
import { message, type Message } from '../base/messages/message.ts';
import type { ServerTime } from '../base/serverTime.ts';
import type { SpoolAnswer } from '../base/spoolAnswer.ts';
import { Alarms } from '../features/alarms/alarms.ts';
import type { Heard } from '../features/alarms/forgetting.ts';
import type { Deployment } from '../features/deployments/schema.ts';
import { LiveEvents } from '../features/events/liveEvents.ts';
import { Contents } from '../features/evidence/content/contents.ts';
import { Evidence, type RevisionCounter } from '../features/evidence/evidence.ts';
import type { Downloads } from '../features/exports/downloads.ts';
import { LastHourCounter } from '../features/incidents/changes/lastHour.ts';
import { UnseenChanges } from '../features/incidents/changes/unseenChanges.ts';
import { IncidentSync } from '../features/incidents/sync/incidentSync.ts';
import type { IncidentSyncOptions } from '../features/incidents/sync/syncOptions.ts';
import { Missions } from '../features/missions/missions.ts';
import type { HandoverRepository } from '../features/notes/handover/handoverRepository.ts';
import { Handovers } from '../features/notes/handover/handovers.ts';
import { Notes } from '../features/notes/notes.ts';
import { Uploads } from '../features/uploads/uploads.ts';
import { Views } from '../features/views/views.ts';
import type { CoordinationApi } from '../service/api/coordination.ts';
import type { InfrastructureApi } from '../service/api/infrastructure.ts';
import type { GatewayClient } from '../service/gateway/gatewayClient.ts';
import type { ApiName } from '../service/transport/request.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { Account } from '../vault/account.ts';
import type { Ports } from './ports.ts';

/** How evidence, uploads, missions and events are reached, which the specification leaves open. Times in milliseconds. */
export interface AccountPlan extends Pick<
  Deployment,
  'evidencePath' | 'upload' | 'missions' | 'eventsPath' | 'gateways' | 'evidencePreview' | 'evidenceCache'
> {
  /** An event stream that is silent for so long is dead. */
  readonly eventsMs: number;
  /** The time between two reads of the pending missions; evidence is read less often. */
  readonly listMs: number;
}

export interface AccountScopeOptions extends Account {
  readonly plan: AccountPlan;
  readonly ports: Ports;
  readonly store: ConsoleStore;
  readonly downloads: Downloads;
  readonly serverTime: ServerTime;
  readonly infrastructure: InfrastructureApi;
  readonly coordination: CoordinationApi;
  /** Null where nothing may be fetched from gateways. */
  readonly gateways: Pick<GatewayClient, 'ask'> | null;
  readonly session: () => SessionState;
  readonly uploadToken: () => OutboxState['uploadToken'];
  readonly connection: (api: ApiName) => ApiConnection;
  /** How incidents are read; times in milliseconds. */
  readonly sync: Pick<
    IncidentSyncOptions,
    'unit' | 'intervalMs' | 'requestsPerMinute' | 'retention' | 'onLedger'
  >;
  /** Reads the stored incidents into the store; the ledger of what they cover. */
  readonly restore: () => Promise<{ readonly ledger: string | null } | null>;
  readonly handovers: HandoverRepository;
  readonly revisions: RevisionCounter;
  readonly onUnsent: (unsent: number) => void;
  readonly onNotice: (said: Message) => void;
  readonly onLeft: (heard: Heard) => void;
}

/** Evidence changes with uploads, which hint at it, and rarely else. */
const evidenceEvery = 4;

/**
 * Everything that one operator works with on one deployment: built when the vault opens, disposed of when it is left.
 * What is made first ends last: incidents are in the store until all others have taken what is still to be written,
 * and the log of the shift takes lines until the uploads have ended.
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
  readonly changes: UnseenChanges;
  /** Settles when what is stored was taken up. Never rejects. */
  readonly ready: Promise<void>;
  /** Settles when incidents are read from the service. Never rejects. */
  readonly reading: Promise<void>;
  readonly #events: LiveEvents;
  readonly #options: AccountScopeOptions;
  #isReady = false;

  constructor(options: AccountScopeOptions) {
    const { scope, records, username, plan, ports, store, downloads, serverTime } = options;
    const { random, logger } = ports;
    const account = { scope, records, username };
    const shared = { ...account, store, clock: scope.clock, random, logger, serverTime, downloads };
    const connection = (api: ApiName) => (): ApiConnection['state'] => options.connection(api).state;
    this.#options = options;
    this.incidents = new IncidentSync({
      ...shared,
      ...options.sync,
      api: options.infrastructure,
      connection: connection('infrastructure'),
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
    new LastHourCounter({ ...shared, intervalMs: options.sync.intervalMs });
    this.contents = new Contents({
      ...shared,
      client: options.gateways,
      gateways: plan.gateways,
      preview: plan.evidencePreview,
      cacheBytes: plan.evidenceCache,
      serverNow: () => serverTime.serverNow(),
    });
    this.evidence = new Evidence({
      ...shared,
      api: options.infrastructure,
      gateways: plan.gateways,
      openExternal: ports.openExternal,
      hasher: () => ports.records.hasher(),
      bytesOf: (content) => this.contents.contentOf(content),
      connection: connection('infrastructure'),
      intervalMs: evidenceEvery * plan.listMs,
      revisions: options.revisions,
    });
    this.uploads = new Uploads({
      ...shared,
      api: options.coordination,
      upload: plan.upload,
      session: () => this.#session(),
      connection: connection('coordination'),
      uploadToken: options.uploadToken,
      findEvidence: (cids) => this.evidence.find(cids),
      onUnsent: options.onUnsent,
      onUpload: (kind, { fileName: subject, incidentId, phase }) => {
        const outcome = phase.state === 'sent' ? phase.verdict : null;
        this.notes.log({ kind, subject, incidentId, outcome });
      },
      onNotice: options.onNotice,
    });
    this.missions = new Missions({
      ...shared,
      api: options.coordination,
      missions: plan.missions,
      hasEvents: plan.eventsPath !== null,
      intervalMs: plan.listMs,
      connection: connection('coordination'),
      blocked: () => this.#blocked(),
      onDecided: ({ missionId: subject, decision, outcome }) => {
        this.notes.log({ kind: 'mission-decided', subject, outcome: `${decision}-${outcome}` });
      },
    });
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
    this.#events = new LiveEvents({
      ...shared,
      api: options.coordination,
      path: plan.eventsPath,
      missionIdField: plan.missions.idField,
      knowsIncident: (id) => store.incidents.has(id),
      onIncident: (id) => {
        this.incidents.hint(id);
      },
      onMission: (missionId, event) => {
        this.missions.noteEvent(missionId, event);
      },
      onEvidence: () => {
        this.evidence.hint();
      },
      heartbeatMs: plan.eventsMs,
      session: () => this.#session(),
    });
    // Beside the others: a damaged file, or a key store that does not answer, holds up no sign-in.
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

  /** An API answers again. */
  connectionReturned(api: ApiName): void {
    if (api === 'infrastructure') this.incidents.connectionReturned();
    if (!this.#isReady) return;
    if (api === 'infrastructure') this.evidence.connectionReturned();
    else this.missions.connectionReturned();
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

  /** Time has passed, or the session or a connection changed. Incidents are reviewed apart: of the session they show nothing. */
  review(): void {
    if (!this.#isReady) return;
    this.uploads.review();
    this.evidence.review();
    this.missions.review();
    this.#events.review();
  }

  /** Whose bytes these are is known by their id; null when none of these features has announced it. */
  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> | null {
    if (this.uploads.knows(id)) return this.uploads.receive(id, body);
    return this.evidence.knows(id) ? this.evidence.receive(id, body) : null;
  }

  async #load(views: Promise<void>): Promise<void> {
    const { scope, ports } = this.#options;
    const others = [this.notes, this.alarms, this.changes, this.uploads, this.evidence, this.missions];
    // Thousands of notes beside files are read: nothing waits for that.
    void this.contents.load();
    try {
      await Promise.all([views, ...others.map((feature) => feature.load())]);
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      ports.logger.error('actions-not-started', { error: name });
    }
    if (scope.isOver) return;
    this.#isReady = true;
    this.#events.open();
    this.review();
  }

  /** First what is stored, which is there at once; then what the service has, under the filters that came back. */
  async #read(views: Promise<void>): Promise<void> {
    const { scope, restore } = this.#options;
    const [restored] = await Promise.all([restore(), views]);
    if (!scope.isOver) this.incidents.start({ ledger: restored?.ledger ?? null });
  }

  #logAlarm(
    kind: 'alarm-acknowledged' | 'acknowledgement-undone',
    { sentence, note, incidentIds, count }: Alarm,
  ): void {
    const incidentId = count === 1 ? (incidentIds[0] ?? null) : null;
    this.notes.log({ kind, subject: note, alarm: sentence, incidentId });
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

  /** Decisions need the live service and a live session (design rule 8). */
  #blocked(): Failure | null {
    const { session: ask, connection, serverTime, plan } = this.#options;
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
    // Where nothing else asks the Coordination API, only the decision itself can find out that it is back.
    const asked = plan.missions.pendingPath !== null || plan.eventsPath !== null;
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
