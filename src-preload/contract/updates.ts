import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

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

export const updateVerbs = {
  /** Asks the server that the policy or the build names for a newer release. */
  checkForUpdate: { access: callers.unlocked, request: nothing, reply: done },
  /** Brings what `checkForUpdate` found into the private folder and checks it there. */
  takeUpdate: { access: callers.unlocked, request: nothing, reply: done },
  /** The same from a folder, as on a USB stick, which the system's own dialog asks for. */
  takeUpdateFromFolder: { access: callers.unlocked, request: nothing, reply: done },
  /** Installs what was taken. `version` repeats which: another one is refused. */
  installUpdate: {
    access: callers.unlocked,
    request: z.strictObject({ version: z.string().max(64) }),
    reply: done,
  },
  /** Throws away what was taken, or a refusal. */
  dismissUpdate: { access: callers.unlocked, request: nothing, reply: done },
} as const satisfies VerbDeclarations;
