import { createEvents } from '../base/events.ts';
import { momentsOf } from '../base/failure.ts';
import { originOf } from '../base/origins.ts';
import type { Documents } from '../base/ports.ts';
import { Scope } from '../base/scope.ts';
import { createServerTime, type ServerTime } from '../base/serverTime.ts';
import { watchForForgetting } from '../features/alarms/index.ts';
import {
  type AppContext,
  type AppEvents,
  type DeploymentContext,
  type DeploymentEvents,
} from '../features/context.ts';
import type { Opening } from '../features/deployments/deploymentSwitch.ts';
import { serviceAddress } from '../features/deployments/index.ts';
import type { RequestJournal } from '../features/diagnostics/index.ts';
import { openHealth } from '../features/health/index.ts';
import { HandoverRepository } from '../features/notes/index.ts';
import { lineHandlers, sessionHandlers, SessionReport, storageHandlers } from '../features/session/index.ts';
import { showClosedOutbox } from '../features/uploads/index.ts';
import { GatewayClient } from '../service/gateway/gatewayClient.ts';
import { VaultGuesses } from '../service/session/guesses.ts';
import { connectionAtStart, trackConnection, type ConnectionTrack } from '../service/transport/connection.ts';
import { createServiceLink, type ServiceAddress, type ServiceLink } from '../service/transport/link.ts';
import type { AttemptOutcome } from '../service/transport/request.ts';
import { bindingOf, vaultIdOf } from '../vault/header.ts';
import { VaultRepository } from '../vault/vaultRepository.ts';
import { VaultSession } from '../vault/vaultSession.ts';
import { openAccount, type AccountHeritage, type AccountScope } from './account.ts';

export interface DeploymentScopeOptions extends Opening {
  readonly app: AppContext;
  readonly journal: RequestJournal;
  readonly forgetAfterMs: number;
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
  readonly link: ServiceLink;
  readonly verbs;
  readonly #options: DeploymentScopeOptions;
  readonly #scope: Scope;
  readonly #context: DeploymentContext;
  readonly #time: ServerTime;
  readonly #gateways: GatewayClient | null;
  readonly #vaultSession: VaultSession;
  readonly #health;
  readonly #report: SessionReport;
  readonly #heritage: AccountHeritage;
  #tracks: { infrastructure: ConnectionTrack; coordination: ConnectionTrack };
  /** Null while no vault is open. */
  #account: { readonly features: AccountScope; readonly scope: Scope } | null = null;
  #stopForgetting: (() => void) | null = null;
  #expiresAt: number | null = null;
  #wasSignedIn = false;
  #network: string;

  /** @throws when the deployment's address or private CA is not usable. */
  constructor(options: DeploymentScopeOptions) {
    const { app, deployment, ca, kept, endedBefore } = options;
    const { ports } = app;
    this.#options = options;
    this.#scope = new Scope(ports);
    this.#network = ports.network.addresses();
    this.#time = createServerTime(ports);
    const moments = momentsOf(() => this.#time.serverNow());
    const now = moments.serverNow();
    this.#tracks = { infrastructure: connectionAtStart(now), coordination: connectionAtStart(now) };
    const owner = { deploymentId: deployment.id, origin: originOf(deployment.infrastructureUrl) };
    this.#vaultSession = this.#openVaults(moments.serverNow);
    const address = serviceAddress(deployment, ca);
    this.link = this.#openLink(address, kept ? ports.documents : nothingKept, (username) =>
      vaultIdOf(owner, username),
    );
    this.#gateways = this.#gatewayClient(address);
    const context: DeploymentContext = {
      ...app,
      ...moments,
      ...this.link,
      ...createEvents<AppEvents, DeploymentEvents>(this.#scope, app),
      deployment,
      scope: this.#scope,
      clock: this.#scope.clock,
      serverTime: this.#time,
      vault: this.#vaultSession,
      gateways: this.#gateways,
      connection: (api) => this.#tracks[api].connection,
    };
    this.#context = context;
    this.#report = new SessionReport(context, endedBefore);
    this.#health = openHealth(context);
    const files = kept ? ports.handovers : null;
    this.#heritage = {
      handovers: new HandoverRepository(context, files, bindingOf(owner)),
      evidence: { used: 0 },
      drones: { used: 0 },
    };
    this.verbs = {
      ...sessionHandlers(context, this.link),
      ...storageHandlers(context),
      ...this.#health.verbs,
      ...lineHandlers(context),
    };
  }

  start(): void {
    const { app, deployment } = this.#options;
    const { store } = app;
    const { severities, closedStatuses } = deployment;
    store.patch('app', { severities, closedStatuses });
    this.#scope.onEnd(this.link.session.onChange(() => this.#takeSession()));
    this.#report.start();
    this.#context.on('limit-exceeded', () => this.#review());
    const stopSystem = store.watch('system', ({ keyStore }) => {
      if (keyStore === 'open') this.#vaultSession.keyStoreOpened();
    });
    this.#scope.onEnd(stopSystem);
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

  serverNow(): number {
    return this.#time.serverNow();
  }

  wake(): void {
    this.link.dropConnections();
    this.#time.wake();
    this.link.session.wake();
    this.#context.emit('wake', null);
  }

  /** Signs out because the deployment changes, and ends the scope. */
  async close(): Promise<void> {
    if (this.#scope.isOver) return;
    this.link.session.signOut('deployment-changed');
    await this.#scope[Symbol.asyncDispose]();
    await this.link.close();
    await this.#gateways?.close();
    this.#options.app.ports.network.proxySignIn.forget();
    await this.#vaultSession.settled();
  }

  #openVaults(serverNow: () => number): VaultSession {
    const { app, deployment, kept } = this.#options;
    const { ports, store } = app;
    const storage = ports.vaults;
    return new VaultSession({
      ...ports,
      repository: kept ? new VaultRepository({ ...ports, deployment, storage, serverNow }) : null,
      store,
      serverNow,
      isOnline: () => this.#tracks.infrastructure.connection.state === 'online',
      onReopened: () => this.#reopenAccount(),
      // First, while the store still has the data to be saved.
      onLeaving: () => this.#leaveAccount(),
    });
  }

  #openLink(
    address: ServiceAddress,
    documents: Documents,
    vaultOf: (username: string) => string,
  ): ServiceLink {
    const { app, deployment, forgetAfterMs, journal } = this.#options;
    const { clock, random, logger, network } = app.ports;
    return createServiceLink({
      address,
      network,
      clock,
      random,
      logger,
      vaultFor: (attempt) => this.#vaultSession.enter(attempt),
      guesses: new VaultGuesses({ clock, logger, documents }, vaultOf),
      serverTime: this.#time,
      bytesPerHour: deployment.sync.bytesPerHour,
      forgetAfterMs,
      evidencePath: deployment.evidencePath,
      onRefused: (refused) => {
        app.store.set('capabilities', { refused: [...refused] });
      },
      onOutcome: (outcome) => {
        this.#takeOutcome(outcome);
      },
      onAttempt: (line) => {
        journal.note(line);
      },
    });
  }

  /** Null where no evidence may be fetched. */
  #gatewayClient(address: ServiceAddress): GatewayClient | null {
    const { app, deployment } = this.#options;
    const { gateways, evidencePreview } = deployment;
    if (!app.policy.evidencePreview || evidencePreview === 'off' || gateways.length === 0) return null;
    const { clock, network } = app.ports;
    return new GatewayClient({
      address,
      gateways,
      clock,
      network,
      serverNow: () => this.#time.serverNow(),
      carry: (socket) => {
        this.link.line.traffic.carry(socket);
      },
    });
  }

  #takeSession(): void {
    const { vault, session, username } = this.link.session.snapshot();
    const signedIn = vault === 'open';
    const wasSignedIn = this.#wasSignedIn;
    this.#wasSignedIn = signedIn;
    if (wasSignedIn && !signedIn) {
      this.#dropData();
      this.#options.app.ports.network.proxySignIn.forget();
    }
    this.#report.session();
    if (!wasSignedIn && signedIn) this.#openAccount(username ?? '');
    this.#health.attend(signedIn);
    const expiresAt = session.state === 'active' ? session.expiresAt : this.#expiresAt;
    if (expiresAt !== this.#expiresAt && wasSignedIn && signedIn) this.#context.emit('token', null);
    this.#expiresAt = expiresAt;
    this.#review();
  }

  #openAccount(username: string): void {
    const scope = this.#scope.child();
    this.#stopForgetting?.();
    const features = openAccount(this.#context, { ...this.#heritage, scope, username });
    features.on('alarms-ended', (heard) => {
      if (!heard.settings.session) return;
      this.#stopForgetting = watchForForgetting(this.#context, heard);
    });
    this.#account = { features, scope };
  }

  async #reopenAccount(): Promise<void> {
    await this.#leaveAccount();
    const { vault, username } = this.link.session.snapshot();
    if (vault !== 'open' || this.#account !== null) return;
    this.#dropData();
    this.#openAccount(username ?? '');
    this.#review();
  }

  async #leaveAccount(): Promise<void> {
    const account = this.#account;
    this.#account = null;
    await account?.scope[Symbol.asyncDispose]();
    showClosedOutbox(this.#context);
  }

  /** Drops the data that one operator read, before the next one signs in. */
  #dropData(): void {
    const { store } = this.#options.app;
    store.beginEpoch();
    store.set('capabilities', { refused: [] });
    this.#expiresAt = null;
  }

  /** Time passed, or the session or a connection changed. */
  #review(): void {
    if (this.account === null) showClosedOutbox(this.#context);
    this.#context.emit('review', null);
  }

  #takeOutcome(outcome: AttemptOutcome): void {
    if (this.#scope.isOver) return;
    if (this.link.line.limit !== null) this.#report.line();
    const before = this.#tracks[outcome.api];
    const after = trackConnection(before, outcome, this.#time.serverNow());
    if (after === before) return;
    this.#tracks = { ...this.#tracks, [outcome.api]: after };
    this.#tellConnection();
    if (after.connection.state === before.connection.state) return;
    this.#review();
    if (after.connection.state === 'online') this.#context.emit('online', outcome.api);
    if (outcome.api === 'infrastructure') this.#context.emit('tick', null);
  }

  #tellConnection(): void {
    this.#options.app.store.set('connection', {
      infrastructure: this.#tracks.infrastructure.connection,
      coordination: this.#tracks.coordination.connection,
    });
  }

  #tick(): void {
    const network = this.#options.app.ports.network.addresses();
    if (network !== this.#network) this.link.dropConnections();
    this.#network = network;
    this.#report.line();
    this.#report.time();
    this.link.session.keepFresh();
    this.#context.emit('tick', null);
    this.#review();
    this.#scope.clock.schedule(this.link.line.limit === null ? tickMs : limitedTickMs, () => {
      this.#tick();
    });
  }
}
