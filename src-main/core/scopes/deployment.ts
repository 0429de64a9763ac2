import {
  failed,
  ok,
  type OutboxState,
  type Result,
  type SessionState,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../base/failure.ts';
import { message, type Message } from '../base/messages/message.ts';
import { originOf } from '../base/origins.ts';
import type { Documents } from '../base/ports.ts';
import { Scope } from '../base/scope.ts';
import { createServerTime, type ServerTime } from '../base/serverTime.ts';
import { watchForForgetting } from '../features/alarms/forgetting.ts';
import { serviceAddress, type Deployment } from '../features/deployments/index.ts';
import type { RequestJournal } from '../features/diagnostics/requestJournal.ts';
import type { RevisionCounter } from '../features/evidence/evidence.ts';
import type { Downloads } from '../features/exports/downloads.ts';
import { HealthMonitor } from '../features/health/healthMonitor.ts';
import { HandoverRepository } from '../features/notes/handover/handoverRepository.ts';
import { GatewayClient } from '../service/gateway/gatewayClient.ts';
import { VaultGuesses } from '../service/session/guesses.ts';
import type { Session } from '../service/session/operatorSession.ts';
import { connectionAtStart, trackConnection, type ConnectionTrack } from '../service/transport/connection.ts';
import { createServiceLink, type ServiceAddress, type ServiceLink } from '../service/transport/link.ts';
import type { Answer, ApiName, AttemptOutcome } from '../service/transport/request.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import { bindingOf, vaultIdOf } from '../vault/header.ts';
import { createMemoryVault } from '../vault/memoryVault.ts';
import { VaultRepository } from '../vault/vaultRepository.ts';
import { VaultSession } from '../vault/vaultSession.ts';
import { AccountScope } from './account.ts';
import type { Ports } from './ports.ts';

export interface DeploymentScopeOptions {
  readonly deployment: Deployment;
  /** The text of its private CA file. */
  readonly ca: string | null;
  /** Whether data is stored on this computer. */
  readonly kept: boolean;
  readonly ports: Ports;
  readonly store: ConsoleStore;
  readonly journal: RequestJournal;
  readonly downloads: Downloads;
  readonly forgetAfterMs: number;
  /** Whether the policy allows fetching evidence from gateways. */
  readonly fetchesEvidence: boolean;
  /** Why the last session ended before this scope was made, for the sign-in page; null for none. */
  readonly endedBefore: Extract<SessionState, { state: 'none' }>['ended'] | null;
}

/** Between two looks at all that only time changes; and at what an hour may cost, where that is limited. */
const [tickMs, limitedTickMs] = [10_000, 1_000];

/** For a deployment that stores nothing. */
const nothingKept: Documents = {
  read: () => Promise.resolve(null),
  write: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

/** The console's work on one deployment: its session, time, connection and data. All of it ends with this scope. */
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
  readonly #droneVersions: RevisionCounter = { used: 0 };
  #tracks: { infrastructure: ConnectionTrack; coordination: ConnectionTrack };
  /** Null while no vault is open. */
  #account: { readonly features: AccountScope; readonly scope: Scope } | null = null;
  #stopForgetting: (() => void) | null = null;
  #expiresAt: number | null = null;
  #wasSignedIn = false;
  #network: string;

  /** @throws when the deployment's address or private CA is not usable. */
  constructor(options: DeploymentScopeOptions) {
    const { deployment, kept, ports, store, forgetAfterMs } = options;
    const { clock, random, logger, hasher } = ports;
    this.id = deployment.id;
    this.#options = options;
    this.#scope = new Scope({ clock, logger });
    this.#network = ports.network.addresses();
    this.#time = createServerTime({ clock });
    const now = this.#time.serverNow();
    this.#tracks = { infrastructure: connectionAtStart(now), coordination: connectionAtStart(now) };
    const serverNow = (): number => this.#time.serverNow();
    const owner = { deploymentId: deployment.id, origin: originOf(deployment.infrastructureUrl) };
    this.#vaultSession = new VaultSession({
      repository: kept
        ? new VaultRepository({
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
      isOnline: () => this.#tracks.infrastructure.connection.state === 'online',
      onReopened: () => this.#reopenAccount(),
      // First, while the store still has the data to be saved.
      onLeaving: () => this.#leaveAccount(),
      onLeft: ports.collectGarbage,
    });
    const address = serviceAddress(deployment, options.ca);
    this.#link = createServiceLink({
      address,
      network: ports.network,
      clock,
      random,
      logger,
      vaultPort: this.#vaultSession,
      guesses: new VaultGuesses({
        clock,
        logger,
        documents: kept ? ports.documents : nothingKept,
        vaultOf: (username) => vaultIdOf(owner, username),
      }),
      serverTime: this.#time,
      bytesPerHour: deployment.sync.bytesPerHour,
      forgetAfterMs,
      evidencePath: deployment.evidencePath,
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
    this.#gateways = this.#gatewayClient(address);
    this.#health = new HealthMonitor({
      scope: this.#scope,
      store,
      clock: this.#scope.clock,
      random,
      logger,
      serverTime: this.#time,
      connection: () => this.#tracks.infrastructure.connection.state,
      api: this.#link.infrastructure,
      intervalMs: deployment.pollIntervals.healthMs,
      fieldNames: deployment.health,
    });
    this.#handovers = new HandoverRepository({
      logger,
      serverTime: this.#time,
      files: kept ? ports.handovers : null,
      deployment: bindingOf(owner),
      onNotice: (said) => {
        this.#vaultSession.note(said);
      },
    });
  }

  start(): void {
    const { deployment, ports, store } = this.#options;
    const { severities, closedStatuses } = deployment;
    const { proxySignIn } = ports.network;
    store.patch('app', { severities, closedStatuses });
    store.set('proxy', proxySignIn.question);
    const stops = [
      this.#link.session.onChange(() => {
        this.#takeSession();
      }),
      this.#time.onChange(() => {
        this.#tellTime();
      }),
      proxySignIn.onChange(() => {
        store.set('proxy', proxySignIn.question);
      }),
      store.watch('preferences', () => {
        this.#tellLine();
      }),
      store.watch('system', ({ keyStore }) => {
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

  /** The features of the operator whose vault is open; null while no operator is signed in. */
  get account(): AccountScope | null {
    return this.#account?.features ?? null;
  }

  get session(): Session {
    return this.#link.session;
  }

  serverNow(): number {
    return this.#time.serverNow();
  }

  /**
   * Destroys a vault; if it is open, its operator is signed out first. `unsent` must be its number of unsent uploads.
   */
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

  /** Whether an API answers, by one request. */
  probe(api: ApiName): Promise<Result<Answer>> {
    return this.#link.probe(api);
  }

  repeatsSecret(text: string): boolean {
    return this.#link.repeatsSecret(text);
  }

  /** What waits for the next hour continues at once. Evidence and events follow at their next turn. */
  exceedDataLimit(): Result<null> {
    this.#link.line.limit?.exceed();
    this.#tellLine();
    this.#review();
    return ok(null);
  }

  checkHealth(): Promise<Result<null>> {
    return this.#health.checkNow(true);
  }

  /** Gives a name and a password to a proxy that asks for them, and tries them at once. */
  async signInToProxy(proxy: string, username: string, password: string): Promise<Result<null>> {
    const { proxySignIn } = this.#options.ports.network;
    if (!proxySignIn.give(proxy, username, password))
      return failed(makeFailure({ code: 'conflict', at: this.#time.serverNow() }));
    const answers = [await this.#link.probe('infrastructure'), await this.#link.probe('coordination')];
    const [failure] = answers.flatMap((answer) => (answer.ok ? [] : [answer]));
    return failure !== undefined && proxySignIn.question?.proxy === proxy ? failure : ok(null);
  }

  wake(): void {
    this.#link.dropConnections();
    this.#time.wake();
    this.#link.session.wake();
    this.account?.wake();
    void this.#health.checkNow();
  }

  /** Signs out because the deployment changes, and ends the scope. */
  async close(): Promise<void> {
    if (this.#scope.isOver) return;
    this.#link.session.signOut('deployment-changed');
    await this.#scope[Symbol.asyncDispose]();
    await this.#link.close();
    await this.#gateways?.close();
    this.#options.ports.network.proxySignIn.forget();
    await this.#vaultSession.settled();
  }

  /** Null where no evidence may be fetched. */
  #gatewayClient(address: ServiceAddress): GatewayClient | null {
    const { deployment, fetchesEvidence } = this.#options;
    const { gateways, evidencePreview } = deployment;
    if (!fetchesEvidence || evidencePreview === 'off' || gateways.length === 0) return null;
    const { clock, network } = this.#options.ports;
    return new GatewayClient({
      address,
      gateways,
      clock,
      network,
      serverNow: () => this.#time.serverNow(),
      carry: (socket) => {
        this.#link.line.traffic.carry(socket);
      },
    });
  }

  #takeSession(): void {
    const { store, deployment, endedBefore } = this.#options;
    const { vault, session: current, username, lock, guessesThrottledUntil } = this.#link.session.snapshot();
    const untouched = current.state === 'none' && current.ended === 'never-started';
    const session: SessionState = untouched && endedBefore ? { state: 'none', ended: endedBefore } : current;
    const signedIn = vault === 'open';
    const wasSignedIn = this.#wasSignedIn;
    this.#wasSignedIn = signedIn;
    if (wasSignedIn && !signedIn) {
      this.#dropData();
      this.#options.ports.network.proxySignIn.forget();
    }
    store.set('session', { vault, session, username });
    store.set('lock', {
      locked: lock.locked,
      username: lock.locked ? username : null,
      deploymentName: lock.locked ? deployment.name : null,
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
    const { deployment, ports, store, downloads } = this.#options;
    const scope = this.#scope.child();
    this.#stopForgetting?.();
    const features = new AccountScope({
      scope,
      records: this.#vaultSession.records,
      username,
      deployment,
      ports,
      store,
      downloads,
      serverTime: this.#time,
      infrastructure: this.#link.infrastructure,
      coordination: this.#link.coordination,
      line: this.#link.line,
      gateways: this.#gateways,
      session: () => this.#link.session.snapshot().session,
      uploadToken: () => this.#uploadToken(),
      connection: (api) => this.#tracks[api].connection,
      onLedger: (text) => {
        this.#vaultSession.noteLedger(text);
      },
      restore: () => this.#vaultSession.restore(),
      handovers: this.#handovers,
      revisions: this.#revisions,
      droneVersions: this.#droneVersions,
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

  async #reopenAccount(): Promise<void> {
    await this.#leaveAccount();
    const { vault, username } = this.#link.session.snapshot();
    if (vault !== 'open' || this.#account !== null) return;
    this.#dropData();
    this.#openAccount(username ?? '');
    this.#review();
  }

  async #leaveAccount(): Promise<void> {
    const account = this.#account;
    this.#account = null;
    await account?.scope[Symbol.asyncDispose]();
    this.#tellOutbox();
  }

  /** Drops the data that one operator read, before the next one signs in. */
  #dropData(): void {
    this.#options.store.beginEpoch();
    this.#options.store.set('capabilities', { refused: [] });
    this.#expiresAt = null;
  }

  /** Shows the number of unsent uploads on the sign-in page, while no outbox is open. */
  #tellOutbox(): void {
    const { store, deployment } = this.#options;
    const incidentField = deployment.upload.incidentField !== null;
    store.patch('outbox', { uploadToken: this.#uploadToken(), incidentField });
  }

  #uploadToken(): OutboxState['uploadToken'] {
    const { separateSignIn } = this.#options.deployment.upload;
    return separateSignIn ? this.#link.session.snapshot().uploadToken : 'not-used';
  }

  /** Time passed, or the session or a connection changed. */
  #review(): void {
    if (this.account === null) this.#tellOutbox();
    else this.account.review();
  }

  #takeOutcome(outcome: AttemptOutcome): void {
    if (this.#scope.isOver) return;
    if (this.#link.line.limit !== null) this.#tellLine();
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

  /** What is known of the line, and how it may be used: the one place that decides this. */
  #tellLine(): void {
    const { store, deployment } = this.#options;
    const { fixed, saveData } = store.slice('policy');
    const chosen = store.slice('preferences').saveData ?? deployment.saveData;
    store.set('line', {
      ...this.#link.line.state(this.#time.serverNow()),
      saving: fixed.includes('saveData') ? saveData : chosen,
    });
  }

  #tick(): void {
    const network = this.#options.ports.network.addresses();
    if (network !== this.#network) this.#link.dropConnections();
    this.#network = network;
    this.#tellLine();
    this.#tellTime();
    this.#link.session.keepFresh();
    this.account?.incidents.review();
    this.#health.review();
    this.#review();
    this.#scope.clock.schedule(this.#link.line.limit === null ? tickMs : limitedTickMs, () => {
      this.#tick();
    });
  }
}
