import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { freshnessSchema } from './freshness.ts';
import { messageSchema } from './message.ts';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

/** Server time, Unix milliseconds. */
const instant = z.number();

export const levelSchema = z.enum(['ok', 'degraded', 'down', 'unknown']);
export type Level = z.infer<typeof levelSchema>;

export const integrationSchema = z.strictObject({
  /** The field's name on the wire, unique in the list. */
  field: z.string(),
  /** The console's name for it; else the field's, as text. */
  label: messageSchema,
  kind: z.enum(['flag', 'text']),
  /** The wire value as text: a flag's "available"/"not available", or the text as it came. */
  value: z.string(),
  level: levelSchema,
  /** Since when this level has been seen, without a break. */
  since: instant,
});

/** One health check; `levels` follows the field names of `integrations`, absent where unseen. */
export const healthCheckSchema = z.strictObject({
  at: instant,
  outcome: z.enum(['answered', 'unreachable', 'failed']),
  overall: levelSchema,
  responseMs: z.number().nullable(),
  requestId: z.string().nullable(),
  levels: z.record(z.string(), levelSchema),
});
export type HealthCheck = z.infer<typeof healthCheckSchema>;

export const healthSchema = z.strictObject({
  overall: z.strictObject({ text: z.string(), level: levelSchema, since: instant }).nullable(),
  integrations: z.array(integrationSchema),
  /** Oldest first, at most 60. */
  history: z.array(healthCheckSchema),
  checking: z.boolean(),
  lastAnswerAt: instant.nullable(),
  failure: failureSchema.nullable(),
  nextCheckAt: instant.nullable(),
  freshness: freshnessSchema,
});
export type Health = z.infer<typeof healthSchema>;

export const healthVerbs = {
  checkHealth: { access: callers.unlocked, request: nothing, reply: done },
} as const satisfies VerbDeclarations;
