import { failed, type Result } from '../../../../src-preload/contract/index.ts';
import { doubled } from '../../base/backoff.ts';
import { makeFailure } from '../../base/failure.ts';
import { sleep } from '../../base/sleep.ts';
import type { Answer, ApiRequest, Interceptor } from './request.ts';
import { readRetryAfter } from './retryAfter.ts';
import { statusFailure } from './statusFailure.ts';
import type { TransportOptions } from './transportOptions.ts';

const mostAttempts = 3;
const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/** If an operator would wait longer than this, the failure says when to try again. */
const interactivePatienceMs = 5_000;

/**
 * Repeats requests where that is safe: after 429 always (the service did not act), after 408 once, and after 5xx and
 * lost connections only where a repetition cannot act twice. Every retry is paid from the shared budget, so that
 * retries do not make an outage worse.
 */
export function retry({ clock, random, serverTime }: TransportOptions): Interceptor {
  const budget = createRetryBudget();

  /** Full jitter below an exponential limit, but at least what the service asked for. */
  function delayBefore(attempt: number, asked: number | null): number {
    const jitter = random.fraction() * doubled(firstDelayMs, attempt - 1, longestDelayMs);
    return (asked ?? 0) + jitter;
  }

  return async (request, next) => {
    let sent408 = false;
    for (;;) {
      request.memory.attempts += 1;
      const result = await next(request);
      const reason = retryReason(request, result);
      if (result.ok && result.value.status < 400 && result.value.cut === null) budget.earn();
      if (reason === null || !request.retries || (reason === 'timeout' && sent408)) return result;
      sent408 ||= reason === 'timeout';

      const asked = result.ok
        ? readRetryAfter(result.value.headers['retry-after'], serverTime.serverNow())
        : null;
      const delay = delayBefore(request.memory.attempts, asked);
      const tooLong =
        (request.interactive && delay > interactivePatienceMs) ||
        clock.elapsed() + delay >= request.memory.deadlineElapsed;
      if (tooLong || request.memory.attempts >= mostAttempts || !budget.spend()) {
        return withRetryAt(result, reason, delay, serverTime.serverNow());
      }
      if (!(await sleep(clock, delay, request.signal))) {
        return failed(makeFailure({ code: 'cancelled', at: serverTime.serverNow() }));
      }
    }
  };
}

type Reason = 'too-many' | 'timeout' | 'fault';

function retryReason(request: ApiRequest, result: Result<Answer>): Reason | null {
  const repeatable = request.method === 'GET' || 'idempotency-key' in request.headers;
  if (result.ok) {
    const { status } = result.value;
    if (status === 429) return 'too-many';
    if (!repeatable) return null;
    if (status === 408) return 'timeout';
    // 501 and 505 are answers about the request; 511 is not from the service.
    return status >= 500 && status !== 501 && status !== 505 && status !== 511 ? 'fault' : null;
  }
  const { code } = result.failure;
  return repeatable && (code === 'unreachable' || code === 'timed-out') ? 'fault' : null;
}

/** After the last 429 the failure says when to try again, even if the service did not. */
function withRetryAt(
  result: Result<Answer>,
  reason: Reason,
  delay: number,
  serverNow: number,
): Result<Answer> {
  if (!result.ok || reason !== 'too-many') return result;
  const failure = statusFailure(result.value, serverNow);
  return failure === null ? result : failed({ ...failure, retryAt: serverNow + delay });
}

/** The retries that all operations of one link may use together. */
interface RetryBudget {
  /** An operation was answered: adds a tenth of a retry. */
  earn(): void;
  /** Takes one retry; false when there is none left. */
  spend(): boolean;
}

const tenthsPerRetry = 10;
const mostTenths = 2 * tenthsPerRetry;

/**
 * A token bucket that only success fills. In an outage nothing is added: after the two retries in it, every operation
 * costs one request; over any time at most 1.1. Counted in tenths, since ten times 0.1 is less than 1.
 */
export function createRetryBudget(): RetryBudget {
  let tenths = mostTenths;
  return {
    earn() {
      tenths = Math.min(mostTenths, tenths + 1);
    },
    spend() {
      if (tenths < tenthsPerRetry) return false;
      tenths -= tenthsPerRetry;
      return true;
    },
  };
}
