import { z } from 'zod';
import { parsedJson } from '../../../base/json.ts';
import type { LedgerState } from './ledger.ts';
import { newWindow, type LedgerWindow } from './window.ts';

/** A ledger as it is stored beside its incidents. */
export interface KeptLedger {
  /** The limit that the service accepts; null for none. */
  readonly limit: number | null;
  /** Server time of the last read of the newest window. */
  readonly lastReadAt: number | null;
  /** How many incidents were known. With fewer in the store, the ledger would claim rows that are missing. */
  readonly incidents: number;
  /** Incidents created before this instant are not stored, Unix milliseconds. */
  readonly keptFrom: number | null;
  readonly state: LedgerState;
}

const longestText = 16_000_000;
const mostWindows = 200_000;
const tick = z.int().min(0);
const count = z.int().min(0);
const instant = z.number().nullable();
const header = z.string().max(256).nullable();
const validator = z
  .strictObject({ etag: header, modified: header, of: z.string().max(256), since: z.number() })
  .nullable();
const states = ['unread', 'whole', 'saturated', 'failed'] as const;

const keptSchema = z.strictObject({
  version: z.literal(4),
  bounds: z
    .strictObject({
      unit: z.enum(['seconds', 'milliseconds']),
      shift: z.int(),
      margin: z.int().min(0).max(1),
      isOdd: z.boolean(),
    })
    .nullable(),
  limit: z.int().min(1).nullable(),
  lastReadAt: instant,
  incidents: count,
  keptFrom: instant,
  page: count.nullable(),
  strict: z.boolean(),
  widest: z.int().min(1).nullable(),
  accepted: count,
  wasRead: z.boolean(),
  /** From, to, whether it confirms, state, wholeAt, readAt, rows, open, validator. */
  windows: z
    .array(
      z.tuple([
        tick,
        tick.nullable(),
        z.boolean(),
        z.enum(states),
        instant,
        instant,
        count,
        count,
        validator,
      ]),
    )
    .min(1)
    .max(mostWindows),
});

export function writeLedger({ windows, ...state }: LedgerState, facts: Omit<KeptLedger, 'state'>): string {
  return JSON.stringify({
    version: 4,
    ...facts,
    ...state,
    windows: windows.map((window) => {
      const { from, to, confirms, state: read, wholeAt, readAt, rows, open, validator: given } = window;
      return [from, to, confirms, read, wholeAt, readAt, rows, open, given];
    }),
  } satisfies z.input<typeof keptSchema>);
}

/** Reads a stored ledger. Null when it is damaged or of an earlier version: all is read again, which costs only time. */
export function readLedger(text: string): KeptLedger | null {
  if (text.length > longestText) return null;
  const result = keptSchema.safeParse(parsedJson(text));
  if (!result.success) return null;
  const { windows, bounds, page, strict, widest, accepted, wasRead, ...facts } = result.data;
  const isConfirmed = windows.some(([, , confirms]) => confirms);
  const restored: LedgerWindow[] = windows.map(
    ([from, to, confirms, state, wholeAt, readAt, rows, open, given]) => {
      const otherAt = isConfirmed ? readAt : null;
      const read = { confirms, state, wholeAt, readAt, otherAt, rows, open, validator: given };
      return newWindow({ from, to }, read);
    },
  );
  if (!isSound(restored)) return null;
  return {
    ...facts,
    state: { bounds, page, strict, widest, accepted, wasRead, windows: restored },
  };
}

/** Whether the first split is without gaps, and each window has an extent and the answer that it claims. */
function isSound(windows: readonly LedgerWindow[]): boolean {
  const first = windows.filter(({ confirms }) => !confirms);
  return (
    windows.every(
      ({ from, to, state, wholeAt }) => from < (to ?? Infinity) && (state !== 'whole' || wholeAt !== null),
    ) &&
    first.every(({ to }, at) => to === (first[at + 1]?.from ?? null)) &&
    first.length > 0
  );
}
