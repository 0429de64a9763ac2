import type { Failure, MissionDecision, OutcomeBasis } from '../../../../src-preload/contract/index.ts';
import { reworded, type Refusal } from '../../base/failure.ts';
import { cappedText } from '../../base/json.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { Attempted, DecidedState, FoundState } from './answerState.ts';

/** The most characters of the service's answer in an entry of the audit list. */
const longestAnswer = 512;

/** The sentences of the audit list: what was requested, answered or seen, and no conclusions. */
/** `reason`: what an operator said with a rejection that is sent for the first time; empty where nothing. */
export function asked(decision: MissionDecision, again: boolean, reason: string): Message {
  if (again) return message(`audit.again.${decision}`);
  return reason === '' ? message(`audit.asked.${decision}`) : message('audit.askedFor', { reason });
}

export function answered(decision: MissionDecision, { outcome, failure, answer }: Attempted): Message {
  const why = failure === null ? '' : failure.sentence;
  const contradicted = failure !== null && answer !== null;
  if (contradicted) {
    return message(`audit.otherwise.${decision}`, { why, answer: cappedText(answer, longestAnswer) });
  }
  switch (outcome) {
    case 'done':
      return answer === null
        ? message(`audit.done.${decision}`)
        : message(`audit.doneWith.${decision}`, { answer: cappedText(answer, longestAnswer) });
    case 'refused':
    case 'conflict':
      return message(`audit.refused.${decision}`, { why });
    case 'not-sent':
      return message(`audit.notSent.${decision}`, { why });
    case 'unknown':
      return message(`audit.unknown.${decision}`, { why });
  }
}

export const interrupted = (decision: MissionDecision): Message => message(`audit.interrupted.${decision}`);

/** About a list that was read at `readDate`, Unix milliseconds. */
export const listedStill = (readDate: number): Message => message('audit.listed', { readDate });
export const noLongerListed = (readDate: number): Message => message('audit.noLongerListed', { readDate });
export const notListed = (readDate: number): Message => message('audit.notListed', { readDate });
export const namedAs = (
  basis: Exclude<OutcomeBasis, 'answer'>,
  state: MissionDecision,
  readDate: number,
): Message => message(`audit.named.${basis}.${state}`, { readDate });

/** Why a decision is refused before anything is sent. */
export const nothingKept: Refusal = {
  code: 'storage-failed',
  sentence: message('mission.nothingKept'),
  remedy: message('mission.nothingKeptRemedy'),
};

export const cannotReject: Refusal = {
  code: 'bad-request',
  sentence: message('mission.cannotReject'),
  remedy: message('mission.cannotRejectRemedy'),
};

export const otherUnderWay: Refusal = {
  code: 'conflict',
  sentence: message('mission.otherUnderWay'),
  remedy: message('mission.otherUnderWayRemedy'),
};

export const alreadyDone = (decision: MissionDecision): Refusal => ({
  code: 'conflict',
  sentence: message(`mission.already.${decision}`),
  remedy: null,
});

export const stillUnknown = (decision: MissionDecision): Refusal => ({
  code: 'outcome-unknown',
  sentence: message(`mission.stillUnknown.${decision}`),
  remedy: message('mission.stillUnknownRemedy'),
});

export const leftTheList = (decision: MissionDecision): Refusal => ({
  code: 'outcome-unknown',
  sentence: message(`mission.leftTheList.${decision}`),
  remedy: message('mission.leftTheListRemedy'),
});

export const notSameAgain: Refusal = {
  code: 'outcome-unknown',
  sentence: message('mission.notSameAgain'),
  remedy: message('mission.notSameAgainRemedy'),
};

export const notUnknown: Refusal = {
  code: 'conflict',
  sentence: message('mission.notUnknown'),
  remedy: message('mission.notUnknownRemedy'),
};

export const decidedOtherwise = ({ state, word }: DecidedState): Refusal => ({
  code: 'conflict',
  sentence:
    state === 'other'
      ? message('mission.itWas.other', { state: word ?? '' })
      : message(`mission.itWas.${state}`),
  remedy: null,
});

export const listNotComplete: Refusal = {
  code: 'outcome-unknown',
  sentence: message('mission.listNotComplete'),
  remedy: message('mission.listNotCompleteRemedy'),
};

/** The failure of a conflict after the list was read again; `found` null: the mission's state is not known. */
export const conflictNow = (failure: Failure, found: FoundState | null): Failure =>
  reworded(failure, {
    sentence:
      found?.state === 'other'
        ? message('mission.conflict.other', { state: found.word ?? '' })
        : message(`mission.conflict.${found?.state ?? 'unknown'}`),
  });
