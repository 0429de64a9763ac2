import { failed, ok, type Failure, type Result } from '../../../../../src-preload/contract/index.ts';
import { message } from '../../../base/messages/message.ts';
import type { ReadCall } from '../../../base/readFailures.ts';
import { mostUnreadable, readIncidentList, type IncidentReading } from '../../../service/api/incidentList.ts';
import type { ListIncidentsParams, ListOptions } from '../../../service/api/infrastructure.ts';
import type { LargeAnswerPermit } from '../../../service/transport/largeAnswers.ts';
import type { Validator } from '../../../service/transport/validators.ts';
import { otherName } from '../../../state/dictionary.ts';
import type { IncidentRecord, UnreadableRecord } from '../../../state/incident.ts';
import type { ListsAccount } from './syncAccount.ts';

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
  /** The service says that the answer is as it was when the validator came. There are no rows. */
  readonly isUnchanged: boolean;
  /** Of an answer of one whole page; null where the service gave none. */
  readonly validator: Validator | null;
  readonly requestId: string | null;
  /** Why a later page is missing. The pages before it are here. */
  readonly failure: Failure | null;
}

/** Waits for a turn to send one more request; false when the read is no longer wanted. */
export type Turn = (signal: AbortSignal) => Promise<boolean>;

type ReaderAccount = Pick<ListsAccount, 'infrastructure' | 'fail' | 'refuse'>;

/** One read of the sync. */
export interface SyncCall extends ReadCall {
  /** Called with the bytes of each answer and its request, as they go over the line. */
  readonly onAnswer: (bytes: number) => void;
}

export interface ListCall extends SyncCall, Pick<ListOptions, 'validator'> {
  readonly permit: LargeAnswerPermit;
  /** The most pages that are followed. */
  readonly mostPages: number;
  /** Incidents are known in this range: a 404 is no empty window. */
  readonly expectsRows: boolean;
  /** Takes the rows of each page as it comes. */
  readonly onPage: (rows: readonly IncidentRecord[], requestId: string | null) => Promise<void>;
}

interface PageReading {
  /** Null for an answer without a list. */
  readonly reading: IncidentReading | null;
  readonly isUnchanged: boolean;
  readonly validator: Validator | null;
  readonly requestId: string | null;
  /** Why the page was cut after the rows that it has. */
  readonly lost: Failure | null;
}

const nothing = { reading: null, isUnchanged: false, validator: null, lost: null } as const;
/** A later instant is in milliseconds: the year 5138. */
const latestSecond = 99_999_999_999;
/** A page of fewer rows does not show how long a row is. */
const fewRows = 10;
/** Of a request and the head of its answer, about. */
const headBytes = 550;
/** Pages in a row without a new incident: the cursor leads nowhere. */
const mostFutile = 2;

/**
 * Whether the service refused the form of a request: it may take another. A missing scope or token is no such refusal, nor
 * a limit of rate.
 */
export const isRefusal = ({ status }: Failure): boolean =>
  status !== null && [400, 404, 405, 410, 413, 414, 416, 422].includes(status);

/**
 * What is left to ask for after an answer was cut behind these rows: the same window without their time, with a tick in
 * common. Null where their order does not say where the rest is.
 */
function restOf(params: ListIncidentsParams, rows: readonly IncidentRecord[]): ListIncidentsParams | null {
  const { startTime, endTime } = params;
  const [first, last] = [rows[0]?.createdAt, rows.at(-1)?.createdAt];
  if (startTime === undefined || endTime === undefined || first === undefined || last === undefined)
    return null;
  const tick = endTime > latestSecond ? 1 : 1_000;
  const isSorted = (sign: 1 | -1): boolean =>
    rows.every(
      ({ createdAt }, at) => sign * (createdAt - (rows[at - 1] ?? rows[0] ?? { createdAt }).createdAt) >= 0,
    );
  const [to, from] = [Math.ceil(last / tick) + 1, Math.floor(last / tick) - 1];
  if (first > last && to < endTime && isSorted(-1)) return { ...params, endTime: to };
  return first < last && from > startTime && isSorted(1) ? { ...params, startTime: from } : null;
}

/**
 * Reads lists of incidents, following `next_cursor` page by page. A cursor that the service refuses, or that
 * leads in a circle, is followed no more: the windows of time are read in parts instead. After a cut answer the rest of
 * its window is asked for.
 */
export class ListReader {
  readonly #account: ReaderAccount;
  readonly #turn: Turn;
  /** `claim`: a cursor only says that there is more. `ignored`: not even that. */
  #cursors: 'followed' | 'claim' | 'ignored' = 'followed';
  /** Of the last page, as it came; null before the first. */
  bytesPerRow: number | null = null;
  /** A list came once: a 404 now is an empty window. */
  #hadList = false;

  constructor(account: ReaderAccount, turn: Turn) {
    this.#account = account;
    this.#turn = turn;
  }

  /**
   * Fails when the first page does. The failure of a later page, or of a page's end, is in the result. The caller has
   * waited for the first turn.
   */
  async read(params: ListIncidentsParams, call: ListCall): Promise<Result<ListPages>> {
    const rows: IncidentRecord[] = [];
    const unreadable: UnreadableRecord[] = [];
    const cursors = new Set<string>();
    const ids = new Set<string>();
    let [unreadableCount, largestPage, futile, lists] = [0, 0, 0, 0];
    let requestId: string | null = null;
    let total: number | null = null;
    let cursor: string | null = null;
    let validator: Validator | null = null;
    let [more, isFollowed, isRest, isUnchanged] = [false, false, false, false];
    const cancelled = (): Result<never> => this.#account.refuse({ code: 'cancelled' });
    const done = (cut: boolean, failure: Failure | null = null): Result<ListPages> =>
      ok({
        ...{ rows, unreadable, unreadableCount, largestPage, total, requestId, failure, isUnchanged },
        followed: isFollowed && !cut,
        cut: cut || more,
        isBlank: lists === 0,
        validator: lists === 1 && !cut && !more ? validator : null,
      });
    for (let page = 1; ; page += 1) {
      const asked = page === 1 ? call : { ...call, validator: null };
      const answer = await this.#page(cursor === null ? params : { ...params, cursor }, asked);
      if (!answer.ok) {
        if (page === 1) return answer;
        const { failure } = answer;
        if (!isRefusal(failure)) return done(true, failure);
        this.#cursors = 'claim';
        return done(true);
      }
      const { reading, lost } = answer.value;
      ({ requestId, validator, isUnchanged } = answer.value);
      if (reading === null) return done(false);
      lists += 1;
      const known = ids.size;
      for (const row of reading.rows) {
        // The rest of a cut answer begins with rows that came already.
        if (isRest && ids.has(row.id)) continue;
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
      if (call.signal.aborted) return cancelled();
      if (lost !== null) {
        const rest = isFollowed ? null : restOf(params, reading.rows);
        if (rest === null || page >= call.mostPages) return done(true, lost);
        [params, cursor, isRest] = [rest, null, true];
      } else if (cursor === null) return done(false);
      else {
        isFollowed = true;
        futile = ids.size === known && page > 1 ? futile + 1 : 0;
        if (cursors.has(cursor) || futile >= mostFutile) this.#cursors = 'ignored';
        if (this.#cursors !== 'followed' || page >= call.mostPages) return done(true);
        cursors.add(cursor);
      }
      if (!(await this.#turn(call.signal))) return cancelled();
    }
  }

  async #page(params: ListIncidentsParams, call: ListCall): Promise<Result<PageReading>> {
    const { expectsRows, onAnswer } = call;
    const answer = await this.#account.infrastructure.listIncidents(params, call);
    if (!answer.ok) {
      const { code, requestId } = answer.failure;
      const isEmpty = code === 'not-found' && this.#hadList && params.startTime !== undefined && !expectsRows;
      return isEmpty ? ok({ ...nothing, requestId }) : failed(answer.failure);
    }
    const { body, cut: lost = null, linkCursor, requestId, claims } = answer.value;
    const { isUnchanged = false, validator = null, bytes = 0 } = answer.value;
    onAnswer(headBytes + bytes);
    if (isUnchanged || body === null) return ok({ ...nothing, isUnchanged, requestId, lost });
    const reading = await readIncidentList(body, linkCursor);
    if (reading && reading.rows.length >= fewRows && bytes > 0)
      this.bytesPerRow = bytes / reading.rows.length;
    if (!reading) {
      const sentence = message('sync.notAList');
      return failed(this.#account.fail({ code: 'unreadable-answer', sentence, requestId }));
    }
    this.#hadList = true;
    const more = reading.more || claims?.more === true;
    const total = reading.total ?? claims?.total ?? null;
    return ok({ reading: { ...reading, more, total }, isUnchanged, validator, requestId, lost });
  }
}

const mostFilters = 32;
/** The words of the specification, and one between them. No answer may have shown them. */
const usual = { severities: ['critical', 'high', 'medium', 'low'], statuses: ['open', 'resolved'] };

/**
 * Reads a list for each severity, and for each status of it: at most 32 requests. No number of rows shows that an answer was
 * not cut. `known` is in the service's spellings, since it may not compare words as the console does.
 *
 * @returns why it had to stop; null when all was read.
 */
export async function listPerSeverity(
  known: { readonly severities: readonly string[]; readonly statuses: readonly string[] },
  ask: (filter: Pick<ListIncidentsParams, 'severity' | 'status'>) => Promise<Failure | null>,
): Promise<Failure | null> {
  const asked = (words: 'severities' | 'statuses'): string[] => [
    ...new Set([...known[words].filter((word) => word !== otherName), ...usual[words]]),
  ];
  const filters = asked('severities').flatMap((severity) => [
    { severity },
    ...asked('statuses').map((status) => ({ severity, status })),
  ]);
  for (const filter of filters.slice(0, mostFilters)) {
    const failure = await ask(filter);
    if (failure !== null) return failure;
  }
  return null;
}
