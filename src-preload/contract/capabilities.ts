import { z } from 'zod';
import { failureSchema } from './failure.ts';

/** What the service has refused for want of a scope, until the next token (interface: 403). */
export const refusalSchema = z.strictObject({
  api: z.enum(['infrastructure', 'coordination']),
  /** The operation's name, such as `list_evidence`. */
  operation: z.string(),
  /** What of it was refused, such as a mission's id; empty for all of it. */
  resource: z.string(),
  failure: failureSchema,
});
export type Refusal = z.infer<typeof refusalSchema>;

export const capabilitiesSchema = z.strictObject({ refused: z.array(refusalSchema).max(200) });
