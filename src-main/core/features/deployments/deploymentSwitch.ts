import { extname } from 'node:path';
import {
  ok,
  readIncidentLink,
  type CheckedDeployment,
  type DeploymentProposal,
  type deploymentVerbs,
  type Failure,
  type Result,
  type trainingVerbs,
} from '../../../../src-preload/contract/index.ts';
import { nameOf } from '../../base/errors.ts';
import { given } from '../../base/json.ts';
import { message } from '../../base/messages/message.ts';
import { SerialQueue } from '../../base/queues.ts';
import { Timer } from '../../base/timer.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import {
  trainingDeployment,
  trainingFile,
  trainingId,
  trainingState,
  trainingSummary,
  type TrainingControl,
  type TrainingOptions,
} from '../training/index.ts';
import { linkRefusal, readLink } from './link.ts';
import type { DeploymentRegistry } from './registry.ts';
import { ruledBy, type Deployment } from './schema.ts';

/** The scope of an open deployment, for what opens and closes it. */
interface OpenDeployment {
  /** The operator who is signed in; null while none is. */
  readonly account: { openIncident(id: string): Result<null> } | null;
  serverNow(): number;
  start(): void;
  close(): Promise<void>;
}

/** How a deployment is opened. */
export interface Opening {
  readonly deployment: Deployment;
  /** The text of its private CA file. */
  readonly ca: string | null;
  /** Whether data is stored on this computer. */
  readonly kept: boolean;
  /** Why the last session ended before, for the sign-in page; null for none. */
  readonly endedBefore: 'deployment-changed' | null;
}

export interface DeploymentSwitchOptions<S extends OpenDeployment> extends Pick<
  TrainingOptions,
  'forceTraining' | 'problem'
> {
  readonly app: AppContext;
  readonly registry: DeploymentRegistry;
  /** The embedded deployment, if it was started. */
  readonly training: TrainingControl | null;
  /** Throws when the deployment's address or private CA is not usable. */
  readonly openScope: (opening: Opening) => S;
  /** Begins to import the map package at this path. */
  readonly importMap: (path: string) => Promise<Result<null>>;
}

const tickMs = 10_000;

/**
 * The deployment that the console works on, with its scope. Changes run one after another: two at once could leave two
 * scopes open.
 */
class DeploymentSwitch<S extends OpenDeployment> {
  readonly #options: DeploymentSwitchOptions<S>;
  readonly #app: AppContext;
  #current: S | null = null;
  #chosen: string | null = null;
  #problem: Failure | null = null;
  #openedProblem: Failure | null = null;
  readonly #queue = new SerialQueue();
  readonly #ticking: Timer;

  constructor(options: DeploymentSwitchOptions<S>) {
    this.#options = options;
    this.#app = options.app;
    this.#ticking = new Timer(options.app.clock, () => this.#tick());
  }

  get current(): S | null {
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

  /** Server time, Unix milliseconds; the computer's time while no deployment is open. */
  now(): number {
    return this.#current?.serverNow() ?? this.#app.clock.wallNow();
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
    const { policy } = this.#app;
    switch (extname(path).toLowerCase()) {
      case '.json':
      case '.fieldconsole':
        return this.proposeFile(path);
      case '.pmtiles':
      case '.mbtiles': {
        const taken = policy.kiosk === 'off' || policy.drop;
        return this.#sayOpened(
          taken ? await this.#options.importMap(path) : this.#app.refuse({ code: 'policy-forbids' }),
        );
      }
      default: {
        const sentence = message('opened.neither');
        return this.#sayOpened(this.#app.refuse({ code: 'file-refused', sentence, remedy: null }));
      }
    }
  }

  async proposeFile(path: string): Promise<Result<null>> {
    let proposed: Result<DeploymentProposal>;
    try {
      proposed = this.propose(await this.#app.ports.readTextFile(path));
    } catch {
      const sentence = message('opened.deployment');
      proposed = this.#app.refuse({ code: 'deployment-unreadable', sentence });
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
    const { training, forceTraining } = this.#options;
    if (training === null) return false;
    const { deployments } = this.#app.policy;
    return forceTraining || deployments.kind !== 'listed' || deployments.files.length === 0;
  }

  #openIncident(incidentId: string): Result<null> {
    return this.#current?.account?.openIncident(incidentId) ?? this.#app.refuse({ code: 'signed-out' });
  }

  /** The deployment that a link to this id would choose now. */
  #follow(id: string | null): Result<string> {
    if (id === null) return this.#app.refuse(linkRefusal('malformed'));
    if (!this.#knows(id)) return this.#app.refuse(linkRefusal('unknown'));
    const { vault, session } = this.#app.store.slice('session');
    const occupied = vault !== 'closed' || session.state === 'signing-in';
    return occupied && id !== this.#chosen ? this.#app.refuse(linkRefusal('occupied')) : ok(id);
  }

  async #choose(id: string): Promise<Result<null>> {
    if (!this.#knows(id)) return this.#app.refuse({ code: 'deployment-unknown' });
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
    this.#app.store.beginEpoch();
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

  async #openScope(id: string, endedBefore: Opening['endedBefore']): Promise<Result<null>> {
    const { registry, training, openScope } = this.#options;
    const { policy, logger } = this.#app;
    const isTraining = id === trainingId && training !== null;
    const deployment = isTraining ? trainingDeployment(training) : registry.find(id);
    if (deployment === null) return this.#app.refuse({ code: 'deployment-unknown' });
    const ca = await this.#caOf(deployment);
    if (!ca.ok) return ca;
    try {
      this.#current = openScope({
        deployment: ruledBy(policy, deployment),
        ca: ca.value,
        // Training's addresses, account and incidents are new at each start: stored data would be of no use.
        kept: !isTraining,
        endedBefore,
      });
    } catch (error) {
      logger.error('deployment-not-opened', { error: nameOf(error) });
      const sentence = message('deployment.unusable');
      return this.#app.refuse({ code: 'deployment-invalid', sentence });
    }
    this.#current.start();
    return ok(null);
  }

  /** The text of the deployment's private CA file; null when it names none. */
  async #caOf({ caFile }: Deployment): Promise<Result<string | null>> {
    if (caFile === null) return ok(null);
    try {
      return ok(await this.#app.ports.readTextFile(caFile));
    } catch {
      const sentence = message('deployment.caUnreadable');
      return this.#app.refuse({ code: 'deployment-unreadable', sentence });
    }
  }

  /** Updates the slices about deployments. */
  #tell(): void {
    const { registry, training, problem } = this.#options;
    const { store } = this.#app;
    const known = [...(training ? [trainingSummary(training)] : []), ...registry.summaries()];
    store.set('deployments', { known, chosen: this.#chosen, proposal: registry.proposal });
    store.patch('app', {
      training: this.inTraining,
      problem: problem ?? registry.problem ?? this.#problem ?? this.#openedProblem,
    });
    this.tellTraining();
  }

  tellTraining(): void {
    const { training } = this.#options;
    this.#app.store.set('training', training && this.inTraining ? trainingState(training) : null);
  }

  /** Without a deployment scope no other part updates the time. */
  #tick(): void {
    if (!this.#current) this.#app.store.set('time', { serverNow: this.now(), verified: false, skewMs: null });
    this.#ticking.set(tickMs);
  }
}

/** Opens the deployments and their training. */
export function openDeployments<S extends OpenDeployment>(options: DeploymentSwitchOptions<S>) {
  const deployments = new DeploymentSwitch(options);
  const verbs: VerbHandlers<typeof deploymentVerbs & typeof trainingVerbs> = {
    chooseDeployment: ({ id }) => deployments.choose(id),
    proposeDeployment: ({ text }) => deployments.propose(text),
    confirmDeployment: ({ proposalId }) => deployments.confirm(proposalId),
    dismissDeployment: ({ proposalId }) => deployments.dismiss(proposalId),
    removeDeployment: ({ id }) => deployments.remove(id),
    setTraining: async (change) => {
      if (!deployments.training || !deployments.inTraining)
        return options.app.refuse({ code: 'not-in-training' });
      await deployments.training.set(given(change));
      deployments.tellTraining();
      return ok(null);
    },
  };
  return Object.assign(deployments, { verbs });
}
