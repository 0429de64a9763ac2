import {
  failed,
  ok,
  type ConsoleState,
  type DeploymentProposal,
  type DeploymentSummary,
  type Failure,
  type Result,
} from '../../src-preload/contract/index.ts';
import type { ConsoleOptions, TrainingControl } from './console.ts';
import { hostOf } from './deployment/file.ts';
import type { DeploymentRegistry } from './deployment/registry.ts';
import type { Deployment } from './deployment/schema.ts';
import { makeFailure } from './domain/failure.ts';
import type { Ports } from './ports.ts';
import { Station, type StationPlan } from './station.ts';
import type { ConsoleStore } from './store/consoleStore.ts';

const trainingId = 'training';

export interface DeskOptions {
  readonly ports: Ports;
  readonly options: ConsoleOptions;
  readonly store: ConsoleStore;
  readonly registry: DeploymentRegistry;
  /** The embedded deployment, when it was started. */
  readonly training: TrainingControl | null;
}

const tickMs = 10_000;

/**
 * Which deployment the console works on, and the one station that does. Changes run one after
 * another: two choices at once must not leave two stations behind.
 */
export class Desk {
  readonly #desk: DeskOptions;
  #station: Station | null = null;
  #chosen: string | null = null;
  #stationProblem: Failure | null = null;
  #fileProblem: Failure | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #cancelTick: (() => void) | null = null;

  constructor(options: DeskOptions) {
    this.#desk = options;
  }

  get station(): Station | null {
    return this.#station;
  }

  get training(): TrainingControl | null {
    return this.#desk.training;
  }

  /** Whether the embedded deployment is the chosen one. */
  get inTraining(): boolean {
    return this.#chosen === trainingId;
  }

  now(): number {
    return this.#station?.stationNow() ?? this.#desk.ports.clock.wallNow();
  }

  /** Opens the station that the start asks for. */
  open(): Promise<void> {
    return this.#alone(async () => {
      const { training, registry } = this.#desk;
      const id = training ? trainingId : registry.chosen;
      if (id !== null) await this.#occupy(id, null);
      this.#tell();
      this.#tick();
    });
  }

  choose(id: string): Promise<Result<null>> {
    return this.#alone(async () => {
      if (!this.#knows(id)) return failed(makeFailure({ code: 'deployment-unknown', at: this.now() }));
      if (id === this.#chosen && this.#station) return ok(null);
      const opened = await this.#move(id);
      // Training is for this start only: the next one finds the station's own deployment.
      if (id !== trainingId) {
        const saved = await this.#desk.registry.choose(id);
        if (!saved.ok && opened.ok) return saved;
      }
      return opened;
    });
  }

  propose(text: string): Result<DeploymentProposal> {
    const proposed = this.#desk.registry.propose(text);
    this.#fileProblem = null;
    this.#tell();
    return proposed;
  }

  async proposeFile(path: string): Promise<Result<null>> {
    let proposed: Result<DeploymentProposal>;
    try {
      proposed = this.propose(await this.#desk.ports.readTextFile(path));
    } catch {
      const sentence = 'The deployment file that was opened cannot be read.';
      proposed = failed(makeFailure({ code: 'deployment-unreadable', at: this.now(), sentence }));
    }
    if (proposed.ok) return ok(null);
    // The system opened it: no form waits for the answer, so the page says it by itself.
    this.#fileProblem = proposed.failure;
    this.#tell();
    return proposed;
  }

  confirm(proposalId: string): Promise<Result<null>> {
    return this.#alone(async () => {
      const confirmed = await this.#desk.registry.confirm(proposalId);
      if (!confirmed.ok) return confirmed;
      const id = confirmed.value;
      if (id === this.#chosen) return this.#move(id);
      if (this.#chosen === null) {
        const saved = await this.#desk.registry.choose(id);
        const opened = await this.#move(id);
        return opened.ok ? saved : opened;
      }
      this.#tell();
      return ok(null);
    });
  }

  dismiss(proposalId: string): Result<null> {
    const dismissed = this.#desk.registry.dismiss(proposalId);
    this.#tell();
    return dismissed;
  }

  /** Forgets a deployment. When it stood in the way of one named at start, that one is taken up. */
  remove(id: string): Promise<Result<null>> {
    return this.#alone(async () => {
      const { registry } = this.#desk;
      const removed = await registry.remove(id);
      if (!removed.ok && removed.failure.code === 'deployment-unknown') return removed;
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
      await this.#station?.close();
      this.#station = null;
    });
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  #knows(id: string): boolean {
    return id === trainingId ? this.#desk.training !== null : this.#desk.registry.find(id) !== null;
  }

  /** Leaves the present station, which signs out, and takes up another one, or none. */
  async #move(id: string | null): Promise<Result<null>> {
    const signedIn = this.#station?.signedIn === true;
    await this.#station?.close();
    this.#station = null;
    this.#chosen = null;
    this.#stationProblem = null;
    this.#desk.store.beginEpoch();
    const opened = id === null ? ok(null) : await this.#occupy(id, signedIn ? 'deployment-changed' : null);
    this.#tell();
    return opened;
  }

  async #occupy(id: string, endedBefore: 'deployment-changed' | null): Promise<Result<null>> {
    const { ports, options, store } = this.#desk;
    this.#chosen = id;
    const plan = await this.#plan(id);
    if (!plan.ok) {
      this.#stationProblem = plan.failure;
      return plan;
    }
    try {
      const { forgetAfterMs } = options;
      this.#station = new Station({ plan: plan.value, ports, store, forgetAfterMs, endedBefore });
    } catch (error) {
      ports.logger.error('station-not-opened', { error: error instanceof Error ? error.name : 'unknown' });
      const sentence = 'The deployment cannot be used: its address, proxy or private CA is not valid.';
      this.#stationProblem = makeFailure({ code: 'deployment-invalid', at: this.now(), sentence });
      return failed(this.#stationProblem);
    }
    this.#station.start();
    return ok(null);
  }

  async #plan(id: string): Promise<Result<StationPlan>> {
    const { training, registry, ports } = this.#desk;
    if (id === trainingId && training) return ok(trainingPlan(training));
    const deployment = registry.find(id);
    if (!deployment) return failed(makeFailure({ code: 'deployment-unknown', at: this.now() }));
    if (deployment.caFile === null) return ok(deploymentPlan(deployment, null));
    try {
      return ok(deploymentPlan(deployment, await ports.readTextFile(deployment.caFile)));
    } catch {
      const sentence = 'caFile: the private CA file that the deployment names cannot be read.';
      return failed(makeFailure({ code: 'deployment-unreadable', at: this.now(), sentence }));
    }
  }

  /** Brings the slices that speak of deployments up to date. */
  #tell(): void {
    const { store, registry, training, options } = this.#desk;
    const known = [...(training ? [trainingSummary(training)] : []), ...registry.summaries()];
    store.set('deployments', { known, chosen: this.#chosen, proposal: registry.proposal });
    store.patch('app', {
      training: this.inTraining,
      problem: options.problem ?? registry.problem ?? this.#stationProblem ?? this.#fileProblem,
    });
    this.tellTraining();
  }

  tellTraining(): void {
    const { store, training } = this.#desk;
    store.set('training', training && this.inTraining ? trainingState(training) : null);
  }

  /** Without a station nobody else says what time it is. */
  #tick(): void {
    const { store, ports } = this.#desk;
    if (!this.#station) store.set('time', { stationNow: this.now(), verified: false, skewMs: null });
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

function trainingPlan(training: TrainingControl): StationPlan {
  const { infrastructureUrl, coordinationUrl } = training;
  return {
    id: trainingId,
    name: 'Training',
    // Its addresses, its account and its incidents are new at each start: there is nothing to come back to.
    kept: false,
    address: {
      infrastructureUrl,
      coordinationUrl,
      loginPath: '/login',
      ca: null,
      proxy: null,
      attemptTimeoutMs: 15_000,
      totalTimeoutMs: 45_000,
    },
    unit: 'seconds',
    healthFields: { aiAnalysis: 'ai_analysis', ipfsPinning: 'ipfs_pinning', ledger: 'ledger' },
    incidentsMs: 15_000,
    healthMs: 15_000,
    requestsPerMinute: 3_000,
    retention: { days: null, incidents: 1_000_000, notReturnedDays: 30 },
    actions: {
      evidencePath: '/evidence',
      upload: {
        path: '/storage',
        field: 'file',
        cidField: 'cid',
        fields: {},
        incidentField: 'incident_id',
        separateSignIn: false,
      },
      missions: {
        approvePath: '/admin/missions/approve',
        rejectPath: '/admin/missions/reject',
        pendingPath: '/admin/missions/pending',
        idField: 'mission_id',
      },
      eventsPath: '/events',
      eventsMs: 90_000,
      listMs: 15_000,
      gateways: [],
    },
  };
}

function deploymentPlan(deployment: Deployment, ca: string | null): StationPlan {
  const { id, name, infrastructureUrl, coordinationUrl, loginPath, proxy, timeouts, pollIntervals } =
    deployment;
  const { sync, retention, evidencePath, upload, missions, eventsPath, gateways } = deployment;
  return {
    id,
    name,
    kept: true,
    address: {
      infrastructureUrl,
      coordinationUrl,
      loginPath,
      ca,
      proxy,
      attemptTimeoutMs: timeouts.attemptMs,
      totalTimeoutMs: timeouts.totalMs,
    },
    unit: deployment.timestampUnit,
    healthFields: deployment.health,
    incidentsMs: pollIntervals.incidentsMs,
    healthMs: pollIntervals.healthMs,
    requestsPerMinute: sync.requestsPerMinute,
    retention,
    actions: {
      evidencePath,
      upload,
      missions,
      eventsPath,
      eventsMs: timeouts.eventsMs,
      listMs: pollIntervals.incidentsMs,
      gateways,
    },
  };
}
