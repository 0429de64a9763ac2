import type {
  Alarm,
  ApiConnection,
  Failure,
  IncidentQuery,
  OutboxState,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../base/failure.ts';
import { message, type Message } from '../base/messages/message.ts';
import type { ServerTime } from '../base/serverTime.ts';
import type { SpoolAnswer } from '../base/spoolAnswer.ts';
import { Alarms } from '../features/alarms/alarms.ts';
import type { Deployment } from '../features/deployments/schema.ts';
import { LiveEvents } from '../features/events/liveEvents.ts';
import { Evidence } from '../features/evidence/evidence.ts';
import type { Downloads } from '../features/exports/downloads.ts';
import { LastHourCounter } from '../features/incidents/changes/lastHour.ts';
import { UnseenChanges } from '../features/incidents/changes/unseenChanges.ts';
import type { IncidentSync } from '../features/incidents/sync/incidentSync.ts';
import { Missions } from '../features/missions/missions.ts';
import type { HandoverFiles } from '../features/notes/handover/handoverFiles.ts';
import { Handovers } from '../features/notes/handover/handovers.ts';
import { Notes } from '../features/notes/notes.ts';
import { Uploads } from '../features/uploads/uploads.ts';
import { Views } from '../features/views/views.ts';
import type { CoordinationApi } from '../service/api/coordination.ts';
import type { InfrastructureApi } from '../service/api/infrastructure.ts';
import type { Session } from '../service/session/sessionPort.ts';
import type { ApiName } from '../service/transport/request.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { VaultRecords } from '../vault/records.ts';
import type { Ports } from './ports.ts';

/** How evidence, uploads, missions and events are reached, which the specification leaves open. Times in milliseconds. */
export interface AccountPlan extends Pick<
  Deployment,
  'evidencePath' | 'upload' | 'missions' | 'eventsPath' | 'gateways'
> {
  /** An event stream that is silent for so long is dead. */
  readonly eventsMs: number;
  /** The time between two reads of the pending missions; evidence is read less often. */
  readonly listMs: number;
}

export interface AccountFeaturesOptions {
  readonly plan: AccountPlan;
  readonly ports: Ports;
  readonly store: ConsoleStore;
  readonly downloads: Downloads;
  readonly serverTime: ServerTime;
  readonly infrastructure: InfrastructureApi;
  readonly coordination: CoordinationApi;
  readonly session: () => ReturnType<Session['snapshot']>;
  readonly connection: (api: ApiName) => ApiConnection;
  /** The usual time between two reads of incidents, milliseconds. */
  readonly incidentsMs: number;
  readonly sync: Pick<IncidentSync, 'hint'>;
  readonly setQuery: (query: IncidentQuery) => void;
  /** Null for a deployment of which nothing is stored. */
  readonly handoverFiles: HandoverFiles | null;
  /** The deployment and its origin, as 32 hexadecimal digits. */
  readonly deployment: string;
  readonly onUnsent: (unsent: number) => void;
  readonly onNotice: (said: Message) => void;
}

/** Evidence changes with uploads, which poke it, and rarely else. */
const evidenceEvery = 4;

/**
 * Everything by which an operator acts on one deployment, and what tells them that they should:
 * outbox, evidence, missions, live events and alarms. They live as long as the vault is open.
 */
export class AccountFeatures {
  readonly uploads: Uploads;
  readonly evidence: Evidence;
  readonly missions: Missions;
  readonly alarms: Alarms;
  readonly views: Views;
  readonly notes: Notes;
  readonly handovers: Handovers;
  readonly changes: UnseenChanges;
  readonly #lastHour: LastHourCounter;
  readonly #events: LiveEvents;
  readonly #options: AccountFeaturesOptions;
  /** Counts stops: a start that was overtaken by one must not leave anything running. */
  #stops = 0;
  #running = false;
  #ready: Promise<void> = Promise.resolve();

  constructor(options: AccountFeaturesOptions) {
    const { plan, ports, store, serverTime, infrastructure, coordination, sync } = options;
    const { clock, random, logger } = ports;
    const shared = { store, clock, random, logger, serverTime };
    const connection = (api: ApiName) => (): ApiConnection['state'] => options.connection(api).state;
    this.#options = options;
    this.evidence = new Evidence({
      ...shared,
      api: infrastructure,
      gateways: plan.gateways,
      openExternal: ports.openExternal,
      hasher: () => ports.records.hasher(),
      connection: connection('infrastructure'),
      intervalMs: evidenceEvery * plan.listMs,
    });
    this.uploads = new Uploads({
      ...shared,
      api: coordination,
      upload: plan.upload,
      session: () => this.#session(),
      connection: connection('coordination'),
      uploadToken: () => this.#uploadToken(),
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
      downloads: options.downloads,
      api: coordination,
      missions: plan.missions,
      hasEvents: plan.eventsPath !== null,
      intervalMs: plan.listMs,
      connection: connection('coordination'),
      blocked: () => this.#blocked(),
      onDecided: ({ missionId: subject, decision, outcome }) => {
        this.notes.log({ kind: 'mission-decided', subject, outcome: `${decision}-${outcome}` });
      },
    });
    this.#events = new LiveEvents({
      ...shared,
      api: coordination,
      path: plan.eventsPath,
      missionIdField: plan.missions.idField,
      knowsIncident: (id) => store.incidents.has(id),
      onIncident: (id) => {
        sync.hint(id);
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
    this.alarms = new Alarms({
      ...shared,
      onAcknowledged: (alarm) => {
        this.#logAlarm('alarm-acknowledged', alarm);
      },
      onUndone: (alarm) => {
        this.#logAlarm('acknowledgement-undone', alarm);
      },
    });
    this.handovers = new Handovers({
      ...shared,
      files: options.handoverFiles,
      deployment: options.deployment,
      onNotice: options.onNotice,
      onTakenOver: ({ from }) => {
        this.notes.log({ kind: 'taken-over', subject: from });
      },
    });
    this.notes = new Notes({
      ...shared,
      handovers: this.handovers,
      downloads: options.downloads,
      readUploads: (from, count) => this.uploads.read(from, count),
      auditHash: () => this.missions.auditHash,
    });
    this.views = new Views({ ...shared, downloads: options.downloads, setQuery: options.setQuery });
    this.changes = new UnseenChanges(shared);
    this.#lastHour = new LastHourCounter({ ...shared, intervalMs: options.incidentsMs });
    this.#tellOutbox();
  }

  /**
   * Takes up what is stored. `records` null: nothing can be stored, and so nothing can be queued. Verbs that
   * come meanwhile wait for `ready`.
   */
  start(actions: VaultRecords | null, username: string): void {
    this.#ready = this.#start(actions, username);
  }

  /** Settles when what was begun last has started or was overtaken by a stop. Never rejects. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  async #start(actions: VaultRecords | null, username: string): Promise<void> {
    const before = this.#stops;
    this.#lastHour.start();
    // Beside the others: a damaged file, or a key store that does not answer, holds up no sign-in.
    void this.handovers.start(username);
    try {
      await Promise.all([
        this.views.start(actions),
        this.notes.start(actions, username),
        this.alarms.start(actions),
        this.changes.start(actions),
        this.uploads.start(actions, username),
        this.evidence.start(actions),
        this.missions.start(actions, username),
      ]);
    } catch (error) {
      const { logger } = this.#options.ports;
      logger.error('actions-not-started', { error: error instanceof Error ? error.name : 'unknown' });
    }
    if (before !== this.#stops) return;
    this.#running = true;
    this.#events.start();
    this.review();
  }

  /** Done when nothing uses what `start` was given. */
  async stop(): Promise<void> {
    this.#stops += 1;
    this.#running = false;
    this.#events.stop();
    this.#lastHour.stop();
    this.handovers.stop();
    const others = Promise.all([
      this.views.stop(),
      this.uploads.stop(),
      this.evidence.stop(),
      this.missions.stop(),
      this.alarms.stop(),
      this.changes.stop(),
    ]);
    await Promise.all([others, this.notes.stop(others)]);
    this.#tellOutbox();
  }

  tokenChanged(): void {
    if (!this.#running) return;
    this.evidence.tokenChanged();
    this.missions.tokenChanged();
  }

  connectionReturned(api: ApiName): void {
    if (!this.#running) return;
    if (api === 'infrastructure') this.evidence.connectionReturned();
    else this.missions.connectionReturned();
    this.#events.connectionReturned();
  }

  wake(): void {
    if (!this.#running) return;
    this.evidence.wake();
    this.missions.wake();
    this.#events.wake();
    this.alarms.wake();
    this.uploads.review();
  }

  /** Time has passed, or the session or a connection changed. */
  review(): void {
    if (!this.#running) {
      this.#tellOutbox();
      return;
    }
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

  #logAlarm(
    kind: 'alarm-acknowledged' | 'acknowledgement-undone',
    { sentence, note, incidentIds, count }: Alarm,
  ): void {
    const incidentId = count === 1 ? (incidentIds[0] ?? null) : null;
    this.notes.log({ kind, subject: note === null ? sentence : `${sentence} ${note}`, incidentId });
  }

  /** What the sign-in page has to know, as no outbox is open yet. */
  #tellOutbox(): void {
    const { store, plan } = this.#options;
    const uploadToken = this.#uploadToken();
    store.patch('outbox', { uploadToken, incidentField: plan.upload.incidentField !== null });
  }

  #uploadToken(): OutboxState['uploadToken'] {
    const { plan, session } = this.#options;
    return plan.upload.separateSignIn ? session().uploadToken : 'not-used';
  }

  #session(): 'live' | 'waiting' | 'ended' {
    const { session } = this.#options.session();
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
    const { session } = ask();
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
