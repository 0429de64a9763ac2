import { failed, ok, type Failure, type Result } from '../../../../../src-preload/contract/index.ts';
import { failedNow, failureNow } from '../../../base/failure.ts';
import { message } from '../../../base/messages/message.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import { mostUnreadable, readIncidentList, type IncidentReading } from '../../../service/api/incidentList.ts';
import type {
  CallOptions,
  InfrastructureApi,
  ListIncidentsParams,
} from '../../../service/api/infrastructure.ts';
import type { AnswerHold } from '../../../service/transport/largeAnswers.ts';
import type { IncidentRecord, UnreadableRecord } from '../../../state/incident.ts';

/** One list with all pages that `next_cursor` led to. */
export interface ListPages {
  readonly rows: readonly IncidentRecord[];
  /** The first of the `unreadableCount` records that were set aside. */
  readonly unreadable: readonly UnreadableRecord[];
  readonly unreadableCount: number;
  readonly largestPage: number;
  /** There were several pages, and the last one had no cursor. */
  readonly followed: boolean;
  /** The service had more pages than were read, or said that there is more. */
  readonly cut: boolean;
  /** How many the service said there are; null where it said nothing. */
  readonly total: number | null;
  /** The answer had no list: 204, 404 or `null`. It proves no absence. */
  readonly isBlank: boolean;
  readonly requestId: string | null;
  /** Why a later page is missing. The pages before it are here. */
  readonly failure: Failure | null;
}

export interface ListReaderOptions {
  readonly api: Pick<InfrastructureApi, 'listIncidents'>;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  /** Waits for a turn to send one more request; false when the read is no longer wanted. */
  readonly turn: (signal: AbortSignal) => Promise<boolean>;
}

export interface ListCall extends CallOptions {
  readonly signal: AbortSignal;
  readonly hold: AnswerHold;
  /** The most pages that are followed. */
  readonly mostPages: number;
  /** Incidents are known in this range: a 404 is no empty window. */
  readonly expectsRows: boolean;
  /** Takes the rows of each page as it comes. */
  readonly onPage: (rows: readonly IncidentRecord[], requestId: string | null) => Promise<void>;
}

const blank: IncidentReading = {
  rows: [],
  unreadable: [],
  unreadableCount: 0,
  nextCursor: null,
  more: false,
  total: null,
};
/** Pages in a row without a new incident: the cursor leads nowhere. */
const mostFutile = 2;

/**
 * Whether the service refused the form of a request: it may take another. A missing scope or token is no such refusal, nor
 * a limit of rate.
 */
export const isRefusal = ({ status }: Failure): boolean =>
  status !== null && [400, 404, 405, 410, 413, 414, 416, 422].includes(status);

/**
 * Reads lists of incidents, following `next_cursor` page by page. A cursor that the service refuses, or that
 * leads in a circle, is followed no more: the windows of time are read in parts instead.
 */
export class ListReader {
  readonly #options: ListReaderOptions;
  /** `claim`: a cursor only says that there is more. `ignored`: not even that. */
  #cursors: 'followed' | 'claim' | 'ignored' = 'followed';
  /** A list came once: a 404 now is an empty window. */
  #hadList = false;

  constructor(options: ListReaderOptions) {
    this.#options = options;
  }

  /**
   * Fails when the first page does. The failure of a later page is in the result. The caller has waited for the first
   * turn.
   */
  async read(params: ListIncidentsParams, call: ListCall): Promise<Result<ListPages>> {
    const rows: IncidentRecord[] = [];
    const unreadable: UnreadableRecord[] = [];
    const cursors = new Set<string>();
    const ids = new Set<string>();
    let [unreadableCount, largestPage, futile] = [0, 0, 0];
    let requestId: string | null = null;
    let total: number | null = null;
    let more = false;
    let cursor: string | null = null;
    const done = (page: number, cut: boolean, failure: Failure | null = null): Result<ListPages> =>
      ok({
        ...{ rows, unreadable, unreadableCount, largestPage, total, requestId, failure },
        followed: page > 1 && !cut,
        cut: cut || more,
        isBlank: page === 0,
      });
    for (let page = 1; ; page += 1) {
      const answer = await this.#page(cursor === null ? params : { ...params, cursor }, call);
      if (!answer.ok) {
        if (page === 1) return answer;
        const { failure } = answer;
        if (!isRefusal(failure)) return done(page, true, failure);
        this.#cursors = 'claim';
        return done(page, true);
      }
      const { reading } = answer.value;
      ({ requestId } = answer.value);
      if (reading === blank) return done(page - 1, false);
      const known = ids.size;
      for (const row of reading.rows) {
        rows.push(row);
        ids.add(row.id);
      }
      unreadable.push(...reading.unreadable.slice(0, mostUnreadable - unreadable.length));
      unreadableCount += reading.unreadableCount;
      largestPage = Math.max(largestPage, reading.rows.length + reading.unreadableCount);
      ({ total } = reading);
      cursor = this.#cursors === 'ignored' ? null : reading.nextCursor;
      // A service with cursors says by them that there is more.
      more = reading.more && (cursor === null || this.#cursors === 'claim');
      await call.onPage(reading.rows, requestId);
      if (call.signal.aborted) return failedNow(this.#options, { code: 'cancelled' });
      if (cursor === null) return done(page, false);
      futile = ids.size === known && page > 1 ? futile + 1 : 0;
      if (cursors.has(cursor) || futile >= mostFutile) this.#cursors = 'ignored';
      if (this.#cursors !== 'followed' || page >= call.mostPages) return done(page, true);
      cursors.add(cursor);
      if (!(await this.#options.turn(call.signal))) return failedNow(this.#options, { code: 'cancelled' });
    }
  }

  async #page(
    params: ListIncidentsParams,
    { expectsRows, interactive, recheck, signal, hold }: ListCall,
  ): Promise<Result<{ readonly reading: IncidentReading; readonly requestId: string | null }>> {
    const answer = await this.#options.api.listIncidents(params, { interactive, recheck, signal, hold });
    if (!answer.ok) {
      const { code, requestId } = answer.failure;
      const isEmpty = code === 'not-found' && this.#hadList && params.startTime !== undefined && !expectsRows;
      return isEmpty ? ok({ reading: blank, requestId }) : failed(answer.failure);
    }
    const { body, linkCursor, requestId, claims } = answer.value;
    if (body === null) return ok({ reading: blank, requestId });
    const reading = await readIncidentList(body, linkCursor);
    if (!reading) {
      const sentence = message('sync.notAList');
      return failed(failureNow(this.#options, { code: 'unreadable-answer', sentence, requestId }));
    }
    this.#hadList = true;
    const more = reading.more || claims?.more === true;
    return ok({ reading: { ...reading, more, total: reading.total ?? claims?.total ?? null }, requestId });
  }
}

const mostNarrowed = 32;

/**
 * Reads a list for each severity, and for each status of it: at most 32 requests. No number of rows shows that an answer was
 * not cut.
 *
 * @returns why it had to stop; null when all was read.
 */
export async function narrowList(
  values: { readonly severities: readonly string[]; readonly statuses: readonly string[] },
  ask: (filter: Pick<ListIncidentsParams, 'severity' | 'status'>) => Promise<Failure | null>,
): Promise<Failure | null> {
  const filters = values.severities.flatMap((severity) => [
    { severity },
    ...values.statuses.map((status) => ({ severity, status })),
  ]);
  for (const filter of filters.slice(0, mostNarrowed)) {
    const failure = await ask(filter);
    if (failure !== null) return failure;
  }
  return null;
}
