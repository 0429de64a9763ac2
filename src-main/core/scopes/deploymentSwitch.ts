import { extname } from 'node:path';
import {
  failed,
  ok,
  readIncidentLink,
  type CheckedDeployment,
  type DeploymentProposal,
  type Failure,
  type Result,
} from '../../../src-preload/contract/index.ts';
import { nameOf } from '../base/errors.ts';
import { makeFailure } from '../base/failure.ts';
import { message } from '../base/messages/message.ts';
import { SerialQueue } from '../base/queues.ts';
import { Timer } from '../base/timer.ts';
import { linkRefusal, readLink } from '../features/deployments/link.ts';
import type { DeploymentRegistry } from '../features/deployments/registry.ts';
import { ruledBy, type Deployment } from '../features/deployments/schema.ts';
import type { RequestJournal } from '../features/diagnostics/requestJournal.ts';
import type { Downloads } from '../features/exports/downloads.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { AppOptions, TrainingControl } from './app.ts';
import { DeploymentScope } from './deployment.ts';
import type { Ports } from './ports.ts';
import { trainingDeployment, trainingFile, trainingId, trainingState, trainingSummary } from './training.ts';

export interface DeploymentSwitchOptions {
  readonly ports: Ports;
  readonly options: AppOptions;
  readonly store: ConsoleStore;
  readonly registry: DeploymentRegistry;
  /** The embedded deployment, if it was started. */
  readonly training: TrainingControl | null;
  readonly journal: RequestJournal;
  readonly downloads: Downloads;
  /** Begins to import the map package at this path. */
  readonly importMap: (path: string) => Promise<Result<null>>;
}

const tickMs = 10_000;

/**
 * The deployment that the console works on, with its scope. Changes run one after another: two at once could leave two
 * scopes open.
 */
export class DeploymentSwitch {
  readonly #options: DeploymentSwitchOptions;
  #current: DeploymentScope | null = null;
  #chosen: string | null = null;
  #problem: Failure | null = null;
  #openedProblem: Failure | null = null;
  readonly #queue = new SerialQueue();
  readonly #ticking: Timer;

  constructor(options: DeploymentSwitchOptions) {
    this.#options = options;
    this.#ticking = new Timer(options.ports.clock, () => this.#tick());
  }

  get current(): DeploymentScope | null {
    return this.#current;
  }

  get training(): TrainingControl | null {
    return this.#options.training;
  }

  /** Whether the embedded deployment is chosen. */
  get inTraining(): boolean {
    return this.#chosen === trainingId;
  }

  /** A deployment that a page may check; null when there is none. */
  find(of: CheckedDeployment): Deployment | null {
    const { training, registry } = this.#options;
    if (of.kind === 'proposed') return registry.proposed(of.proposalId);
    if (of.id === trainingId) return training === null ? null : trainingFile(training);
    return registry.find(of.id);
  }

  now(): number {
    return this.#current?.serverNow() ?? this.#options.ports.clock.wallNow();
  }

  /** Opens the scope of the deployment chosen at the start. */
  open(): Promise<void> {
    return this.#alone(async () => {
      const { registry } = this.#options;
      const id = this.#opensOnTraining ? trainingId : registry.chosen;
      if (id !== null) await this.#occupy(id, null);
      this.#tell();
      this.#tick();
    });
  }

  choose(id: string): Promise<Result<null>> {
    return this.#alone(() => this.#choose(id));
  }

  propose(text: string): Result<DeploymentProposal> {
    const proposed = this.#options.registry.propose(text);
    this.#openedProblem = null;
    this.#tell();
    return proposed;
  }

  /** Follows a `field-console:` link. It can only choose a deployment or show a known incident. */
  openLink(link: string): Promise<Result<null>> {
    return this.#alone(async () => {
      const incidentId = readIncidentLink(link);
      if (incidentId !== null) return this.#sayOpened(this.#openIncident(incidentId));
      const linked = this.#follow(readLink(link));
      return this.#sayOpened(linked.ok ? await this.#choose(linked.value) : linked);
    });
  }

  /** Opens a file that the operator opened in the system, by the ending of its name. */
  async openFile(path: string): Promise<Result<null>> {
    const { policy } = this.#options.options;
    switch (extname(path).toLowerCase()) {
      case '.json':
      case '.fieldconsole':
        return this.proposeFile(path);
      case '.pmtiles':
      case '.mbtiles': {
        const taken = policy.kiosk === 'off' || policy.drop;
        const refused = (): Result<null> => failed(makeFailure({ code: 'policy-forbids', at: this.now() }));
        return this.#sayOpened(taken ? await this.#options.importMap(path) : refused());
      }
      default: {
        const sentence = message('opened.neither');
        return this.#sayOpened(
          failed(makeFailure({ code: 'file-refused', at: this.now(), sentence, remedy: null })),
        );
      }
    }
  }

  async proposeFile(path: string): Promise<Result<null>> {
    let proposed: Result<DeploymentProposal>;
    try {
      proposed = this.propose(await this.#options.ports.readTextFile(path));
    } catch {
      const sentence = message('opened.deployment');
      proposed = failed(makeFailure({ code: 'deployment-unreadable', at: this.now(), sentence }));
    }
    return this.#sayOpened(proposed.ok ? ok(null) : proposed);
  }

  confirm(proposalId: string): Promise<Result<null>> {
    return this.#alone(async () => {
      const confirmed = await this.#options.registry.confirm(proposalId);
      if (!confirmed.ok) return confirmed;
      const id = confirmed.value;
      if (id === this.#chosen) return this.#move(id);
      if (this.#chosen === null) {
        const saved = await this.#options.registry.choose(id);
        const opened = await this.#move(id);
        return opened.ok ? saved : opened;
      }
      this.#tell();
      return ok(null);
    });
  }

  dismiss(proposalId: string): Result<null> {
    const dismissed = this.#options.registry.dismiss(proposalId);
    this.#tell();
    return dismissed;
  }

  /** Removes a deployment. If it conflicted with one named at the start, that one is added. */
  remove(id: string): Promise<Result<null>> {
    return this.#alone(async () => {
      const { registry } = this.#options;
      const removed = await registry.remove(id);
      if (registry.find(id) !== null || (!removed.ok && removed.failure.code === 'deployment-unknown')) {
        return removed;
      }
      if (id === this.#chosen) await this.#move(null);
      if (registry.problem !== null) {
        const named = await registry.loadNamed();
        if (named !== null && this.#chosen === null) await this.#move(named);
      }
      this.#tell();
      return removed;
    });
  }

  async close(): Promise<void> {
    this.#ticking.stop();
    await this.#alone(async () => {
      await this.#leave();
    });
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  /** When a policy lists deployments, training has to be chosen. */
  get #opensOnTraining(): boolean {
    const { training, options } = this.#options;
    if (training === null) return false;
    const { deployments } = options.policy;
    return options.forceTraining || deployments.kind !== 'listed' || deployments.files.length === 0;
  }

  #openIncident(incidentId: string): Result<null> {
    const views = this.#current?.account?.views;
    return views?.openIncident(incidentId) ?? failed(makeFailure({ code: 'signed-out', at: this.now() }));
  }

  /** The deployment that a link to this id would choose now. */
  #follow(id: string | null): Result<string> {
    if (id === null) return failed(linkRefusal('malformed', this.now()));
    if (!this.#knows(id)) return failed(linkRefusal('unknown', this.now()));
    const { vault, session } = this.#options.store.slice('session');
    const occupied = vault !== 'closed' || session.state === 'signing-in';
    return occupied && id !== this.#chosen ? failed(linkRefusal('occupied', this.now())) : ok(id);
  }

  async #choose(id: string): Promise<Result<null>> {
    if (!this.#knows(id)) return failed(makeFailure({ code: 'deployment-unknown', at: this.now() }));
    if (id === this.#chosen && this.#current) return ok(null);
    const opened = await this.#move(id);
    // The choice of training lasts for this start only: the next one opens the deployment before it.
    if (id !== trainingId) {
      const saved = await this.#options.registry.choose(id);
      if (!saved.ok && opened.ok) return saved;
    }
    return opened;
  }

  /** The file came from the system, so no form waits for the answer: the page shows a failure as a notice. */
  #sayOpened(result: Result<null>): Result<null> {
    this.#openedProblem = result.ok ? null : result.failure;
    this.#tell();
    return result;
  }

  #knows(id: string): boolean {
    return id === trainingId ? this.#options.training !== null : this.#options.registry.find(id) !== null;
  }

  /** Closes the present scope, which signs out, and opens another one, or none. */
  async #move(id: string | null): Promise<Result<null>> {
    const signedIn = (this.#current?.account ?? null) !== null;
    await this.#leave();
    this.#chosen = null;
    this.#problem = null;
    this.#options.store.beginEpoch();
    const opened = id === null ? ok(null) : await this.#occupy(id, signedIn ? 'deployment-changed' : null);
    this.#tell();
    return opened;
  }

  /** Verbs no longer reach the scope: one of them could sign in while it closes. */
  async #leave(): Promise<void> {
    const leaving = this.#current;
    this.#current = null;
    await leaving?.close();
  }

  async #occupy(id: string, endedBefore: 'deployment-changed' | null): Promise<Result<null>> {
    this.#chosen = id;
    const opened = await this.#openScope(id, endedBefore);
    if (!opened.ok) this.#problem = opened.failure;
    return opened;
  }

  async #openScope(id: string, endedBefore: 'deployment-changed' | null): Promise<Result<null>> {
    const { ports, options, store, registry, training, journal, downloads } = this.#options;
    const isTraining = id === trainingId && training !== null;
    const deployment = isTraining ? trainingDeployment(training) : registry.find(id);
    if (deployment === null) return failed(makeFailure({ code: 'deployment-unknown', at: this.now() }));
    const ca = await this.#caOf(deployment);
    if (!ca.ok) return ca;
    try {
      this.#current = new DeploymentScope({
        ...{ ports, store, journal, downloads, endedBefore },
        deployment: ruledBy(options.policy, deployment),
        ca: ca.value,
        // Training's addresses, account and incidents are new at each start: stored data would be of no use.
        kept: !isTraining,
        forgetAfterMs: options.forgetAfterMs,
        fetchesEvidence: options.policy.evidencePreview,
      });
    } catch (error) {
      ports.logger.error('deployment-not-opened', { error: nameOf(error) });
      const sentence = message('deployment.unusable');
      return failed(makeFailure({ code: 'deployment-invalid', at: this.now(), sentence }));
    }
    this.#current.start();
    return ok(null);
  }

  /** The text of the deployment's private CA file; null when it names none. */
  async #caOf({ caFile }: Deployment): Promise<Result<string | null>> {
    if (caFile === null) return ok(null);
    try {
      return ok(await this.#options.ports.readTextFile(caFile));
    } catch {
      const sentence = message('deployment.caUnreadable');
      return failed(makeFailure({ code: 'deployment-unreadable', at: this.now(), sentence }));
    }
  }

  /** Updates the slices about deployments. */
  #tell(): void {
    const { store, registry, training, options } = this.#options;
    const known = [...(training ? [trainingSummary(training)] : []), ...registry.summaries()];
    store.set('deployments', { known, chosen: this.#chosen, proposal: registry.proposal });
    store.patch('app', {
      training: this.inTraining,
      problem: options.problem ?? registry.problem ?? this.#problem ?? this.#openedProblem,
    });
    this.tellTraining();
  }

  tellTraining(): void {
    const { store, training } = this.#options;
    store.set('training', training && this.inTraining ? trainingState(training) : null);
  }

  /** Without a deployment scope no other part updates the time. */
  #tick(): void {
    const { store } = this.#options;
    if (!this.#current) store.set('time', { serverNow: this.now(), verified: false, skewMs: null });
    this.#ticking.set(tickMs);
  }
}
