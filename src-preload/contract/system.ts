import { z } from 'zod';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

/** Unix milliseconds of this computer's clock. */
const instant = z.number();

/** What the host found of this computer that an operator has to know. */
export const systemSchema = z.strictObject({
  /**
   * The system's key store, which keeps a secret that vaults are sealed with. `not-used`: the policy wants the
   * password only, or the system has none to rely on; `waiting`: it was asked and has not answered;
   * `closed`: it refused, as after its prompt was dismissed; `open`: it gave the secret.
   */
  keyStore: z.enum(['not-used', 'waiting', 'closed', 'open']),
  /** Since when the graphics processor is not used, because it failed too often; null while it is. */
  gpuOffSince: instant.nullable(),
  /** Whether the next start uses it again, as the operator asked. */
  gpuNextStart: z.boolean(),
  /** When the console broke and was started again; null where the one before ended in order. */
  brokeAt: instant.nullable(),
});
export type SystemState = z.infer<typeof systemSchema>;

/** A host that has nothing to tell. */
export const systemAtRest: SystemState = {
  keyStore: 'not-used',
  gpuOffSince: null,
  gpuNextStart: false,
  brokeAt: null,
};

export const systemVerbs = {
  /** The next start draws with the graphics processor again. */
  retryGraphics: { access: callers.unlocked, request: nothing, reply: done },
  /** Ends the console and starts it again, as its window does after a failure. */
  restart: { access: callers.unlocked, request: nothing, reply: done },
} as const satisfies VerbDeclarations;
