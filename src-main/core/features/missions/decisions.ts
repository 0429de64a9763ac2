import { ok, type Result } from '../../../../src-preload/contract/index.ts';
import type { OpenActions } from '../../vault/records.ts';
import { AuditList } from './audit/auditList.ts';
import type { Logger } from '../../base/ports.ts';
import { storing } from '../../vault/storageFailure.ts';
import { Decider, type DeciderOptions } from './decider.ts';
import { DecisionBook } from './decisionRepository.ts';
import type { DecisionRecord } from './decisionRecord.ts';

/** What decisions need, once what is kept was read. */
export interface Office {
  readonly audit: AuditList;
  readonly book: DecisionBook;
  readonly decider: Decider;
}

export interface OfficeOptions extends Omit<DeciderOptions, 'book'> {
  readonly actions: OpenActions;
  readonly logger: Logger;
  readonly onDecided?: (record: DecisionRecord) => void;
}

/** Reads the audit list and what was decided. Fails when either cannot be read at all. */
export async function openOffice(options: OfficeOptions): Promise<Result<Office>> {
  const { actions, logger, stationTime, username, onDecided } = options;
  const now = (): number => stationTime.stationNow();
  const audit = new AuditList({ actions, logger, now, username });
  const book = new DecisionBook({
    store: actions.store,
    audit,
    logger,
    now,
    username,
    ...(onDecided && { onDecided }),
  });
  return storing({ what: 'decisions', logger, now }, async () => {
    // First the audit list: it knows of decisions whose row is lost.
    await audit.open();
    await book.open();
    return ok({ audit, book, decider: new Decider({ ...options, book }) });
  });
}
