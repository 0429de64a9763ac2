import { failed, ok, type Failure, type Result } from '../../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../base/failure.ts';
import { message, type Message } from '../../../base/messages/message.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import { mostUnreadable, readIncidentList } from '../../../service/api/incidentList.ts';
import type {
  CallOptions,
  InfrastructureApi,
  ListIncidentsParams,
} from '../../../service/api/infrastructure.ts';
import type { AnswerHold } from '../../../service/transport/largeAnswers.ts';
import type { IncidentRecord, UnreadableRecord } from '../../../state/incident.ts';

/** One list with the pages that followed it by `next_cursor`. */
export interface ListPages {
  readonly rows: readonly IncidentRecord[];
  /** The first of the `unreadableCount` that were set aside. */
  readonly unreadable: readonly UnreadableRecord[];
  readonly unreadableCount: number;
  readonly largestPage: number;
  /** There was more than one page, and the last one named no other. */
  readonly followed: boolean;
  /** There were more pages than were read. */
  readonly cut: boolean;
  readonly requestId: string | null;
  /** Why a later page is missing; what came before it is there. */
  readonly failure: Failure | null;
}

export interface ListReaderOptions {
  readonly api: Pick<InfrastructureApi, 'listIncidents'>;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  /** Waits for a turn to send one more request; false when the read is not wanted any more. */
  readonly turn: (signal: AbortSignal) => Promise<boolean>;
}

export interface ListCall extends CallOptions {
  readonly signal: AbortSignal;
  readonly hold: AnswerHold;
  /** How many pages are followed at most. */
  readonly mostPages: number;
  /** Incidents are known where this list reads: one of which nothing can be read is no answer then. */
  readonly expectsRows: boolean;
}

/** Reads lists of incidents as the service gives them, page by page where it names a next one. */
export class ListReader {
  readonly #options: ListReaderOptions;

  constructor(options: ListReaderOptions) {
    this.#options = options;
  }

  /** Fails when the first page does; the failure of a later one is told in the answer. The first turn is the caller's. */
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
      // A cursor that comes again would be followed for ever.
      if (seen.has(cursor) || page >= call.mostPages) return done(true);
      seen.add(cursor);
      if (!(await this.#options.turn(call.signal))) return failed(this.#failure('cancelled'));
    }
  }

  async #page(params: ListIncidentsParams, { expectsRows, interactive, recheck, signal, hold }: ListCall) {
    const answer = await this.#options.api.listIncidents(params, { interactive, recheck, signal, hold });
    if (!answer.ok) return answer;
    const { body, linkCursor, requestId } = answer.value;
    const reading = await readIncidentList(body, linkCursor);
    if (!reading) {
      const sentence = message('sync.notAList');
      return failed(this.#failure('unreadable-answer', sentence, requestId));
    }
    if (expectsRows && reading.rows.length === 0 && reading.unreadableCount > 0) {
      const sentence = message('sync.noneReadable');
      return failed(this.#failure('unreadable-answer', sentence, requestId));
    }
    return ok({ reading, requestId });
  }

  #failure(code: 'cancelled' | 'unreadable-answer', sentence?: Message, requestId?: string | null): Failure {
    return makeFailure({ code, at: this.#options.serverTime.serverNow(), sentence, requestId });
  }
}
