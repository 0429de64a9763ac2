import { z } from 'zod';
import { failureSchema } from './failure.ts';

/** A release as its signed manifest describes it. */
export const releaseSchema = z.strictObject({
  version: z.string().max(64),
  bytes: z.int().min(0),
  /** When it was made, Unix milliseconds, by the manifest. */
  releasedAt: z.number(),
});
export type Release = z.infer<typeof releaseSchema>;

/** How updates stand. */
export const updatesSchema = z.strictObject({
  /** Whether this console can be updated from here, or why not. */
  offered: z.enum(['yes', 'policy', 'kiosk', 'unsigned', 'managed', 'browser', 'development']),
  /** Whether the policy or the build names a server to ask; a folder can always be given. */
  server: z.boolean(),
  state: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('idle') }),
    z.strictObject({ kind: z.literal('checking') }),
    z.strictObject({ kind: z.literal('current') }),
    z.strictObject({ kind: z.literal('available'), release: releaseSchema }),
    z.strictObject({ kind: z.literal('taking'), release: releaseSchema, bytes: z.int().min(0) }),
    /** Checked, and lying in the private folder. */
    z.strictObject({ kind: z.literal('ready'), release: releaseSchema }),
    z.strictObject({ kind: z.literal('installing'), release: releaseSchema }),
    z.strictObject({ kind: z.literal('refused'), failure: failureSchema }),
  ]),
  lastCheckAt: z.number().nullable(),
});
export type UpdatesState = z.infer<typeof updatesSchema>;
