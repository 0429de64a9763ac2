import { z } from 'zod';

const instant = z.number();

/**
 * A stretch of creation times, Unix milliseconds, of which it cannot be shown that every incident
 * is known. Null is an open end. `to` is inclusive.
 */
export const uncertainWindowSchema = z.strictObject({
  from: instant.nullable(),
  to: instant.nullable(),
  known: z.int().min(0),
  /**
   * `unread`: its turn has not come. `unconfirmed`: read once, and not yet by another split of time. `saturated`: it
   * cannot be split further, and its answer may be cut. `failed`: its last read failed.
   */
  why: z.enum(['unread', 'unconfirmed', 'saturated', 'failed']),
});
export type UncertainWindow = z.infer<typeof uncertainWindowSchema>;

/** How far the reading of all incidents is. See core/sync for the machine behind it. */
export const syncSchema = z.strictObject({
  /**
   * `idle`: no operator is signed in. `detecting`: the unit of time stamps is being found out. `first`:
   * some windows were never read. `rolling`: all were, and are read again in turn. `unfiltered`: the
   * service does not follow time windows, so only its plain list is read.
   */
  phase: z.enum(['idle', 'detecting', 'first', 'rolling', 'unfiltered']),
  /** The unit of `start_time` and `end_time` in use; `ignored`: the service does not filter by them. */
  unit: z.enum(['seconds', 'milliseconds', 'undecided', 'ignored']),
  /** The largest page that the service has shown to be whole; null before the first. */
  pageSize: z.int().min(1).nullable(),
  windows: z.strictObject({ complete: z.int().min(0), planned: z.int().min(0) }),
  requests: z.strictObject({ lastMinute: z.int().min(0), perMinute: z.int().min(1) }),
  /** `count` is that of all; `windows` holds the latest of them. */
  uncertain: z.strictObject({ count: z.int().min(0), windows: z.array(uncertainWindowSchema).max(50) }),
  /** Incidents that two answers for their second lacked; they stay, greyed. */
  notReturned: z.int().min(0),
  /** As of when everything was known: the oldest read among the windows; null while one is uncertain. */
  completeAsOf: instant.nullable(),
  /** When the present round over the older windows will be through, as estimated; null if unknown. */
  roundEndsAt: instant.nullable(),
});
export type SyncState = z.infer<typeof syncSchema>;
