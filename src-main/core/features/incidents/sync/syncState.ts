import type { IncidentsMeta, SyncState, UncertainWindow } from '../../../../../src-preload/contract/index.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { Ledger } from './ledger.ts';
import { spanMs, type TickUnit } from './window.ts';

export const incidentsAtStart: IncidentsMeta = {
  query: { range: 'all', severities: [], statuses: [], types: [], openOnly: true },
  count: 0,
  withoutLocation: 0,
  unreadable: { count: 0, examples: [] },
  completeness: 'unknown',
  rangeIgnored: false,
  severities: [],
  statuses: [],
  reading: false,
  lastReadAt: null,
  nextReadAt: null,
  lastRequestId: null,
  failure: null,
  freshness: 'none',
};

export const syncAtStart: SyncState = {
  phase: 'idle',
  unit: 'undecided',
  pageSize: null,
  windows: { complete: 0, planned: 0 },
  requests: { lastMinute: 0, perMinute: 1 },
  uncertain: { count: 0, windows: [] },
  notReturned: 0,
  completeAsOf: null,
  roundEndsAt: null,
};

/** Whether everything was read once, as far as possible. A row that comes after that is a new incident. */
export function isFirstReadingDone(store: Pick<ConsoleStore, 'slice'>): boolean {
  const { phase } = store.slice('sync');
  return store.slice('incidents').lastReadAt !== null && (phase === 'rolling' || phase === 'unfiltered');
}

const shownWindows = 50;
const exampleLimit = 20;

export interface SyncFacts {
  readonly ledger: Ledger;
  /** Null while it is not known. */
  readonly unit: TickUnit | null;
  /** Why the service's windows are not used; null while they are. */
  readonly unfiltered: 'ignored' | 'undecided' | null;
  readonly isComplete: boolean;
  /** By so much answers may be older than their time, milliseconds. */
  readonly lagMs: number;
  readonly requests: SyncState['requests'];
  readonly notReturned: number;
  readonly roundEndsAt: number | null;
}

/** The slice `sync` for the machine's present state. */
export function describeSync(facts: SyncFacts): SyncState {
  const { ledger, unit, unfiltered, isComplete, lagMs, requests, notReturned, roundEndsAt } = facts;
  const uncertain: UncertainWindow[] = [];
  const toConfirm: UncertainWindow[] = [];
  let complete = 0;
  const asOf = [Infinity, Infinity];
  const hasWindows = unit !== null && unfiltered === null;
  const uncovered = new Set(hasWindows ? ledger.uncovered : []);
  for (const window of ledger.windows.toReversed()) {
    const { confirms, state, rows: known } = window;
    if (hasWindows ? ledger.isSettled(window) : state === 'whole') {
      complete += 1;
      asOf[confirms ? 1 : 0] = Math.min(asOf[confirms ? 1 : 0] ?? Infinity, window.wholeAt ?? Infinity);
      if (!uncovered.has(window)) continue;
    }
    const { from, to } = hasWindows ? spanMs(window, unit) : { from: null, to: null };
    const isOnlyUnconfirmed = state === 'whole' || (confirms && state === 'unread');
    if (isOnlyUnconfirmed) toConfirm.push({ from, to, known, why: 'unconfirmed' });
    else uncertain.push({ from, to, known, why: state });
  }
  const all = [...uncertain, ...toConfirm];
  // Each split alone has every incident.
  const at = Math.max(...asOf.filter((one) => Number.isFinite(one)));
  return {
    phase: phaseOf(facts),
    unit: unfiltered ?? unit ?? 'undecided',
    pageSize: ledger.pages.page || null,
    // What was read once is to be read by another split too.
    windows: { complete, planned: ledger.windows.length + uncovered.size },
    requests,
    uncertain: { count: all.length, windows: all.slice(0, shownWindows) },
    notReturned,
    completeAsOf: isComplete && Number.isFinite(at) ? at - lagMs : null,
    roundEndsAt,
  };
}

function phaseOf({ ledger, unit, unfiltered }: SyncFacts): SyncState['phase'] {
  if (unfiltered !== null) return 'unfiltered';
  // Without an incident there is no unit to find.
  if (unit === null) return ledger.recent.state === 'whole' ? 'rolling' : 'detecting';
  return ledger.wasRead ? 'rolling' : 'first';
}

/**
 * Records that could not be read, in all windows. One that several windows contain counts once, as far as it is
 * remembered.
 */
export function describeUnreadable({ windows }: Ledger): IncidentsMeta['unreadable'] {
  const known = new Set<string>();
  const examples: IncidentsMeta['unreadable']['examples'] = [];
  let count = 0;
  for (const { confirms, unreadable, unreadableCount } of windows) {
    if (confirms) continue;
    count += unreadableCount - unreadable.length;
    for (const { key, json, reason } of unreadable) {
      if (known.has(key)) continue;
      known.add(key);
      count += 1;
      if (examples.length < exampleLimit) examples.push({ json, reason });
    }
  }
  return { count, examples };
}
