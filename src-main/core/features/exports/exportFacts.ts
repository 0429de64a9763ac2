import type {
  ConsoleState,
  IncidentsMeta,
  SeverityName,
  SeverityScale,
  SyncState,
} from '../../../../src-preload/contract/index.ts';
import { Yielding } from '../../base/yielding.ts';
import type { StoredIncident } from '../../state/incidentCache.ts';

/** The counts of the incidents of an export, made once before the first is written. */
export interface ExportCounts {
  readonly incidents: number;
  readonly withoutLocation: number;
  /** Incidents that the service no longer returns. */
  readonly notReturned: number;
  /** By the name of their severity. */
  readonly severities: ReadonlyMap<SeverityName, number>;
}

/**
 * What a file says about itself: whose data it has, and how old and how complete they were at its start. Times are
 * server time, Unix milliseconds.
 */
export interface ExportFacts extends ExportCounts {
  readonly version: string;
  readonly deployment: string;
  readonly account: string;
  /** The data are practice data of the embedded service. */
  readonly training: boolean;
  readonly madeAt: number;
  /** When the service was read last; null if it never was. */
  readonly dataAsOf: number | null;
  readonly completeness: IncidentsMeta['completeness'];
  /** The time as of which everything was known; null where that is not proven. */
  readonly completeAsOf: number | null;
  /** How many incidents the console has, regardless of the filters. */
  readonly held: number;
  readonly uncertainWindows: number;
  /** As the operator reads them. */
  readonly filters: string;
  readonly zone: 'utc' | 'local';
}

/** An incident by its key; null when it is not (or no longer) known. */
export type FindIncident = (key: number) => StoredIncident | null;

const stride = 256;

/** Counts the incidents to be written, yielding to the event loop. Ends early when `signal` is aborted. */
export async function countIncidents(
  keys: Uint32Array,
  find: FindIncident,
  scale: SeverityScale,
  signal: AbortSignal,
): Promise<ExportCounts> {
  const severities = new Map<SeverityName, number>();
  const yielding = new Yielding();
  let [incidents, withoutLocation, notReturned] = [0, 0, 0];
  for (let at = 0; at < keys.length; at += 1) {
    if (at % stride === 0 && yielding.over) {
      await yielding.next();
      if (signal.aborted) break;
    }
    const stored = find(keys[at] as number);
    if (stored === null) continue;
    incidents += 1;
    if (stored.record.location === null) withoutLocation += 1;
    if (stored.notReturnedSince !== null) notReturned += 1;
    const { mark } = scale.classOf(stored.record.severity);
    severities.set(mark, (severities.get(mark) ?? 0) + 1);
  }
  return { incidents, withoutLocation, notReturned, severities };
}

/** The facts of an export that starts now. */
export function exportFacts(options: {
  readonly counts: ExportCounts;
  readonly version: string;
  readonly filters: string;
  readonly madeAt: number;
  readonly slice: <N extends 'app' | 'deployments' | 'session' | 'incidents' | 'sync' | 'preferences'>(
    name: N,
  ) => ConsoleState[N];
}): ExportFacts {
  const { counts, version, filters, madeAt, slice } = options;
  const { known, chosen } = slice('deployments');
  const incidents = slice('incidents');
  const sync: SyncState = slice('sync');
  return {
    ...counts,
    version,
    filters,
    madeAt,
    deployment: known.find(({ id }) => id === chosen)?.name ?? '',
    account: slice('session').username ?? '',
    training: slice('app').training,
    dataAsOf: incidents.lastReadAt,
    completeness: incidents.completeness,
    completeAsOf: sync.completeAsOf,
    held: incidents.count,
    uncertainWindows: sync.uncertain.count,
    zone: slice('preferences').zone,
  };
}
