import { ok, type Result } from '../../../../src-preload/contract/index.ts';
import type { VaultRecords } from '../../vault/records.ts';
import { AuditList } from './audit/auditList.ts';
import type { Logger } from '../../base/ports.ts';
import { storing } from '../../vault/storageFailure.ts';
import { Decider, type DeciderOptions } from './decider.ts';
import { DecisionRepository } from './decisionRepository.ts';
import type { DecisionRecord } from './decisionRecord.ts';

/** What decisions need, once what is kept was read. */
export interface Decisions {
  readonly audit: AuditList;
  readonly book: DecisionRepository;
  readonly decider: Decider;
}

export interface DecisionsOptions extends Omit<DeciderOptions, 'book'> {
  readonly actions: VaultRecords;
  readonly logger: Logger;
  readonly onDecided?: (record: DecisionRecord) => void;
}

/** Reads the audit list and what was decided. Fails when either cannot be read at all. */
export async function openDecisions(options: DecisionsOptions): Promise<Result<Decisions>> {
  const { actions, logger, serverTime, username, onDecided } = options;
  const now = (): number => serverTime.serverNow();
  const audit = new AuditList({ actions, logger, now, username });
  const book = new DecisionRepository({
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
