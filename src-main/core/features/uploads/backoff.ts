import type { Failure } from '../../../../src-preload/contract/index.ts';
import { doubled } from '../../base/backoff.ts';
import type { Random } from '../../base/ports.ts';

const firstMs = 2_000;
const longestMs = 300_000;
/** A wait that the service asked for is believed up to this. */
const longestAskedMs = 600_000;
/** A second 401 in a row rests (core/service/transport/authorize.ts): asking sooner would only cost logins. */
const after401Ms = 300_000;

/** Milliseconds to the next attempt after `failures` in a row: full jitter, below 2 s, 4 s ... 5 min. */
export function backoffMs(failures: number, random: Random): number {
  const bound = doubled(firstMs, failures - 1, longestMs);
  return random.fraction() * bound;
}

/** Milliseconds that must pass in any case: what the service asked for, and the rest after a 401. */
export function restMs({ retryAt, status }: Failure, now: number): number {
  const asked = retryAt === null ? 0 : Math.min(Math.max(retryAt - now, 0), longestAskedMs);
  return status === 401 ? Math.max(asked, after401Ms) : asked;
}
