import type { Failure } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { Yielding } from '../../base/yielding.ts';
import type { InfrastructureApi } from '../../service/api/infrastructure.ts';
import { mayBeCut, readListPage } from '../../service/api/listPage.ts';
import { largestPage } from '../../service/api/pageLimits.ts';
import type { PollMode } from '../../service/listPoller.ts';
import { withHold, type AnswerHold } from '../../service/transport/largeAnswers.ts';
import { readEvidenceItem, type EvidenceRecord } from './evidenceItem.ts';

export const mostItems = 100_000;
const mostPages = 1_000;
/** Characters of all fields together: what is kept of a list must fit into memory. */
const mostText = 64 * 1024 * 1024;

/** What came of one reading. */
export interface EvidenceReading {
  /** In the service's order. */
  readonly records: readonly EvidenceRecord[];
  /** Entries that are no objects. */
  readonly unreadable: number;
  /** It is proven that there are no more. */
  readonly complete: boolean;
  /** Why a page is missing; what came before it is there. */
  readonly failure: Failure | null;
}

export interface EvidenceReaderOptions {
  readonly api: Pick<InfrastructureApi, 'listEvidence'>;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
}

/**
 * Reads the list of evidence to its end (interface: GET /evidence; pagination conventions), at most
 * 100,000 items in 1,000 pages. A cursor that comes a second time would be followed for ever: it ends
 * the reading, which then is not complete.
 */
export function readEvidence(options: EvidenceReaderOptions, mode: PollMode): Promise<EvidenceReading> {
  return withHold((hold) => readPages(options, mode, hold));
}

async function readPages(
  { api, serverTime }: EvidenceReaderOptions,
  mode: PollMode,
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
    const answer = await api.listEvidence(params, { ...mode, hold });
    if (!answer.ok) return ended(false, answer.failure);
    const { body, linkCursor, requestId } = answer.value;
    const page = readListPage(body, linkCursor, 'evidence');
    if (page === null) {
      const at = serverTime.serverNow();
      const sentence = message('evidence.notAList');
      return ended(false, makeFailure({ code: 'unreadable-answer', at, sentence, requestId }));
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
    cursor = page.nextCursor;
    if (cursor === null) {
      const proven = pages > 1 || page.knowsCursors || !mayBeCut(page.records.length, largestPage);
      return ended(proven);
    }
    if (seen.has(cursor) || pages >= mostPages) return ended(false);
    seen.add(cursor);
  }
}
