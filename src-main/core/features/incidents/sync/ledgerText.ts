import { z } from 'zod';
import { parsedJson } from '../../../base/json.ts';
import type { Ledger, LedgerState } from './ledger.ts';
import { newWindow, type LedgerWindow, type TickUnit } from './window.ts';

/** A ledger as it is stored beside its incidents. */
export interface KeptLedger {
  /** Null while it is not known. */
  readonly unit: TickUnit | null;
  /** Server time of the last read of the newest window. */
  readonly lastReadAt: number | null;
  /** How many incidents were known. With fewer in the store, the ledger would claim rows that are missing. */
  readonly incidents: number;
  /** Incidents created before this instant are not stored, Unix milliseconds. */
  readonly keptFrom: number | null;
  readonly state: LedgerState;
}

const longestText = 16_000_000;
const mostWindows = 100_000;
const tick = z.int().nullable();
const instant = z.number().nullable();
const states = ['unread', 'complete', 'saturated', 'failed'] as const;

const keptSchema = z.strictObject({
  version: z.literal(1),
  unit: z.enum(['seconds', 'milliseconds']).nullable(),
  lastReadAt: instant,
  incidents: z.int().min(0),
  keptFrom: instant,
  proven: z.boolean(),
  pageSize: z.int().min(1).nullable(),
  witness: z.tuple([tick, tick]).nullable(),
  /** From, to, state, completeAt, readAt, rows, open. */
  windows: z
    .array(z.tuple([tick, tick, z.enum(states), instant, instant, z.int().min(0), z.int().min(0)]))
    .min(1)
    .max(mostWindows),
});

export function writeLedger(ledger: Ledger, facts: Omit<KeptLedger, 'state'>): string {
  const { witness, size } = ledger.page;
  return JSON.stringify({
    version: 1,
    ...facts,
    proven: ledger.wasRead,
    pageSize: size,
    witness: witness && [witness.from, witness.to],
    windows: ledger.windows.map(({ from, to, state, completeAt, readAt, rows, open }) => [
      from,
      to,
      state,
      completeAt,
      readAt,
      rows,
      open,
    ]),
  } satisfies z.input<typeof keptSchema>);
}

/** Reads a stored ledger. Null when it is damaged: all is read again, which costs only time. */
export function readLedger(text: string): KeptLedger | null {
  if (text.length > longestText) return null;
  const result = keptSchema.safeParse(parsedJson(text));
  if (!result.success) return null;
  const { windows, witness, pageSize, unit, lastReadAt, incidents, keptFrom, proven } = result.data;
  const restored: LedgerWindow[] = windows.map(([from, to, state, completeAt, readAt, rows, open]) =>
    newWindow({ from, to }, { state, completeAt, readAt, rows, open }),
  );
  if (!isGapless(restored)) return null;
  const span = witness && { from: witness[0], to: witness[1] };
  return {
    unit,
    lastReadAt,
    incidents,
    keptFrom,
    state: { page: { size: pageSize, witness: span }, proven, windows: restored },
  };
}

function isGapless(windows: readonly LedgerWindow[]): boolean {
  return windows.every((window, index) => {
    const next = windows[index + 1];
    if (index > 0 && window.from === null) return false;
    if (window.state === 'complete' && window.completeAt === null) return false;
    if (!next) return window.to === null;
    return window.to !== null && window.to === next.from && (window.from ?? -Infinity) < window.to;
  });
}
