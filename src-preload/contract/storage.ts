import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { messageSchema } from './message.ts';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

const instant = z.number();

/** What may be known of a vault while it is closed (docs/data.md: How it is protected). */
export const vaultSummarySchema = z.strictObject({
  id: z.string(),
  username: z.string(),
  /** Server time of the last time something was stored, Unix milliseconds. */
  lastSyncAt: instant.nullable(),
  /** What was queued and never sent. */
  unsent: z.int().min(0),
  /** Put aside unopened, because its previous password was not known. */
  setAside: z.boolean(),
});
export type VaultSummary = z.infer<typeof vaultSummarySchema>;

/** How the console keeps on this computer what it knows. */
export const storageSchema = z.strictObject({
  /** The vaults of the chosen deployment, the latest first. */
  vaults: z.array(vaultSummarySchema),
  /** `memory`: `problem` says why what is known does not survive the end of the console. */
  keeping: z.enum(['nothing', 'disk', 'memory']),
  problem: failureSchema.nullable(),
  /** Something an operator must hear once: a cache that was set aside and rebuilt, records removed by retention. */
  notice: z.strictObject({ at: instant, sentence: messageSchema }).nullable(),
  incidents: z.int().min(0),
  /** Size of the open vault's files; null while none is open. */
  bytes: z.number().nullable(),
  /** Set while the service has accepted a password that does not open the vault. */
  previousPassword: z
    .strictObject({
      incidents: z.int().min(0),
      unsent: z.int().min(0),
      lastSyncAt: instant.nullable(),
      /** No password is checked before this instant; null when one may be tried now. */
      throttledUntil: instant.nullable(),
    })
    .nullable(),
});
export type StorageState = z.infer<typeof storageSchema>;

export const storageVerbs = {
  /** Opens a vault that another password has sealed, and seals it with the one just signed in with. */
  openWithPrevious: {
    access: callers.unlocked,
    request: z.strictObject({ password: z.string().min(1).max(1024) }),
    reply: done,
  },
  /** Puts a sealed vault aside unopened, listed with what it holds, and begins a new one. */
  startNewVault: { access: callers.unlocked, request: nothing, reply: done },
  /**
   * Destroys a vault of the chosen deployment and everything in it. `unsent` repeats how much is lost
   * that was never sent: another number than the vault's is refused.
   */
  eraseVault: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({ id: z.string().regex(/^[0-9a-f]{32}$/), unsent: z.int().min(0) }),
    reply: done,
  },
  dismissStorageNotice: { access: callers.unlocked, request: nothing, reply: done },
} as const satisfies VerbDeclarations;
