import type { Failure } from '../../../../src-preload/contract/index.ts';
import { failureNow } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { ReadCall } from '../../base/readFailures.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { Yielding } from '../../base/yielding.ts';
import type { InfrastructureApi } from '../../service/api/infrastructure.ts';
import { mayBeCut, readListPage } from '../../service/api/listPage.ts';
import { largestPage } from '../../service/api/pageLimits.ts';
import { withHold, type AnswerHold } from '../../service/transport/largeAnswers.ts';
import { readEvidenceItem, type EvidenceRecord } from './evidenceItem.ts';

export const mostItems = 100_000;
const mostPages = 1_000;
/** The most characters of all fields together: the stored part of a list must fit into memory. */
const mostText = 64 * 1024 * 1024;

/** The result of one reading. */
export interface EvidenceReading {
  /** In the service's order. */
  readonly records: readonly EvidenceRecord[];
  /** Entries that are no objects. */
  readonly unreadable: number;
  /** Proven to have all items. */
  readonly complete: boolean;
  /** Why a page, or its end, is missing. What came before is in `records`. */
  readonly failure: Failure | null;
}

export interface EvidenceReaderOptions {
  readonly api: Pick<InfrastructureApi, 'listEvidence'>;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
}

/**
 * Reads the whole list of evidence (interface: GET /evidence; pagination conventions), at most 100,000 items in 1,000
 * pages. A cursor that comes a second time would be followed without end: it ends the reading, which is then not
 * complete.
 */
export function readEvidence(options: EvidenceReaderOptions, call: ReadCall): Promise<EvidenceReading> {
  return withHold((hold) => readPages(options, call, hold));
}

async function readPages(
  { api, serverTime }: EvidenceReaderOptions,
  call: ReadCall,
  hold: AnswerHold,
): Promise<EvidenceReading> {
  const records: EvidenceRecord[] = [];
  const seen = new Set<string>();
  let unreadable = 0;
  let text = 0;
  const yielding = new Yielding();
  let cursor: string | null = null;
  const ended = (complete: boolean, failure: Failure | null = null): EvidenceReading => ({
    records,
    unreadable,
    complete,
    failure,
  });
  for (let pages = 1; ; pages += 1) {
    const params = cursor === null ? { limit: largestPage } : { limit: largestPage, cursor };
    const answer = await api.listEvidence(params, { ...call, hold });
    if (!answer.ok) return ended(false, answer.failure);
    const { body, cut = null, linkCursor, requestId } = answer.value;
    const page = readListPage(body, linkCursor, 'evidence');
    if (page === null) {
      const sentence = message('evidence.notAList');
      return ended(false, failureNow({ serverTime }, { code: 'unreadable-answer', sentence, requestId }));
    }
    for (const raw of page.records) {
      if (yielding.over) await yielding.next();
      if (records.length >= mostItems || text > mostText) return ended(false);
      const record = readEvidenceItem(raw);
      if (record === null) unreadable += 1;
      else records.push(record);
      text += record?.fields.reduce((sum, { name, json }) => sum + name.length + json.length, 0) ?? 0;
    }
    hold.release();
    if (cut !== null) return ended(false, cut);
    cursor = page.nextCursor;
    if (cursor === null) {
      const proven = pages > 1 || page.knowsCursors || !mayBeCut(page.records.length, largestPage);
      return ended(proven);
    }
    if (seen.has(cursor) || pages >= mostPages) return ended(false);
    seen.add(cursor);
  }
}
