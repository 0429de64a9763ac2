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
import { makeFailure } from '../../base/failure.ts';
import { freshnessOf } from '../../base/freshness.ts';
import { message } from '../../base/messages/message.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { Scope } from '../../base/scope.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { InfrastructureApi } from '../../service/api/infrastructure.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import { readHealth, type HealthFieldNames, type HealthReading } from './integration.ts';

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

export interface HealthMonitorOptions {
  /** The connection to the deployment: nothing is asked after its end. */
  readonly scope: Scope;
  readonly api: Pick<InfrastructureApi, 'health'>;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly intervalMs: number;
  readonly fieldNames: HealthFieldNames;
  readonly connection: () => ApiConnection['state'];
}

const historyLimit = 60;
/** Before sign-in the page only says what is reachable: a slower pace is enough for that. */
const idleFactor = 3;

/**
 * Asks the service for its health, with a history of the last checks. That the service could not be
 * reached says nothing about its integrations: they keep what they last said, and age.
 */
export class HealthMonitor {
  readonly #options: HealthMonitorOptions;
  #check: Promise<Result<null>> | null = null;
  #cancelNext: (() => void) | null = null;
  #attended = false;

  constructor(options: HealthMonitorOptions) {
    const { scope, store } = options;
    this.#options = options;
    scope.onEnd(() => {
      store.set('health', healthAtStart);
    });
  }

  start(): void {
    this.#patch(healthAtStart);
    void this.checkNow();
  }

  /** Sets the pace: whether somebody is signed in. */
  attend(attended: boolean): void {
    if (this.#attended === attended) return;
    this.#attended = attended;
    if (this.#options.scope.isOver) return;
    if (attended) void this.checkNow();
    this.review();
  }

  /** Checks at once; one check at a time, whoever asks. */
  checkNow(interactive = false): Promise<Result<null>> {
    if (this.#options.scope.isOver) {
      return Promise.resolve(
        failed(makeFailure({ code: 'cancelled', at: this.#options.serverTime.serverNow() })),
      );
    }
    this.#check ??= this.#run(interactive).finally(() => {
      this.#check = null;
    });
    return this.#check;
  }

  connectionReturned(): void {
    if (this.#health.failure !== null && this.#check === null) void this.checkNow();
  }

  /** Derives the freshness anew, as time has passed or the connection changed. */
  review(): void {
    if (!this.#options.scope.isOver) this.#patch({});
  }

  get #health(): Health {
    return this.#options.store.slice('health');
  }

  get #intervalMs(): number {
    return this.#options.intervalMs * (this.#attended ? 1 : idleFactor);
  }

  async #run(interactive: boolean): Promise<Result<null>> {
    const { api, serverTime, fieldNames } = this.#options;
    this.#cancel();
    this.#patch({ checking: true, nextCheckAt: null });
    const answer = await api.health({ interactive, signal: this.#options.scope.signal });
    const at = serverTime.serverNow();
    if (this.#options.scope.isOver) return failed(makeFailure({ code: 'cancelled', at }));
    const reading = answer.ok ? readHealth(answer.value.body, fieldNames) : null;
    if (answer.ok && reading) {
      this.#takeReading(reading, {
        at,
        responseMs: answer.value.responseMs,
        requestId: answer.value.requestId,
      });
      this.#schedule(null);
      return ok(null);
    }
    const failure = answer.ok
      ? makeFailure({
          code: 'unreadable-answer',
          at,
          sentence: message('sync.healthUnreadable'),
          requestId: answer.value.requestId,
        })
      : answer.failure;
    this.#takeFailure(failure, at);
    this.#schedule(failure.retryAt);
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
    this.#options.logger.warn('health-not-read', { code: failure.code, requestId: failure.requestId });
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

  #schedule(notBefore: number | null): void {
    const { clock, random, serverTime } = this.#options;
    const now = serverTime.serverNow();
    const ms = Math.max(withJitter(this.#intervalMs, random), (notBefore ?? now) - now);
    this.#cancel();
    this.#cancelNext = clock.schedule(ms, () => {
      this.#cancelNext = null;
      void this.checkNow();
    });
    this.#patch({ nextCheckAt: now + ms });
  }

  #cancel(): void {
    this.#cancelNext?.();
    this.#cancelNext = null;
  }

  #patch(change: Partial<Health>): void {
    const { store, serverTime, connection } = this.#options;
    const next = { ...this.#health, ...change };
    store.set('health', {
      ...next,
      freshness: freshnessOf({
        lastAt: next.lastAnswerAt,
        now: serverTime.serverNow(),
        intervalMs: this.#intervalMs,
        connection: connection(),
        failed: next.failure !== null,
        hasData: next.lastAnswerAt !== null,
      }),
    });
  }
}

/** A member named `__proto__` would be taken for the prototype by whoever copies the record. */
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
