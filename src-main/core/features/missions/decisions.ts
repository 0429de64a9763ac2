import { ok, type Result } from '../../../../src-preload/contract/index.ts';
import type { Logger } from '../../base/ports.ts';
import type { VaultRecords } from '../../vault/records.ts';
import { storing } from '../../vault/storageFailure.ts';
import { AuditList } from './audit/auditList.ts';
import { Decider, type DeciderOptions } from './decider.ts';
import type { DecisionRecord } from './decisionRecord.ts';
import { DecisionRepository } from './decisionRepository.ts';

/** What decisions need, after the stored records are read. */
export interface Decisions {
  readonly audit: AuditList;
  readonly repository: DecisionRepository;
  readonly decider: Decider;
}

export interface DecisionsOptions extends Omit<DeciderOptions, 'repository'> {
  readonly records: VaultRecords;
  readonly logger: Logger;
  readonly onDecided?: (record: DecisionRecord) => void;
}

/** Reads the audit list and the decisions. Fails when either cannot be read. */
export async function openDecisions(options: DecisionsOptions): Promise<Result<Decisions>> {
  const { records, logger, serverTime, username, onDecided } = options;
  const now = (): number => serverTime.serverNow();
  const audit = new AuditList({ records, logger, now, username });
  const repository = new DecisionRepository({
    store: records.store,
    audit,
    logger,
    now,
    username,
    ...(onDecided && { onDecided }),
  });
  return storing({ what: 'decisions', logger, now }, async () => {
    // The audit list first: it has the decisions whose row is lost.
    await audit.open();
    await repository.open();
    return ok({ audit, repository, decider: new Decider({ ...options, repository }) });
  });
}
