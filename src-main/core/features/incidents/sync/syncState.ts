import type { IncidentsMeta, SyncState, UncertainWindow } from '../../../../../src-preload/contract/index.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { Ledger } from './ledger.ts';
import { spanMs, type TickUnit } from './window.ts';

export const incidentsAtStart: IncidentsMeta = {
  query: { range: 'all', severities: [], statuses: [], types: [], openOnly: true, limit: null },
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
  readonly requests: SyncState['requests'];
  readonly notReturned: number;
  readonly roundEndsAt: number | null;
}

/** The slice `sync` for the machine's present state. */
export function describeSync(facts: SyncFacts): SyncState {
  const { ledger, unit, unfiltered, requests, notReturned, roundEndsAt } = facts;
  const uncertain: UncertainWindow[] = [];
  let [complete, count] = [0, 0];
  let asOf = Infinity;
  for (const window of ledger.windows.toReversed()) {
    if (window.state === 'complete') {
      complete += 1;
      asOf = Math.min(asOf, window.completeAt ?? asOf);
      continue;
    }
    count += 1;
    if (uncertain.length >= shownWindows) continue;
    const { from, to } = unit === null ? { from: null, to: null } : spanMs(window, unit);
    uncertain.push({ from, to, known: window.rows, why: window.state });
  }
  return {
    phase: phaseOf(facts),
    unit: unfiltered ?? unit ?? 'undecided',
    pageSize: ledger.page.size,
    windows: { complete, planned: ledger.windows.length },
    requests,
    uncertain: { count, windows: uncertain },
    notReturned,
    completeAsOf: ledger.isComplete && Number.isFinite(asOf) ? asOf : null,
    roundEndsAt,
  };
}

function phaseOf({ ledger, unit, unfiltered }: SyncFacts): SyncState['phase'] {
  if (unfiltered !== null) return 'unfiltered';
  if (unit === null) return 'detecting';
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
  for (const { unreadable, unreadableCount } of windows) {
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
