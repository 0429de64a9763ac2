import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

/** What a machine's policy can fix, so that no operator changes it on this computer. */
export const policyKeys = [
  'deployments',
  'kiosk',
  'idleLock',
  'exports',
  'evidencePreview',
  'saveData',
  'updates',
  'drop',
  'logLevel',
] as const;

/** `operator`: a console that fills the screen. `wallboard`: one that only shows, for a wall display. */
export const kioskModeSchema = z.enum(['off', 'operator', 'wallboard']);
export type KioskMode = z.infer<typeof kioskModeSchema>;

/** What holds on this computer, from its policy file or from how the console was started. */
export const policySchema = z.strictObject({
  /** `invalid`: a policy is there and cannot be used, so the console is in its safest form. */
  source: z.enum(['none', 'machine', 'command-line', 'invalid']),
  path: z.string().nullable(),
  problem: failureSchema.nullable(),
  fixed: z.array(z.enum(policyKeys)),
  kiosk: kioskModeSchema,
  /** How a kiosk is left: whether an administrator's code is asked for, and when the next may be tried. */
  leave: z.strictObject({ code: z.boolean(), throttledUntil: z.number().nullable() }),
  /** Time without an operator after which the console locks, milliseconds; null for never. */
  idleLockMs: z.int().min(1_000).nullable(),
  /** Time without movement after which a kiosk's pointer is hidden, milliseconds; null for never. */
  hidePointerMs: z.int().min(1_000).nullable(),
  /** How long a wallboard shows one view, milliseconds. */
  rotateMs: z.int().min(1_000),
  /** Whether files may be dropped onto the page. */
  drop: z.boolean(),
  /** Whether anything may be saved from the page to a file. */
  exports: z.boolean(),
  /** Whether evidence may be fetched from the deployment's gateways. */
  evidencePreview: z.boolean(),
  /** Whether data is saved on the link; of no meaning where it is not fixed. */
  saveData: z.boolean(),
  updates: z.boolean(),
});
export type PolicyState = z.infer<typeof policySchema>;

export const policyVerbs = {
  /** An operator is there: the time to the automatic lock begins again. At most one in ten seconds is of use. */
  noteActivity: { access: callers.always, request: nothing, reply: done },
  /** Ends a kiosk. `code` is the administrator's; empty where none is set. Throttled. */
  leaveKiosk: { access: callers.always, request: z.strictObject({ code: z.string().max(256) }), reply: done },
} as const satisfies VerbDeclarations;
