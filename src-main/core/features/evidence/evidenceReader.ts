import type { ApiConnection, Failure } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { ReadCall } from '../../base/readFailures.ts';
import { Yielding } from '../../base/yielding.ts';
import type { InfrastructureApi } from '../../service/api/infrastructure.ts';
import { mayBeCut, readListPage } from '../../service/api/listPage.ts';
import { largestPage } from '../../service/api/pageLimits.ts';
import { withPermit, type LargeAnswerPermit } from '../../service/transport/largeAnswers.ts';
import type { Validator } from '../../service/transport/validators.ts';
import type { LocalAccount } from '../context.ts';
import type { Deployment } from '../deployments/index.ts';
import { readEvidenceItem, type EvidenceRecord } from './evidenceItem.ts';

export const mostItems = 100_000;
const mostPages = 1_000;
/** The most characters of all fields together: the stored part of a list must fit into memory. */
const mostText = 64 * 1024 * 1024;

/** A validator is believed for so long: it may not show what was removed. */
const believedMs = 21_600_000;

/** A page of a reading, for as long as the service says that it is as it was. */
interface KnownPage {
  readonly records: readonly EvidenceRecord[];
  readonly unreadable: number;
  readonly nextCursor: string | null;
  /** Proven to have all that is left of the list. */
  readonly proves: boolean;
  readonly validator: Validator | null;
  /** Server time at which it came. */
  readonly since: number;
}

/** The pages of a reading by their cursor, null for the first. */
export type KnownPages = ReadonlyMap<string | null, KnownPage>;

/** The result of one reading. */
export interface EvidenceReading {
  /** In the service's order. */
  readonly records: readonly EvidenceRecord[];
  /** Entries that are no objects. */
  readonly unreadable: number;
  /** Proven to have all items. */
  readonly complete: boolean;
  readonly pages: KnownPages;
  /** Why a page, or its end, is missing. What came before is in `records`. */
  readonly failure: Failure | null;
}

/** What the list of evidence needs of the account. */
export interface EvidenceAccount extends LocalAccount {
  readonly infrastructure: Pick<InfrastructureApi, 'listEvidence'>;
  readonly deployment: Pick<Deployment, 'gateways' | 'pollIntervals'>;
  readonly connection: (api: 'infrastructure') => Pick<ApiConnection, 'state'>;
}

/** What a reading needs of it. */
type Reader = Pick<EvidenceAccount, 'infrastructure' | 'serverNow' | 'fail'>;

/**
 * Reads the whole list of evidence (interface: GET /evidence; pagination conventions), at most 100,000 items in 1,000
 * pages. A cursor that comes a second time would be followed without end: it ends the reading, which is then not
 * complete.
 */
export function readEvidence(
  account: Reader,
  call: ReadCall,
  known: KnownPages = new Map(),
): Promise<EvidenceReading> {
  return withPermit((permit) => readPages(account, { ...call, permit }, known));
}

async function readPages(
  { infrastructure, serverNow, fail }: Reader,
  call: ReadCall & { readonly permit: LargeAnswerPermit },
  known: KnownPages,
): Promise<EvidenceReading> {
  const records: EvidenceRecord[] = [];
  const pages = new Map<string | null, KnownPage>();
  let unreadable = 0;
  let text = 0;
  const yielding = new Yielding();
  let cursor: string | null = null;
  const ended = (complete: boolean, failure: Failure | null = null): EvidenceReading => ({
    ...{ records, unreadable, complete, pages, failure },
  });
  for (;;) {
    const params = cursor === null ? { limit: largestPage } : { limit: largestPage, cursor };
    const before = known.get(cursor);
    const age = serverNow() - (before?.since ?? 0);
    const isBelieved = !call.recheck && age >= 0 && age < believedMs;
    const answer = await infrastructure.listEvidence(params, {
      ...call,
      validator: isBelieved ? before?.validator : null,
    });
    if (!answer.ok) return ended(false, answer.failure);
    const { body, cut = null, linkCursor, requestId, validator = null, isUnchanged = false } = answer.value;
    let page = isUnchanged ? (before ?? null) : null;
    if (page === null) {
      const list = readListPage(body, linkCursor, 'evidence');
      if (list === null) {
        const sentence = message('evidence.notAList');
        return ended(false, fail({ code: 'unreadable-answer', sentence, requestId }));
      }
      const read: EvidenceRecord[] = [];
      let odd = 0;
      for (const raw of list.records) {
        if (yielding.over) await yielding.next();
        if (records.length + read.length > mostItems) break;
        const record = readEvidenceItem(raw);
        if (record === null) odd += 1;
        else read.push(record);
      }
      page = {
        records: read,
        unreadable: odd,
        nextCursor: list.nextCursor,
        proves: pages.size > 0 || list.knowsCursors || !mayBeCut(list.records.length, largestPage),
        validator: cut === null ? validator : null,
        since: serverNow(),
      };
    }
    call.permit.release();
    unreadable += page.unreadable;
    for (const record of page.records) {
      if (records.length >= mostItems || text > mostText) return ended(false);
      records.push(record);
      text += record.fields.reduce((sum, { name, json }) => sum + name.length + json.length, 0);
    }
    pages.set(cursor, page);
    if (cut !== null) return ended(false, cut);
    cursor = page.nextCursor;
    if (cursor === null) return ended(page.proves);
    if (pages.has(cursor) || pages.size >= mostPages) return ended(false);
  }
}
