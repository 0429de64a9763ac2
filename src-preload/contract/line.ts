import { z } from 'zod';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

const bytesSchema = z.strictObject({ sent: z.int().min(0), received: z.int().min(0) });

/** The line to the service, as far as its answers showed it. */
export const lineSchema = z.strictObject({
  /**
   * Bytes of answers a second, of the slower API, with two digits; null where none was measured in the last 10 minutes.
   */
  bytesPerSecond: z.number().positive().nullable(),
  /** Milliseconds from a request to the first byte of its answer, the least of the last ones; null where not measured. */
  roundTripMs: z.int().min(0).nullable(),
  /** The share of the last attempts that were cut or stayed silent, of the API that lost more; null before the first. */
  loss: z.number().min(0).max(1).nullable(),
  /** Bytes with the headers of HTTP, without encryption and packets, in steps of 5 minutes. */
  hour: bytesSchema,
  /** The same of the last 24 hours, or since `since`. */
  day: bytesSchema,
  /** Server time from which `day` counts, Unix milliseconds; null before the first count. */
  since: z.number().nullable(),
  /** Whether data is saved: no previews, no offline copies, and polls four times as far apart. */
  saving: z.boolean(),
  /** What an hour may cost, where the deployment limits it. */
  limit: z
    .strictObject({
      /** Sent and received together, in this hour of server time. */
      used: z.int().min(0),
      bytes: z.int().min(0),
      /** When the hour ends, Unix milliseconds. */
      until: z.number(),
      /** `used-up`: what can wait does so until then. `exceeded`: an operator lets it continue in this hour. */
      state: z.enum(['within', 'used-up', 'exceeded']),
    })
    .nullable(),
});
export type LineState = z.infer<typeof lineSchema>;

/** Below this a page of 200 incidents takes seconds, bytes a second. */
const slowBytesPerSecond = 32_000;
/** Where no answer was large enough to show a rate, a first byte as soon as this shows a quick line, milliseconds. */
const quickMs = 250;

type Measured = Pick<LineState, 'bytesPerSecond' | 'roundTripMs'>;

export const isSlowLine = ({ bytesPerSecond }: Measured): boolean =>
  bytesPerSecond !== null && bytesPerSecond < slowBytesPerSecond;

/** Whether the line was measured as quick. One that was not measured is neither slow nor quick. */
export const isQuickLine = (line: Measured): boolean =>
  line.bytesPerSecond === null ? line.roundTripMs !== null && line.roundTripMs < quickMs : !isSlowLine(line);

export const lineVerbs = {
  /** Lets everything continue for the rest of this hour, whatever it costs. */
  exceedDataLimit: { access: callers.handsOn, request: nothing, reply: done },
} as const satisfies VerbDeclarations;
