import { z } from 'zod';

const bytesSchema = z.strictObject({ sent: z.int().min(0), received: z.int().min(0) });

/** The line to the service, as far as its answers showed it. */
export const lineSchema = z.strictObject({
  /**
   * Bytes of answers a second, of the slower API, with two digits; null where none was measured in the last 10 minutes.
   */
  bytesPerSecond: z.number().positive().nullable(),
  /** Milliseconds from a request to the first byte of its answer, the least of the last ones; null where not measured. */
  roundTripMs: z.int().min(0).nullable(),
  /** Bytes with the headers of HTTP, without encryption and packets, in steps of 5 minutes. */
  hour: bytesSchema,
  /** The same of the last 24 hours, or since `since`. */
  day: bytesSchema,
  /** Server time from which `day` counts, Unix milliseconds; null before the first count. */
  since: z.number().nullable(),
  /** Whether data is saved: no previews, no offline copies, and polls four times as far apart. */
  saving: z.boolean(),
});
export type LineState = z.infer<typeof lineSchema>;
