import { extname } from 'node:path';
import {
  failed,
  ok,
  type ConsoleState,
  type DeploymentProposal,
  type DeploymentSummary,
  type Failure,
  type Result,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../base/failure.ts';
import { message } from '../base/messages/message.ts';
import { hostOf } from '../base/origins.ts';
import { SerialQueue } from '../base/queues.ts';
import { linkRefusal, readIncidentLink, readLink } from '../features/deployments/link.ts';
import type { DeploymentRegistry } from '../features/deployments/registry.ts';
import type { RequestJournal } from '../features/diagnostics/requestJournal.ts';
import type { Downloads } from '../features/exports/downloads.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { AppOptions, TrainingControl } from './app.ts';
import { DeploymentScope, type DeploymentPlan } from './deployment.ts';
import { deploymentPlan, trainingId, trainingPlan } from './deploymentPlans.ts';
import type { Ports } from './ports.ts';

export interface DeploymentSwitchOptions {
  readonly ports: Ports;
  readonly options: AppOptions;
  readonly store: ConsoleStore;
  readonly registry: DeploymentRegistry;
  /** The embedded deployment, when it was started. */
  readonly training: TrainingControl | null;
  readonly journal: RequestJournal;
  readonly downloads: Downloads;
  /** Begins to import the map package that lies there. */
  readonly importMap: (path: string) => Promise<Result<null>>;
}

const tickMs = 10_000;

/**
 * Which deployment the console works on, and the scope of it. Changes run one after
 * another: two choices at once must not leave two stations behind.
 */
export class DeploymentSwitch {
  readonly #options: DeploymentSwitchOptions;
  #current: DeploymentScope | null = null;
  #chosen: string | null = null;
  #problem: Failure | null = null;
  #openedProblem: Failure | null = null;
  readonly #queue = new SerialQueue();
  #cancelTick: (() => void) | null = null;

  constructor(options: DeploymentSwitchOptions) {
    this.#options = options;
  }

  get current(): DeploymentScope | null {
    return this.#current;
  }

  get training(): TrainingControl | null {
    return this.#options.training;
  }

  /** Whether the embedded deployment is the chosen one. */
  get inTraining(): boolean {
    return this.#chosen === trainingId;
  }

  now(): number {
    return this.#current?.serverNow() ?? this.#options.ports.clock.wallNow();
  }

  /** Opens the deployment scope that the start asks for. */
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

  /**
   * Takes a `field-console:` link: it can choose a deployment or show an incident that is known here, and nothing
   * else.
   */
  openLink(link: string): Promise<Result<null>> {
    return this.#alone(async () => {
      const incidentId = readIncidentLink(link);
      if (incidentId !== null) return this.#sayOpened(this.#openIncident(incidentId));
      const linked = this.#follow(readLink(link));
      return this.#sayOpened(linked.ok ? await this.#choose(linked.value) : linked);
    });
  }

  /** Takes in a file that the system opened, by the ending of its name. */
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

  /** Forgets a deployment. When it stood in the way of one named at start, that one is taken up. */
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
    this.#cancelTick?.();
    await this.#alone(async () => {
      await this.#leave();
    });
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  /** Beside deployments that a policy lists, practice data are for whoever chooses them. */
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

  /** The deployment that a link to this id chooses now. */
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
    // Training is for this start only: the next one finds the deployment that was in use.
    if (id !== trainingId) {
      const saved = await this.#options.registry.choose(id);
      if (!saved.ok && opened.ok) return saved;
    }
    return opened;
  }

  /** The system opened it: no form waits for the answer, so the page says by itself what is wrong. */
  #sayOpened(result: Result<null>): Result<null> {
    this.#openedProblem = result.ok ? null : result.failure;
    this.#tell();
    return result;
  }

  #knows(id: string): boolean {
    return id === trainingId ? this.#options.training !== null : this.#options.registry.find(id) !== null;
  }

  /** Leaves the present deployment scope, which signs out, and takes up another one, or none. */
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

  /** From now on no verb reaches it: one that did could sign in to what is being closed. */
  async #leave(): Promise<void> {
    const leaving = this.#current;
    this.#current = null;
    await leaving?.close();
  }

  async #occupy(id: string, endedBefore: 'deployment-changed' | null): Promise<Result<null>> {
    const { ports, options, store, journal, downloads } = this.#options;
    this.#chosen = id;
    const plan = await this.#plan(id);
    if (!plan.ok) {
      this.#problem = plan.failure;
      return plan;
    }
    try {
      const { forgetAfterMs } = options;
      this.#current = new DeploymentScope({
        plan: plan.value,
        ports,
        store,
        journal,
        downloads,
        forgetAfterMs,
        fetchesEvidence: this.#options.options.policy.evidencePreview,
        endedBefore,
      });
    } catch (error) {
      ports.logger.error('station-not-opened', { error: error instanceof Error ? error.name : 'unknown' });
      const sentence = message('deployment.unusable');
      this.#problem = makeFailure({ code: 'deployment-invalid', at: this.now(), sentence });
      return failed(this.#problem);
    }
    this.#current.start();
    return ok(null);
  }

  async #plan(id: string): Promise<Result<DeploymentPlan>> {
    const { training, registry, ports } = this.#options;
    if (id === trainingId && training) return ok(trainingPlan(training));
    const deployment = registry.find(id);
    if (!deployment) return failed(makeFailure({ code: 'deployment-unknown', at: this.now() }));
    if (deployment.caFile === null) return ok(deploymentPlan(deployment, null));
    try {
      return ok(deploymentPlan(deployment, await ports.readTextFile(deployment.caFile)));
    } catch {
      const sentence = message('deployment.caUnreadable');
      return failed(makeFailure({ code: 'deployment-unreadable', at: this.now(), sentence }));
    }
  }

  /** Brings the slices that speak of deployments up to date. */
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

  /** Without a deployment scope nothing else says what time it is. */
  #tick(): void {
    const { store, ports } = this.#options;
    if (!this.#current) store.set('time', { serverNow: this.now(), verified: false, skewMs: null });
    this.#cancelTick = ports.clock.schedule(tickMs, () => {
      this.#tick();
    });
  }
}

const trainingState = (training: TrainingControl): ConsoleState['training'] => ({
  credentials: { ...training.credentials },
  switches: { ...training.switches() },
});

const trainingSummary = (training: TrainingControl): DeploymentSummary => ({
  id: trainingId,
  name: 'Training',
  infrastructureHost: hostOf(training.infrastructureUrl),
  coordinationHost: hostOf(training.coordinationUrl),
  source: 'training',
});
