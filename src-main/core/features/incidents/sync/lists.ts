import type { Failure, Result } from '../../../../../src-preload/contract/index.ts';
import type { ListIncidentsParams } from '../../../service/api/infrastructure.ts';
import { withPermit } from '../../../service/transport/largeAnswers.ts';
import type { Validator } from '../../../service/transport/validators.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import { ListReader, listPerSeverity, type ListPages, type SyncCall, type Turn } from './listReader.ts';
import type { ListsAccount } from './syncAccount.ts';

/** How one list is read. */
export interface ListHow {
  /** The most pages that are followed. */
  readonly mostPages?: number;
  /** Incidents are known in this range: a 404 is no empty window. */
  readonly expectsRows?: boolean;
  readonly validator?: Validator | null;
  /** Rows created since then count as new; Unix milliseconds. */
  readonly liveSince?: () => number;
  /** Takes the creation times of rows that were not known. */
  readonly fresh?: number[];
}

/** The most pages of one window that are followed by cursor: beyond it, reading its parts is quicker. */
export const mostPages = 20;
/** A page should take so long, seconds, but has at least so many rows. */
const [pageSeconds, leastFit] = [4, 25];

/**
 * Reads lists in the largest form that the service takes, and writes the rows of each page to the store. Large lists are
 * read one after another, each until its rows are written.
 */
export class Lists {
  readonly #account: ListsAccount;
  readonly #turn: Turn;
  readonly #onReturned: (ids: readonly string[]) => void;
  readonly #reader: ListReader;
  /** The limits that are asked for, one after another where the service refuses them; undefined for none. */
  #limits: readonly (number | undefined)[];
  lastRequestId: string | null = null;
  /** Incidents created before this instant are not stored, Unix milliseconds. */
  keptFrom: number | null = null;

  /** `onReturned` is called with the ids of each page. */
  constructor(account: ListsAccount, turn: Turn, onReturned: (ids: readonly string[]) => void) {
    this.#account = account;
    this.#turn = turn;
    this.#onReturned = onReturned;
    this.#reader = new ListReader(account, turn);
    const { pageSize } = account.deployment.sync;
    const less = [100, 50].filter((limit) => limit < (pageSize ?? 0));
    this.#limits = [...(pageSize === null ? [] : [pageSize, ...less]), undefined];
  }

  get limit(): number | undefined {
    return this.#limits[0];
  }

  /** Asks with `limit` from now on, if that is one of those to try. */
  takeLimit(limit: number | undefined): void {
    const at = this.#limits.indexOf(limit);
    if (at > 0) this.#limits = this.#limits.slice(at);
  }

  /** The service refused the limit. False when there is no other form to ask in. */
  askForLess(): boolean {
    if (this.#limits.length === 1) return false;
    this.#limits = this.#limits.slice(1);
    return true;
  }

  /** How many rows the line brings in some seconds, so that they show soon and little is lost with a connection. */
  get fits(): number {
    const { lastRate } = this.#account.line;
    const { bytesPerRow } = this.#reader;
    if (lastRate === null || bytesPerRow === null) return Infinity;
    return Math.max(leastFit, Math.floor((lastRate * pageSeconds) / bytesPerRow));
  }

  /** Reads a list. The caller has waited for the first turn. */
  async read(params: ListIncidentsParams, call: SyncCall, how: ListHow): Promise<Result<ListPages>> {
    const { limit } = this;
    let isKept = true;
    const pages = await withPermit((permit) =>
      this.#reader.read(limit === undefined ? params : { ...params, limit }, {
        ...{ mostPages: 1, expectsRows: false, ...how, ...call, permit },
        onPage: async (rows, requestId) => {
          if (!call.signal.aborted) isKept &&= await this.#keep(rows, requestId, how);
        },
      }),
    );
    return isKept && !call.signal.aborted ? pages : this.#account.refuse({ code: 'cancelled' });
  }

  /** Reads one more list within a read, when its turn comes. */
  async peek(params: ListIncidentsParams, call: SyncCall, how: ListHow = {}): Promise<Result<ListPages>> {
    if (await this.#turn(call.signal)) return this.read(params, call, how);
    return this.#account.refuse({ code: 'cancelled' });
  }

  /**
   * Asks for incidents beyond a full page, for each severity and status. It may find more, but proves nothing, since the
   * sets of values are open.
   */
  askPerSeverity(params: ListIncidentsParams, call: SyncCall): Promise<Failure | null> {
    return listPerSeverity(this.#account.store.incidents, async (filter) => {
      const pages = await this.peek({ ...params, ...filter }, call, { mostPages });
      return pages.ok ? null : pages.failure;
    });
  }

  /** Writes rows; false when the store was emptied meanwhile. */
  async #keep(
    rows: readonly IncidentRecord[],
    requestId: string | null,
    { fresh, liveSince = () => Infinity }: ListHow,
  ): Promise<boolean> {
    const { store, serverNow } = this.#account;
    const now = serverNow();
    const { keptFrom } = this;
    // One without a readable time has no age to be forgotten by.
    const wanted = keptFrom === null ? rows : rows.filter(({ createdAt }) => !(createdAt < keptFrom));
    const upserts = wanted.map((record) => {
      if (!store.incidents.has(record.id)) fresh?.push(record.createdAt);
      return { record, sighting: { seenAt: now, arrivedAt: record.createdAt >= liveSince() ? now : 0 } };
    });
    this.lastRequestId = requestId;
    this.#onReturned(rows.map(({ id }) => id));
    return store.applyRows({ upserts, removals: [] });
  }
}
