import type { Result } from '../../../src-preload/contract/index.ts';
import type { IncidentRecord } from './incident.ts';

/** An incident as it is stored on this computer. Times are server time, Unix milliseconds. */
export interface StoredIncident {
  readonly record: IncidentRecord;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** 0 for incidents of a first read. */
  readonly arrivedAt: number;
  /** Since when the service no longer returns it; null while they do. */
  readonly notReturnedSince: number | null;
}

/** Incidents that may be parsed one by one during the iteration; may also be an array. */
export interface IncidentBatch extends Iterable<StoredIncident> {
  readonly length: number;
}

export interface CacheChange {
  readonly upserts: readonly StoredIncident[];
  /** Ids of incidents to remove, before the upserts are stored. */
  readonly removals: readonly string[];
  /** Small named texts beside the incidents, such as the ledger of the sync. */
  readonly documents: Readonly<Record<string, string>>;
}

export interface CacheContents {
  readonly incidents: number;
  /** Records with a broken seal, or that could not be read: set aside and counted. */
  readonly damaged: number;
  /** Some are missing or older. */
  readonly older: boolean;
}

/** The incidents of one open vault. Changes reach the disk one at a time, in the order of the calls. */
export interface IncidentCache {
  /**
   * Delivers all incidents in batches of at most 2,000, waiting for `take` between them. Other calls wait meanwhile, so
   * `take` must not wait for one of them.
   */
  load(take: (batch: IncidentBatch) => void | Promise<void>): Promise<Result<CacheContents>>;
  /** Writes all of a change or nothing. Resolves when it would survive a SIGKILL. */
  write(change: CacheChange): Promise<Result<null>>;
  document(name: string): Promise<Result<string | null>>;
  /** The number of stored incidents, and the bytes of the vault on the disk. */
  size(): Promise<Result<{ readonly incidents: number; readonly bytes: number }>>;
}
