import type { MissionDecision, OutcomeBasis } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Message } from '../../base/messages/message.ts';
import type { DecisionRecord } from './decisionRecord.ts';
import { decidedOtherwise, listedStill, namedAs, noLongerListed, notListed } from './messages.ts';

/** A mission's state in the list; `unknown` when the list cannot be read or proves nothing. */
export type ListedState = MissionDecision | 'pending' | 'gone' | 'unknown';

/** A finding about a decision whose outcome is unknown. `said` is for the audit list. */
export interface Finding {
  readonly change: Partial<DecisionRecord> & Pick<DecisionRecord, 'outcome'>;
  readonly said: Message;
}

/**
 * An event or the list, read at `at`, names the mission with `state`. That proves the mission's state, not who decided.
 */
export function findingOf(
  { decision }: DecisionRecord,
  state: MissionDecision,
  { basis, at }: { readonly basis: Exclude<OutcomeBasis, 'answer'>; readonly at: number },
): Finding {
  const found = { state, word: null };
  const named = { basis, answeredAt: at, found } as const;
  const said = namedAs(basis, state, at);
  if (state === decision) return { change: { ...named, outcome: 'done', failure: null }, said };
  const failure = makeFailure({ ...decidedOtherwise(found), at });
  return { change: { ...named, outcome: 'conflict', failure }, said };
}

/**
 * What the list of pending missions, read at `at`, shows. A list may lag, so a mission that is still in it proves
 * nothing. A mission that left the list was decided on or withdrawn. One that was never seen in it may not be in it
 * yet. Null where the list proves nothing.
 */
export function findingByList(record: DecisionRecord, state: ListedState, at: number): Finding | null {
  switch (state) {
    case 'pending':
      return {
        change: { outcome: 'unknown', wasListed: true, listCheck: { at, listed: true } },
        said: listedStill(at),
      };
    case 'gone': {
      const listCheck = { at, listed: false };
      if (!record.wasListed) return { change: { outcome: 'unknown', listCheck }, said: notListed(at) };
      return { change: { outcome: 'no-longer-listed', failure: null, listCheck }, said: noLongerListed(at) };
    }
    case 'approve':
    case 'reject':
      return findingOf(record, state, { basis: 'list', at });
    case 'unknown':
      return null;
  }
}
