import { z } from 'zod';

/** Who may call a verb, and when. */
export interface VerbAccess {
  /** Whether a locked console answers it; `theme` if it asks for the theme and for nothing else. */
  readonly whileLocked: 'answered' | 'refused' | 'theme';
  /** Whether an operator has to be signed in. */
  readonly signedIn: boolean;
  /**
   * What the computer's policy has to allow for it; null for nothing. `hands`: it acts on the service, or
   * changes what is stored or heard, which a display on a wall never does.
   */
  readonly needs: 'exports' | 'hands' | null;
}

/** One verb: its request is read with the schema before anything of the console sees the call. */
export interface VerbDeclaration {
  readonly access: VerbAccess;
  readonly request: z.ZodType;
  readonly reply: z.ZodType;
}
export type VerbDeclarations = Readonly<Record<string, VerbDeclaration>>;

const always: VerbAccess = { whileLocked: 'answered', signedIn: false, needs: null };
const unlocked: VerbAccess = { whileLocked: 'refused', signedIn: false, needs: null };
const operators: VerbAccess = { whileLocked: 'refused', signedIn: true, needs: null };

/** The rules that verbs choose from; all but `always` and `unlockedButTheme` are refused while the console is locked. */
export const callers = {
  always,
  unlocked,
  unlockedButTheme: { ...unlocked, whileLocked: 'theme' },
  operators,
  handsOn: { ...operators, needs: 'hands' },
  handsOnUnlocked: { ...unlocked, needs: 'hands' },
  exporters: { ...operators, needs: 'exports' },
  exportersUnlocked: { ...unlocked, needs: 'exports' },
} as const satisfies Record<string, VerbAccess>;

export const nothing = z.strictObject({});
export const done = z.null();

/** Part of a list that is read page by page; rows that are not there are left out of the answer. */
export const page = { from: z.int().min(0).max(10_000_000), count: z.int().min(1).max(200) };
export const fileName = z.string().min(1).max(1024);
export const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** A file that waits to be fetched once as `GET /export/{exportId}`. */
export const fetched = z.strictObject({ exportId: z.string().regex(/^[0-9a-f]{32}$/), fileName: z.string() });
