import type { Failure, MissionDecision, OutcomeBasis } from '../../../../src-preload/contract/index.ts';
import { reworded, type FailureParts } from '../../base/failure.ts';
import { cappedText } from '../../base/json.ts';
import { say, saidOf, type Said } from '../../base/messages/message.ts';
import type { Attempted } from './outcome.ts';

/** Of the service's answer, in an entry of the audit list. */
const longestAnswer = 512;

/** The sentences of the audit list: what was asked, answered or seen, and nothing that follows from it. */
export const asked = (decision: MissionDecision, again: boolean): Said =>
  say(`audit.${again ? 'again' : 'asked'}.${decision}`);

export function answered(decision: MissionDecision, { outcome, failure, answer }: Attempted): Said {
  const why = failure === null ? '' : saidOf(failure);
  switch (outcome) {
    case 'done':
      return answer === null
        ? say(`audit.done.${decision}`)
        : say(`audit.doneWith.${decision}`, { answer: cappedText(answer, longestAnswer) });
    case 'refused':
    case 'conflict':
      return say(`audit.refused.${decision}`, { why });
    case 'not-sent':
      return say(`audit.notSent.${decision}`, { why });
    case 'unknown':
      return say(`audit.unknown.${decision}`, { why });
  }
}

export const interrupted = (decision: MissionDecision): Said => say(`audit.interrupted.${decision}`);

/** Of a list that was read at `readDate`, Unix milliseconds. */
export const listedStill = (readDate: number): Said => say('audit.listed', { readDate });
export const noLongerListed = (readDate: number): Said => say('audit.noLongerListed', { readDate });
export const notListed = (readDate: number): Said => say('audit.notListed', { readDate });
export const namedAs = (
  basis: Exclude<OutcomeBasis, 'answer'>,
  state: MissionDecision,
  readDate: number,
): Said => say(`audit.named.${basis}.${state}`, { readDate });

/** What refuses a decision before anything is sent. */
type Refusal = Omit<FailureParts, 'at'>;

export const nothingKept: Refusal = {
  code: 'storage-failed',
  sentence: say('mission.nothingKept'),
  remedy: say('mission.nothingKeptRemedy'),
};

export const cannotReject: Refusal = {
  code: 'bad-request',
  sentence: say('mission.cannotReject'),
  remedy: say('mission.cannotRejectRemedy'),
};

export const otherUnderWay: Refusal = {
  code: 'conflict',
  sentence: say('mission.otherUnderWay'),
  remedy: say('mission.otherUnderWayRemedy'),
};

export const alreadyDone = (decision: MissionDecision): Refusal => ({
  code: 'conflict',
  sentence: say(`mission.already.${decision}`),
  remedy: null,
});

export const stillUnknown = (decision: MissionDecision): Refusal => ({
  code: 'outcome-unknown',
  sentence: say(`mission.stillUnknown.${decision}`),
  remedy: say('mission.stillUnknownRemedy'),
});

export const leftTheList = (decision: MissionDecision): Refusal => ({
  code: 'outcome-unknown',
  sentence: say(`mission.leftTheList.${decision}`),
  remedy: say('mission.leftTheListRemedy'),
});

export const notSameAgain: Refusal = {
  code: 'outcome-unknown',
  sentence: say('mission.notSameAgain'),
  remedy: say('mission.notSameAgainRemedy'),
};

export const notUnknown: Refusal = {
  code: 'conflict',
  sentence: say('mission.notUnknown'),
  remedy: say('mission.notUnknownRemedy'),
};

export const decidedOtherwise = (decision: MissionDecision): Refusal => ({
  code: 'conflict',
  sentence: say(`mission.itWas.${decision}`),
  remedy: null,
});

export const listNotComplete: Refusal = {
  code: 'outcome-unknown',
  sentence: say('mission.listNotComplete'),
  remedy: say('mission.listNotCompleteRemedy'),
};

/** What a conflict is, once the list was read again. */
export const conflictNow = (
  failure: Failure,
  state: MissionDecision | 'pending' | 'gone' | null,
): Failure => {
  return reworded(failure, { sentence: say(`mission.conflict.${state ?? 'unknown'}`) });
};
