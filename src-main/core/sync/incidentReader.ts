import {
  failed,
  ok,
  type Failure,
  type IncidentQuery,
  type Result,
} from '../../../src-preload/contract/index.ts';
import type { InfrastructureApi, ListIncidentsParams } from '../api/infrastructure.ts';
import { makeFailure } from '../domain/failure.ts';
import type { IncidentRecord, UnreadableRecord } from '../domain/incident.ts';
import { readIncidentList, type IncidentReading } from '../domain/incidentList.ts';
import { rangeStart, startTimeParameter, type TimestampUnit } from '../domain/range.ts';
import type { StationTime } from '../domain/stationTime.ts';

/** What one round of reading brought. */
export interface IncidentHarvest {
  /** By id: a later row of the same id replaces an earlier one. */
  readonly rows: ReadonlyMap<string, IncidentRecord>;
  readonly unreadable: readonly UnreadableRecord[];
  /** Whether the base read, and all that is shown for the query, may have been cut. */
  readonly baseCut: boolean;
  readonly cut: boolean;
  /** The lower bound that was sent, Unix milliseconds; null when none was. */
  readonly sentStart: number | null;
  /** Rows came from before the bound that was sent: the service ignores it, or reads another unit. */
  readonly rangeIgnored: boolean;
  readonly requestId: string | null;
  /** Why the round is not whole, where a part of it failed after the first answer. */
  readonly failure: Failure | null;
}

export interface IncidentReaderOptions {
  readonly api: InfrastructureApi;
  readonly stationTime: Pick<StationTime, 'stationNow'>;
  readonly unit: TimestampUnit;
}

export interface ReadOptions {
  readonly interactive: boolean;
  readonly recheck: boolean;
  readonly signal: AbortSignal;
}

/** Bounds on one round, so that a service that never ends its list cannot keep a station busy. */
const pageLimit = 500;
const rowLimit = 1_000_000;
const narrowedLimit = 32;
/** The documented default page, whose multiples are the usual caps (interface: Limits). */
const roundPage = 50;

interface Pages {
  readonly rows: IncidentRecord[];
  readonly unreadable: UnreadableRecord[];
  cut: boolean;
  requestId: string | null;
  failure: Failure | null;
}

/**
 * Reads the incidents of a query. The first read asks without severity and status, so that the
 * whole picture is known and filters work at once; only when that answer may be cut, and values are
 * chosen, are further reads made, one per chosen value.
 *
 * Nothing promises that an answer of GET /incidents is whole (interface: list_incidents), so one
 * whose size is that of a full page is taken for cut.
 */
export class IncidentReader {
  readonly #options: IncidentReaderOptions;

  constructor(options: IncidentReaderOptions) {
    this.#options = options;
  }

  /** Fails when the first answer does; a later failure is told in the harvest. */
  async read(query: IncidentQuery, options: ReadOptions): Promise<Result<IncidentHarvest>> {
    const { stationTime, unit } = this.#options;
    const wantedStart = rangeStart(query.range, stationTime.stationNow());
    const startTime = startTimeParameter(wantedStart, unit);
    const params: ListIncidentsParams = {
      ...(startTime === null ? {} : { startTime }),
      ...(query.limit === null ? {} : { limit: query.limit }),
    };
    const base = await this.#pages(params, options);
    if (!base.ok) return base;
    const rows = new Map(base.value.rows.map((row) => [row.id, row]));
    const unreadable = [...base.value.unreadable];
    let { failure, requestId } = base.value;
    let cut = base.value.cut;
    const narrowed = cut && failure === null ? narrowedParams(query, params) : [];
    if (narrowed.length > 0) {
      cut = narrowed.length > narrowedLimit;
      for (const step of narrowed.slice(0, narrowedLimit)) {
        const pages = await this.#pages(step, options);
        if (!pages.ok) {
          failure = pages.failure;
          cut = true;
          break;
        }
        for (const row of pages.value.rows) rows.set(row.id, row);
        mergeUnreadable(unreadable, pages.value.unreadable);
        cut ||= pages.value.cut;
        requestId = pages.value.requestId;
        failure ??= pages.value.failure;
      }
    }
    const sentStart = startTime === null ? null : wantedStart;
    return ok({
      rows,
      unreadable,
      baseCut: base.value.cut,
      cut,
      sentStart,
      rangeIgnored: sentStart !== null && base.value.rows.some((row) => row.createdAt < sentStart),
      requestId,
      failure,
    });
  }

  /** One list with the pages that follow it by `next_cursor`. Fails when its first page does. */
  async #pages(params: ListIncidentsParams, options: ReadOptions): Promise<Result<Pages>> {
    const { api, stationTime } = this.#options;
    const pages: Pages = { rows: [], unreadable: [], cut: false, requestId: null, failure: null };
    const seen = new Set<string>();
    let cursor: string | null = null;
    for (let page = 1; ; page += 1) {
      const answer = await api.listIncidents(cursor === null ? params : { ...params, cursor }, options);
      const reading = answer.ok ? await readIncidentList(answer.value.body, answer.value.linkCursor) : null;
      if (!answer.ok || !reading || nothingReadable(reading)) {
        const failure = answer.ok
          ? makeFailure({
              code: 'unreadable-answer',
              at: stationTime.stationNow(),
              sentence: reading
                ? 'The service answered with a list in which no record could be read.'
                : 'The service answered with something that is not a list of incidents.',
              requestId: answer.value.requestId,
            })
          : answer.failure;
        if (page === 1) return failed(failure);
        pages.failure = failure;
        pages.cut = true;
        return ok(pages);
      }
      for (const row of reading.rows) pages.rows.push(row);
      for (const record of reading.unreadable) pages.unreadable.push(record);
      if (answer.ok) pages.requestId = answer.value.requestId;
      const count = pages.rows.length + pages.unreadable.length;
      const full = params.limit !== undefined && count >= params.limit;
      cursor = reading.nextCursor;
      if (cursor === null) {
        // A list that was followed to its last page says itself that there is no more.
        pages.cut =
          full || (page === 1 && params.limit === undefined && count > 0 && count % roundPage === 0);
        return ok(pages);
      }
      if (full || seen.has(cursor) || page >= pageLimit || count >= rowLimit) {
        pages.cut = true;
        return ok(pages);
      }
      seen.add(cursor);
    }
  }
}

/** A list of which nothing can be read says nothing about what is there: it is no answer. */
const nothingReadable = ({ rows, unreadable }: IncidentReading): boolean =>
  rows.length === 0 && unreadable.length > 0;

/** One set of parameters per chosen value; per pair where both kinds are chosen. */
function narrowedParams(query: IncidentQuery, params: ListIncidentsParams): ListIncidentsParams[] {
  const { severities, statuses } = query;
  if (severities.length === 0) return statuses.map((status) => ({ ...params, status }));
  if (statuses.length === 0) return severities.map((severity) => ({ ...params, severity }));
  return severities.flatMap((severity) => statuses.map((status) => ({ ...params, severity, status })));
}

/** Records that several reads found unreadable count once; those without an id cannot be told apart. */
function mergeUnreadable(into: UnreadableRecord[], more: readonly UnreadableRecord[]): void {
  const known = new Set(into.map((record) => record.id));
  for (const record of more) if (record.id !== null && !known.has(record.id)) into.push(record);
}
