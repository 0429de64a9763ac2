import {
  failed,
  ok,
  type ApiConnection,
  type Failure,
  type Health,
  type HealthCheck,
  type Level,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { withJitter } from '../../base/backoff.ts';
import { freshnessOf } from '../../base/freshness.ts';
import { message } from '../../base/messages/message.ts';
import { Poller } from '../../base/poller.ts';
import type { InfrastructureApi } from '../../service/api/infrastructure.ts';
import { pollMs } from '../../state/dataUse.ts';
import type { Moments } from '../../base/failure.ts';
import type { DeploymentContext } from '../context.ts';
import type { Deployment } from '../deployments/index.ts';
import { readHealth, type HealthReading } from './integration.ts';

export const healthAtStart: Health = {
  overall: null,
  integrations: [],
  history: [],
  checking: false,
  lastAnswerAt: null,
  failure: null,
  nextCheckAt: null,
  freshness: 'none',
};

/** What the checks need of the deployment. */
export interface HealthDeployment
  extends Pick<DeploymentContext, 'scope' | 'store' | 'clock' | 'random' | 'logger'>, Moments {
  readonly infrastructure: Pick<InfrastructureApi, 'health'>;
  readonly deployment: Pick<Deployment, 'health'> & { readonly pollIntervals: { readonly healthMs: number } };
  readonly connection: (api: 'infrastructure') => Pick<ApiConnection, 'state'>;
}

const historyLimit = 60;
/** How many times longer the interval is before sign-in, when the page only shows what is reachable. */
const idleFactor = 3;

/**
 * Asks the service for its health at an interval, and keeps a history of the last checks. A check without an answer
 * says nothing about the integrations: they keep their last state, and its age grows.
 */
export class HealthMonitor {
  readonly #context: HealthDeployment;
  /** Its argument: whether the operator asked for the check. */
  readonly #poller: Poller<boolean, Result<null>>;
  #attended = false;

  /** After the end of its scope no check is sent. */
  constructor(context: HealthDeployment) {
    const { scope, store, clock } = context;
    this.#context = context;
    this.#poller = new Poller({
      clock,
      byItself: false,
      run: (interactive) => this.#run(interactive),
      after: () => this.#plan(),
    });
    scope.onEnd(() => {
      store.set('health', healthAtStart);
    });
  }

  start(): void {
    this.#patch(healthAtStart);
    void this.checkNow();
  }

  /** Whether an operator is signed in, which sets the interval. */
  attend(attended: boolean): void {
    if (this.#attended === attended) return;
    this.#attended = attended;
    if (this.#context.scope.isOver) return;
    if (attended) void this.checkNow();
    this.review();
  }

  /** Checks at once. Callers during a check share its result. */
  checkNow(interactive = false): Promise<Result<null>> {
    if (this.#context.scope.isOver) {
      return Promise.resolve(this.#context.refuse({ code: 'cancelled' }));
    }
    return this.#poller.now(interactive);
  }

  connectionReturned(): void {
    if (this.#health.failure !== null && this.#poller.present === null) void this.checkNow();
  }

  /** Derives the freshness again: time has passed, or the connection changed. */
  review(): void {
    if (!this.#context.scope.isOver) this.#patch({});
  }

  get #health(): Health {
    return this.#context.store.slice('health');
  }

  get #intervalMs(): number {
    const { store, deployment } = this.#context;
    return pollMs(store, deployment.pollIntervals.healthMs) * (this.#attended ? 1 : idleFactor);
  }

  async #run(interactive: boolean): Promise<Result<null>> {
    const { infrastructure, deployment, serverNow, fail, refuse } = this.#context;
    this.#patch({ checking: true, nextCheckAt: null });
    const answer = await infrastructure.health({ interactive, signal: this.#context.scope.signal });
    const at = serverNow();
    if (this.#context.scope.isOver) return refuse({ code: 'cancelled' });
    const reading = answer.ok ? readHealth(answer.value.body, deployment.health) : null;
    if (answer.ok && reading) {
      this.#takeReading(reading, {
        at,
        responseMs: answer.value.responseMs,
        requestId: answer.value.requestId,
      });
      return ok(null);
    }
    const failure = answer.ok
      ? fail({
          code: 'unreadable-answer',
          sentence: message('sync.healthUnreadable'),
          requestId: answer.value.requestId,
        })
      : answer.failure;
    this.#takeFailure(failure, at);
    return failed(failure);
  }

  #takeReading(reading: HealthReading, check: Pick<HealthCheck, 'at' | 'responseMs' | 'requestId'>): void {
    const before = this.#health;
    const since = (was: { level: Level; since: number } | null | undefined, level: Level): number =>
      was?.level === level ? was.since : check.at;
    const known = new Map(before.integrations.map((integration) => [integration.field, integration]));
    const integrations = reading.integrations.map((integration) => ({
      ...integration,
      since: since(known.get(integration.field), integration.level),
    }));
    const overall = reading.overall && {
      ...reading.overall,
      since: since(before.overall, reading.overall.level),
    };
    this.#patch({
      overall,
      integrations,
      checking: false,
      lastAnswerAt: check.at,
      failure: null,
      history: this.#withCheck({
        ...check,
        outcome: 'answered',
        overall: overall?.level ?? 'unknown',
        levels: levelsOf(reading),
      }),
    });
  }

  #takeFailure(failure: Failure, at: number): void {
    this.#context.logger.warn('health-not-read', { code: failure.code, requestId: failure.requestId });
    this.#patch({
      checking: false,
      failure,
      history: this.#withCheck({
        at,
        outcome: isUnreachable(failure) ? 'unreachable' : 'failed',
        overall: 'unknown',
        responseMs: null,
        requestId: failure.requestId,
        levels: {},
      }),
    });
  }

  #withCheck(check: HealthCheck): HealthCheck[] {
    return [...this.#health.history, check].slice(-historyLimit);
  }

  /** Plans the next check: after the interval, and not before the time that the service asked for. */
  #plan(): number | null {
    const { scope, random, serverNow } = this.#context;
    if (scope.isOver) return null;
    const now = serverNow();
    const notBefore = this.#health.failure?.retryAt ?? now;
    const ms = Math.max(withJitter(this.#intervalMs, random), notBefore - now);
    this.#patch({ nextCheckAt: now + ms });
    return ms;
  }

  #patch(change: Partial<Health>): void {
    const { store, serverNow, connection } = this.#context;
    const next = { ...this.#health, ...change };
    store.set('health', {
      ...next,
      freshness: freshnessOf({
        lastAt: next.lastAnswerAt,
        now: serverNow(),
        intervalMs: this.#intervalMs,
        connection: connection('infrastructure').state,
        failed: next.failure !== null,
        hasData: next.lastAnswerAt !== null,
      }),
    });
  }
}

/** Without a member `__proto__`: code that copies the record would set a prototype with it. */
const levelsOf = (reading: HealthReading): Record<string, Level> =>
  Object.fromEntries(
    reading.integrations
      .filter(({ field }) => field !== '__proto__')
      .map(({ field, level }) => [field, level] as const),
  );

function isUnreachable({ code }: Failure): boolean {
  return (
    code === 'unreachable' ||
    code === 'timed-out' ||
    code === 'tls-refused' ||
    code === 'answered-by-something-else'
  );
}
