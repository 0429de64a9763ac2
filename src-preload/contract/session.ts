import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { uploadTokenSchema } from './uploads.ts';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

/** Server time, Unix milliseconds. */
const instant = z.number();

/** The session machine as the operator sees it. See core/service/session/session.ts for the transitions. */
export const sessionStateSchema = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('none'),
    ended: z.enum(['never-started', 'signed-out', 'forgotten', 'deployment-changed']),
  }),
  z.strictObject({ state: z.literal('signing-in') }),
  z.strictObject({ state: z.literal('active'), expiresAt: instant }),
  /** `expiresAt` null: no token serves meanwhile, as after a sign-in without the service. */
  z.strictObject({ state: z.literal('renewing'), expiresAt: instant.nullable() }),
  z.strictObject({
    state: z.literal('waiting'),
    reason: failureSchema,
    until: instant,
    expiresAt: instant.nullable(),
  }),
  /** The service grants tokens and accepts none of them; the next login is at `until`. */
  z.strictObject({ state: z.literal('tokens-refused'), failure: failureSchema, until: instant }),
  z.strictObject({ state: z.literal('rejected'), failure: failureSchema }),
]);
export type SessionState = z.infer<typeof sessionStateSchema>;
export const sessionStates = sessionStateSchema.options.map(({ shape }) => shape.state.value);

export const sessionSchema = z.strictObject({
  /** `sealed`: the service accepted the password, and the vault on this computer has another one. */
  vault: z.enum(['closed', 'opening', 'sealed', 'open']),
  session: sessionStateSchema,
  username: z.string().nullable(),
});

/** The only slice that a locked console shows, beside `app`, `time` and `preferences`. */
export const lockSchema = z.strictObject({
  locked: z.boolean(),
  username: z.string().nullable(),
  deploymentName: z.string().nullable(),
  /** No password is checked before this instant; null when one may be tried now. */
  throttledUntil: instant.nullable(),
});

export const sessionVerbs = {
  signIn: {
    access: callers.unlocked,
    request: z.strictObject({
      username: z.string().min(1).max(256),
      password: z.string().min(1).max(1024),
      /** The separate service token for uploads, where the deployment asks for one. Held in memory only. */
      uploadToken: uploadTokenSchema.optional(),
    }),
    reply: done,
  },
  /** For a proxy that asks: `proxy` of the slice of that name. Held in memory only, until the operator signs out. */
  signInToProxy: {
    access: callers.unlocked,
    request: z.strictObject({
      proxy: z.string().min(1).max(300),
      username: z.string().min(1).max(256),
      password: z.string().min(1).max(1024),
    }),
    reply: done,
  },
  signOut: { access: callers.always, request: nothing, reply: done },
  /** A login now, where the service refuses its own tokens and the console rests between logins. */
  renewSession: { access: callers.operators, request: nothing, reply: done },
  lock: { access: callers.unlocked, request: nothing, reply: done },
  unlock: {
    access: callers.always,
    request: z.strictObject({ password: z.string().min(1).max(1024) }),
    reply: done,
  },
} as const satisfies VerbDeclarations;
