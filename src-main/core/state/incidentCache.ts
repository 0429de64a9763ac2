import type { Result } from '../../../src-preload/contract/index.ts';
import type { IncidentRecord } from './incident.ts';

/** An incident as it is kept on this computer. Times are server time, Unix milliseconds. */
export interface StoredIncident {
  readonly record: IncidentRecord;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** 0 for what a first read brought. */
  readonly arrivedAt: number;
  /** Since when complete reads no longer return it; null while they do. */
  readonly notReturnedSince: number | null;
}

/** Incidents of which each may be read only when its turn comes; a list of them is one, too. */
export interface IncidentBatch extends Iterable<StoredIncident> {
  readonly length: number;
}

export interface CacheChange {
  readonly upserts: readonly StoredIncident[];
  /** Ids of incidents to forget, before the upserts are stored. */
  readonly removals: readonly string[];
  /** Small named texts kept beside the incidents, such as the ledger of the sync. */
  readonly documents: Readonly<Record<string, string>>;
}

export interface CacheContents {
  readonly incidents: number;
  /** Records whose seal did not hold or that could not be read: set aside, counted. */
  readonly damaged: number;
  /** Some are gone or were exchanged for an older version. */
  readonly older: boolean;
}

/** The incidents of one open vault. One change at a time reaches the disk, in the order of the calls. */
export interface IncidentCache {
  /**
   * Hands over all incidents in batches of at most 2,000, waiting for `take` between them. Calls made
   * meanwhile wait for its end, so `take` must not wait for one of them.
   */
  load(take: (batch: IncidentBatch) => void | Promise<void>): Promise<Result<CacheContents>>;
  /** Writes all of a change or nothing of it. Answers when it would survive a SIGKILL. */
  write(change: CacheChange): Promise<Result<null>>;
  document(name: string): Promise<Result<string | null>>;
  /** How many incidents are kept, and the bytes that the vault takes on the disk. */
  size(): Promise<Result<{ readonly incidents: number; readonly bytes: number }>>;
}
