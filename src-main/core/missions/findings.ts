import type { DecisionOutcome, Failure, MissionDecision } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import type { DecisionRecord } from './decisionRecord.ts';
import { decidedOtherwise, itWas, noLongerPending, stillPending } from './words.ts';

/** What the list says of a mission now; `unknown` where it cannot be read or proves nothing. */
export type ListedState = MissionDecision | 'pending' | 'gone' | 'unknown';

/** What was found out about a decision with an unknown outcome; `sentence` is for the audit list. */
export interface Finding {
  readonly outcome: Extract<DecisionOutcome, 'done' | 'refused' | 'conflict'>;
  readonly failure: Failure | null;
  readonly sentence: string;
}

/** The mission is known to have become `state`, from the list or an event that names it. */
export function findingOf({ decision }: DecisionRecord, state: MissionDecision, at: number): Finding {
  const sentence = itWas(state).text;
  if (state === decision) return { outcome: 'done', failure: null, sentence };
  return { outcome: 'conflict', failure: makeFailure({ ...decidedOtherwise(state), at }), sentence };
}

/**
 * What the list of pending missions proves. Still pending: the service did not act. Gone: somebody
 * decided, and nobody else was asked to decide the same. Null where it proves nothing.
 */
export function findingByList(record: DecisionRecord, state: ListedState, at: number): Finding | null {
  switch (state) {
    case 'pending': {
      const failure = makeFailure({ ...stillPending, at });
      return { outcome: 'refused', failure, sentence: failure.sentence };
    }
    case 'gone': {
      const failure = makeFailure({ ...noLongerPending, at });
      return { outcome: 'done', failure, sentence: failure.sentence };
    }
    case 'approve':
    case 'reject':
      return findingOf(record, state, at);
    case 'unknown':
      return null;
  }
}
