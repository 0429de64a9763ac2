import type { IncidentsMeta, SyncState, UncertainWindow } from '../../../../../src-preload/contract/index.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { Ledger } from './ledger.ts';
import { roundEnd, type PlanFacts } from './plan.ts';
import type { Readings } from './readings.ts';
import { spanMs } from './window.ts';

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

/** What the readings and the store do not know themselves. */
export interface SyncFacts extends Pick<IncidentsMeta, 'reading' | 'nextReadAt' | 'failure' | 'freshness'> {
  readonly requests: SyncState['requests'];
  readonly plan: PlanFacts;
}

/** The slices `incidents` and `sync` for the present state of reading. */
export function describeSync(
  readings: Readings,
  store: Pick<ConsoleStore, 'incidents' | 'slice'>,
  { requests, plan, ...facts }: SyncFacts,
): { readonly incidents: IncidentsMeta; readonly sync: SyncState } {
  const { ledger, unit, unfiltered, lastReadAt, lastRequestId } = readings;
  const { count, withoutLocation, notReturned, severities, statuses } = store.incidents;
  const unreadable = describeUnreadable(ledger);
  const isComplete = readings.isComplete && unreadable.count === 0;
  const { settled, asOf, uncertain, planned } = describeWindows(readings);
  const hasAny = lastReadAt !== null || count > 0;
  return {
    incidents: {
      ...facts,
      query: store.slice('incidents').query,
      ...{ count, withoutLocation, unreadable, lastReadAt, lastRequestId },
      completeness: hasAny ? (isComplete ? 'complete' : 'at-least') : 'unknown',
      rangeIgnored: unfiltered === 'ignored',
      severities: [...severities],
      statuses: [...statuses],
    },
    sync: {
      phase: phaseOf(readings),
      unit: unfiltered ?? unit ?? 'undecided',
      pageSize: ledger.pages.page || null,
      windows: { complete: settled, planned },
      requests,
      uncertain: { count: uncertain.length, windows: uncertain.slice(0, shownWindows) },
      notReturned,
      completeAsOf: isComplete && Number.isFinite(asOf) ? asOf - readings.lagMs : null,
      roundEndsAt: unfiltered === null ? roundEnd(ledger.windows, plan, requests.perMinute) : null,
    },
  };
}

/** Which windows are settled and since when, and which are not: those that only await a confirmation come last. */
function describeWindows({ ledger, unit, unfiltered }: Readings) {
  const uncertain: UncertainWindow[] = [];
  const toConfirm: UncertainWindow[] = [];
  let settled = 0;
  const oldest = { first: Infinity, second: Infinity };
  const hasWindows = unit !== null && unfiltered === null;
  const uncovered = new Set(hasWindows ? ledger.uncovered : []);
  for (const window of ledger.windows.toReversed()) {
    const { confirms, state, rows: known } = window;
    if (hasWindows ? ledger.isSettled(window) : state === 'whole') {
      settled += 1;
      const split = confirms ? 'second' : 'first';
      oldest[split] = Math.min(oldest[split], window.wholeAt ?? Infinity);
      if (!uncovered.has(window)) continue;
    }
    const span = hasWindows ? spanMs(window, unit) : { from: null, to: null };
    const isOnlyUnconfirmed = state === 'whole' || (confirms && state === 'unread');
    if (isOnlyUnconfirmed) toConfirm.push({ ...span, known, why: 'unconfirmed' });
    else uncertain.push({ ...span, known, why: state });
  }
  return {
    settled,
    // What was read once is to be read by another split too.
    planned: ledger.windows.length + uncovered.size,
    uncertain: [...uncertain, ...toConfirm],
    // Each split alone has every incident.
    asOf: Math.max(...Object.values(oldest).filter((at) => Number.isFinite(at))),
  };
}

function phaseOf({ ledger, unit, unfiltered }: Readings): SyncState['phase'] {
  if (unfiltered !== null) return 'unfiltered';
  // Without an incident there is no unit to find.
  if (unit === null) return ledger.recent.state === 'whole' ? 'rolling' : 'detecting';
  return ledger.wasRead ? 'rolling' : 'first';
}

/**
 * Records that could not be read, in all windows. One that several windows contain counts once, as far as it is
 * remembered.
 */
function describeUnreadable({ windows }: Ledger): IncidentsMeta['unreadable'] {
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
