import { ok, type Failure, type Result } from '../../../../../src-preload/contract/index.ts';
import { failedNow } from '../../../base/failure.ts';
import { message } from '../../../base/messages/message.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import { mostUnreadable, readIncidentList } from '../../../service/api/incidentList.ts';
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
  /** The service had more pages than were read. */
  readonly cut: boolean;
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
  /** The console knows incidents in this range: then a list without any readable record counts as a failure. */
  readonly expectsRows: boolean;
}

/** Reads lists of incidents, following `next_cursor` page by page. */
export class ListReader {
  readonly #options: ListReaderOptions;

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
    let unreadableCount = 0;
    const seen = new Set<string>();
    let largestPage = 0;
    let requestId: string | null = null;
    let cursor: string | null = null;
    for (let page = 1; ; page += 1) {
      const answer = await this.#page(cursor === null ? params : { ...params, cursor }, call);
      if (!answer.ok) {
        if (page === 1) return answer;
        const { failure } = answer;
        const rest = { followed: false, cut: true, requestId, failure };
        return ok({ rows, unreadable, unreadableCount, largestPage, ...rest });
      }
      const { reading } = answer.value;
      ({ requestId } = answer.value);
      for (const row of reading.rows) rows.push(row);
      unreadable.push(...reading.unreadable.slice(0, mostUnreadable - unreadable.length));
      unreadableCount += reading.unreadableCount;
      largestPage = Math.max(largestPage, reading.rows.length + reading.unreadableCount);
      cursor = reading.nextCursor;
      const done = (cut: boolean): Result<ListPages> =>
        ok({
          rows,
          unreadable,
          unreadableCount,
          largestPage,
          followed: page > 1 && !cut,
          cut,
          requestId,
          failure: null,
        });
      if (cursor === null) return done(false);
      // A cursor that comes again would be followed without end.
      if (seen.has(cursor) || page >= call.mostPages) return done(true);
      seen.add(cursor);
      if (!(await this.#options.turn(call.signal))) return failedNow(this.#options, { code: 'cancelled' });
    }
  }

  async #page(params: ListIncidentsParams, { expectsRows, interactive, recheck, signal, hold }: ListCall) {
    const answer = await this.#options.api.listIncidents(params, { interactive, recheck, signal, hold });
    if (!answer.ok) return answer;
    const { body, linkCursor, requestId } = answer.value;
    const reading = await readIncidentList(body, linkCursor);
    if (!reading) {
      const sentence = message('sync.notAList');
      return failedNow(this.#options, { code: 'unreadable-answer', sentence, requestId });
    }
    if (expectsRows && reading.rows.length === 0 && reading.unreadableCount > 0) {
      const sentence = message('sync.noneReadable');
      return failedNow(this.#options, { code: 'unreadable-answer', sentence, requestId });
    }
    return ok({ reading, requestId });
  }
}

const mostNarrowed = 32;

/**
 * Reads a list for each severity and, where that answer is a full page too, for each status: at most 32 requests.
 *
 * @param ask answers whether the page was full.
 *
 * @returns why it had to stop; null when all was read.
 */
export async function narrowList(
  values: { readonly severities: readonly string[]; readonly statuses: readonly string[] },
  ask: (filter: Pick<ListIncidentsParams, 'severity' | 'status'>) => Promise<Result<boolean>>,
): Promise<Failure | null> {
  let left = mostNarrowed;
  for (const severity of values.severities) {
    if (left <= 0) return null;
    left -= 1;
    const full = await ask({ severity });
    if (!full.ok) return full.failure;
    for (const status of full.value ? values.statuses : []) {
      if (left <= 0) return null;
      left -= 1;
      const narrowed = await ask({ severity, status });
      if (!narrowed.ok) return narrowed.failure;
    }
  }
  return null;
}
