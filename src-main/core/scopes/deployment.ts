import {
  failed,
  type OutboxState,
  type Result,
  type SessionState,
  type SeverityRanking,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../base/failure.ts';
import { message, type Message } from '../base/messages/message.ts';
import { originOf } from '../base/origins.ts';
import type { Documents } from '../base/ports.ts';
import { Scope } from '../base/scope.ts';
import { createServerTime, type ServerTime } from '../base/serverTime.ts';
import { watchForForgetting } from '../features/alarms/forgetting.ts';
import type { RequestJournal } from '../features/diagnostics/requestJournal.ts';
import type { RevisionCounter } from '../features/evidence/evidence.ts';
import type { Downloads } from '../features/exports/downloads.ts';
import { HealthMonitor } from '../features/health/healthMonitor.ts';
import type { HealthFieldNames } from '../features/health/integration.ts';
import type { TimestampUnit } from '../features/incidents/range.ts';
import type { RetentionPolicy } from '../features/incidents/sync/retention.ts';
import { HandoverRepository } from '../features/notes/handover/handoverRepository.ts';
import { GatewayClient } from '../service/gateway/gatewayClient.ts';
import { VaultGuesses } from '../service/session/guesses.ts';
import { connectionAtStart, trackConnection, type ConnectionTrack } from '../service/transport/connection.ts';
import { createServiceLink, type ServiceAddress, type ServiceLink } from '../service/transport/link.ts';
import type { Answer, ApiName, AttemptOutcome } from '../service/transport/request.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import { bindingOf, vaultIdOf } from '../vault/header.ts';
import { createMemoryVault } from '../vault/memoryVault.ts';
import { createVaultRepository } from '../vault/vaultRepository.ts';
import { VaultSession } from '../vault/vaultSession.ts';
import { AccountScope, type AccountPlan } from './account.ts';
import type { Ports } from './ports.ts';

/** What a deployment scope is made from: a deployment file, or the embedded training one. */
export interface DeploymentPlan {
  readonly id: string;
  readonly name: string;
  /** Whether what is known is kept on this computer. */
  readonly kept: boolean;
  readonly address: ServiceAddress;
  readonly unit: TimestampUnit;
  readonly healthFields: HealthFieldNames;
  readonly incidentsMs: number;
  readonly healthMs: number;
  readonly requestsPerMinute: number;
  readonly retention: RetentionPolicy;
  readonly severities: SeverityRanking;
  readonly closedStatuses: string[];
  /** How evidence, uploads, missions and events are reached, which the specification leaves open. */
  readonly account: AccountPlan;
}

export interface DeploymentScopeOptions {
  readonly plan: DeploymentPlan;
  readonly ports: Ports;
  readonly store: ConsoleStore;
  readonly journal: RequestJournal;
  readonly downloads: Downloads;
  readonly forgetAfterMs: number;
  /** Whether the policy lets evidence be fetched from gateways. */
  readonly fetchesEvidence: boolean;
  /** Why the session before this deployment scope ended, which the sign-in page still has to say; null for none. */
  readonly endedBefore: Extract<SessionState, { state: 'none' }>['ended'] | null;
}

const tickMs = 10_000;

/** For a deployment of which nothing is kept. */
const nothingKept: Documents = {
  read: () => Promise.resolve(null),
  write: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

/**
 * The console at work on one deployment: its session, its time, its connection and what it reads.
 * Everything that belongs to the deployment ends with it.
 */
export class DeploymentScope {
  readonly id: string;
  readonly #options: DeploymentScopeOptions;
  readonly #scope: Scope;
  readonly #time: ServerTime;
  readonly #link: ServiceLink;
  readonly #gateways: GatewayClient | null;
  readonly #vaultSession: VaultSession;
  readonly #health: HealthMonitor;
  readonly #handovers: HandoverRepository;
  readonly #revisions: RevisionCounter = { used: 0 };
  #tracks: { infrastructure: ConnectionTrack; coordination: ConnectionTrack };
  /** Null while no vault is open. */
  #account: { readonly features: AccountScope; readonly scope: Scope } | null = null;
  #stopForgetting: (() => void) | null = null;
  #expiresAt: number | null = null;
  #wasSignedIn = false;

  /** @throws when the plan's address or private CA cannot be used. */
  constructor(options: DeploymentScopeOptions) {
    const { plan, ports, store, forgetAfterMs } = options;
    const { clock, random, logger, hasher } = ports;
    this.id = plan.id;
    this.#options = options;
    this.#scope = new Scope({ clock, logger });
    this.#time = createServerTime({ clock });
    const now = this.#time.serverNow();
    this.#tracks = { infrastructure: connectionAtStart(now), coordination: connectionAtStart(now) };
    const serverNow = (): number => this.#time.serverNow();
    const deployment = { id: plan.id, infrastructureUrl: plan.address.infrastructureUrl };
    this.#vaultSession = new VaultSession({
      repository: plan.kept
        ? createVaultRepository({
            storage: ports.vaults,
            records: ports.records,
            hasher,
            random,
            logger,
            now: serverNow,
            deployment,
            deviceSecret: ports.deviceSecret,
          })
        : null,
      records: ports.records,
      memory: createMemoryVault({ hasher, random }),
      store,
      clock,
      logger,
      serverNow,
      // First, while the store still holds what is to be stored of it.
      onLeaving: () => this.#leaveAccount(),
    });
    this.#link = createServiceLink({
      address: plan.address,
      clock,
      random,
      logger,
      vaultPort: this.#vaultSession,
      guesses: new VaultGuesses({
        clock,
        logger,
        documents: plan.kept ? ports.documents : nothingKept,
        vaultOf: (username) =>
          vaultIdOf({ deploymentId: plan.id, origin: originOf(plan.address.infrastructureUrl) }, username),
      }),
      serverTime: this.#time,
      forgetAfterMs,
      evidencePath: plan.account.evidencePath,
      onRefused: (refused) => {
        store.set('capabilities', { refused: [...refused] });
      },
      onOutcome: (outcome) => {
        this.#takeOutcome(outcome);
      },
      onAttempt: (line) => {
        options.journal.note(line);
      },
    });
    this.#gateways = this.#gatewayClient();
    this.#health = new HealthMonitor({
      scope: this.#scope,
      store,
      clock: this.#scope.clock,
      random,
      logger,
      serverTime: this.#time,
      connection: () => this.#tracks.infrastructure.connection.state,
      api: this.#link.infrastructure,
      intervalMs: plan.healthMs,
      fieldNames: plan.healthFields,
    });
    this.#handovers = new HandoverRepository({
      logger,
      serverTime: this.#time,
      files: plan.kept ? ports.handovers : null,
      deployment: bindingOf({ deploymentId: plan.id, origin: originOf(plan.address.infrastructureUrl) }),
      onNotice: (said) => {
        this.#vaultSession.note(said);
      },
    });
  }

  start(): void {
    const { severities, closedStatuses } = this.#options.plan;
    this.#options.store.patch('app', { severities, closedStatuses });
    const stops = [
      this.#link.session.onChange(() => {
        this.#takeSession();
      }),
      this.#time.onChange(() => {
        this.#tellTime();
      }),
      this.#options.store.watch('system', ({ keyStore }) => {
        if (keyStore === 'open') this.#vaultSession.keyStoreOpened();
      }),
    ];
    for (const stop of stops) this.#scope.onEnd(stop);
    this.#takeSession();
    this.#tellConnection();
    this.#tick();
    this.#health.start();
    void this.#vaultSession.list();
  }

  /** What the operator works with whose vault is open; null while no operator is signed in. */
  get account(): AccountScope | null {
    return this.#account?.features ?? null;
  }

  serverNow(): number {
    return this.#time.serverNow();
  }

  signIn(username: string, password: string, uploadToken: string | null): Promise<Result<null>> {
    return this.#link.session.signIn(username, password, uploadToken);
  }

  giveUploadToken(token: string): Result<null> {
    return this.#link.session.giveUploadToken(token);
  }

  renewSession(): Result<null> {
    return this.#link.session.renewNow();
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

  openWithPrevious(password: string): Promise<Result<null>> {
    return this.#link.session.openWithPrevious(password);
  }

  startNewVault(): Promise<Result<null>> {
    return this.#link.session.startNewVault();
  }

  /** Destroys a vault; whoever has it open is signed out first. `unsent` must be what it holds. */
  async eraseVault(id: string, unsent: number): Promise<Result<null>> {
    const vault = this.#options.store.slice('storage').vaults.find((known) => known.id === id);
    const refuse = (code: 'not-found' | 'conflict', sentence: Message): Result<never> =>
      failed(makeFailure({ code, at: this.#time.serverNow(), sentence, remedy: null }));
    if (!vault) return refuse('not-found', message('vault.notHere'));
    if (vault.unsent !== unsent) return refuse('conflict', message('vault.unsentChanged'));
    const { vault: state, username } = this.#link.session.snapshot();
    const asked = state === 'sealed' && username === vault.username && !vault.setAside;
    if (asked || this.#vaultSession.isOpen(id)) this.#link.session.signOut();
    return this.#vaultSession.erase(id);
  }

  dismissStorageNotice(): void {
    this.#vaultSession.dismissNotice();
  }

  /** Whether an API answers at all, by one request. */
  probe(api: ApiName): Promise<Result<Answer>> {
    return this.#link.probe(api);
  }

  checkHealth(): Promise<Result<null>> {
    return this.#health.checkNow(true);
  }

  wake(): void {
    this.#time.wake();
    this.#link.session.wake();
    this.account?.wake();
    void this.#health.checkNow();
  }

  /** Signs out because the deployment changes, and ends everything that belongs to it. */
  async close(): Promise<void> {
    if (this.#scope.isOver) return;
    this.#link.session.signOut('deployment-changed');
    await this.#scope[Symbol.asyncDispose]();
    await this.#link.close();
    await this.#gateways?.close();
    await this.#vaultSession.settled();
  }

  /** Null where nothing may be fetched. */
  #gatewayClient(): GatewayClient | null {
    const { plan, fetchesEvidence } = this.#options;
    const { gateways, evidencePreview } = plan.account;
    if (!fetchesEvidence || evidencePreview === 'off' || gateways.length === 0) return null;
    const { clock } = this.#options.ports;
    return new GatewayClient({
      address: plan.address,
      gateways,
      clock,
      serverNow: () => this.#time.serverNow(),
    });
  }

  #takeSession(): void {
    const { store, plan, endedBefore } = this.#options;
    const { vault, session: current, username, lock, guessesThrottledUntil } = this.#link.session.snapshot();
    const untouched = current.state === 'none' && current.ended === 'never-started';
    const session: SessionState = untouched && endedBefore ? { state: 'none', ended: endedBefore } : current;
    const signedIn = vault === 'open';
    const wasSignedIn = this.#wasSignedIn;
    this.#wasSignedIn = signedIn;
    if (wasSignedIn && !signedIn) this.#dropData();
    store.set('session', { vault, session, username });
    store.set('lock', {
      locked: lock.locked,
      username: lock.locked ? username : null,
      deploymentName: lock.locked ? plan.name : null,
      throttledUntil: lock.throttledUntil,
    });
    const { sealed } = this.#vaultSession;
    store.patch('storage', {
      previousPassword:
        vault === 'sealed' && sealed ? { ...sealed, throttledUntil: guessesThrottledUntil } : null,
    });
    if (!wasSignedIn && signedIn) this.#openAccount(username ?? '');
    this.#health.attend(signedIn);
    const expiresAt = session.state === 'active' ? session.expiresAt : this.#expiresAt;
    if (expiresAt !== this.#expiresAt && wasSignedIn && signedIn) this.account?.tokenChanged();
    this.#expiresAt = expiresAt;
    this.#review();
  }

  #openAccount(username: string): void {
    const { plan, ports, store, downloads } = this.#options;
    const { unit, incidentsMs: intervalMs, requestsPerMinute, retention } = plan;
    const scope = this.#scope.child();
    this.#stopForgetting?.();
    const features = new AccountScope({
      scope,
      records: this.#vaultSession.records,
      username,
      plan: plan.account,
      ports,
      store,
      downloads,
      serverTime: this.#time,
      infrastructure: this.#link.infrastructure,
      coordination: this.#link.coordination,
      gateways: this.#gateways,
      session: () => this.#link.session.snapshot().session,
      uploadToken: () => this.#uploadToken(),
      connection: (api) => this.#tracks[api].connection,
      sync: {
        unit,
        intervalMs,
        requestsPerMinute,
        retention,
        onLedger: (text) => {
          this.#vaultSession.noteLedger(text);
        },
      },
      restore: () => this.#vaultSession.restore(),
      handovers: this.#handovers,
      revisions: this.#revisions,
      onUnsent: (unsent) => {
        this.#vaultSession.noteUnsent(unsent);
      },
      onNotice: (said) => {
        this.#vaultSession.note(said);
      },
      onLeft: (heard) => {
        if (!heard.settings.session) return;
        this.#stopForgetting = watchForForgetting({ store, serverTime: this.#time, ...heard });
      },
    });
    this.#account = { features, scope };
  }

  async #leaveAccount(): Promise<void> {
    const account = this.#account;
    this.#account = null;
    await account?.scope[Symbol.asyncDispose]();
    this.#tellOutbox();
  }

  /** What one operator has read is not there for the next one. */
  #dropData(): void {
    this.#options.store.beginEpoch();
    this.#options.store.set('capabilities', { refused: [] });
    this.#expiresAt = null;
  }

  /** What the sign-in page has to know, as no outbox is open yet. */
  #tellOutbox(): void {
    const { store, plan } = this.#options;
    const incidentField = plan.account.upload.incidentField !== null;
    store.patch('outbox', { uploadToken: this.#uploadToken(), incidentField });
  }

  #uploadToken(): OutboxState['uploadToken'] {
    const { separateSignIn } = this.#options.plan.account.upload;
    return separateSignIn ? this.#link.session.snapshot().uploadToken : 'not-used';
  }

  /** Time has passed, or the session or a connection changed. */
  #review(): void {
    if (this.account === null) this.#tellOutbox();
    else this.account.review();
  }

  #takeOutcome(outcome: AttemptOutcome): void {
    if (this.#scope.isOver) return;
    const before = this.#tracks[outcome.api];
    const after = trackConnection(before, outcome, this.#time.serverNow());
    if (after === before) return;
    this.#tracks = { ...this.#tracks, [outcome.api]: after };
    this.#tellConnection();
    if (after.connection.state !== before.connection.state) {
      this.#review();
      if (after.connection.state === 'online') this.account?.connectionReturned(outcome.api);
    }
    if (outcome.api !== 'infrastructure' || after.connection.state === before.connection.state) return;
    this.account?.incidents.review();
    this.#health.review();
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
      serverNow: this.#time.serverNow(),
      verified: this.#time.verified(),
      skewMs: this.#time.skewMs(),
    });
  }

  #tick(): void {
    this.#tellTime();
    this.#link.session.keepFresh();
    this.account?.incidents.review();
    this.#health.review();
    this.#review();
    this.#scope.clock.schedule(tickMs, () => {
      this.#tick();
    });
  }
}
