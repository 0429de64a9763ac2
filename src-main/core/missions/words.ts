import type { Failure, MissionDecision } from '../../../src-preload/contract/index.ts';
import { reworded, type FailureParts } from '../domain/failure.ts';
import { cappedText } from '../domain/json.ts';
import { say, type Said } from '../words/say.ts';
import type { Attempted } from './outcome.ts';

/** Of the service's answer, in an entry of the audit list. */
const longestAnswer = 512;

const nouns: Readonly<Record<MissionDecision, string>> = { approve: 'approval', reject: 'rejection' };

/** The sentences of the audit list. */
export const asked = (decision: MissionDecision, again: boolean): string =>
  again
    ? `Sent the same ${nouns[decision]} again, under the same key.`
    : `Asked the service to ${decision} the mission.`;

export function answered(decision: MissionDecision, { outcome, failure, answer }: Attempted): string {
  const noun = nouns[decision];
  const why = failure === null ? '' : ` ${failure.sentence}`;
  switch (outcome) {
    case 'done':
      return answer === null
        ? `The service took the ${noun}.`
        : `The service took the ${noun}. It answered: ${cappedText(answer, longestAnswer)}`;
    case 'refused':
      return `The ${noun} was not done.${why}`;
    case 'conflict':
      return `The service refused the ${noun}: the mission is in another state.${why}`;
    case 'unknown':
      return `What became of the ${noun} is not known.${why}`;
  }
}

export const interrupted = (decision: MissionDecision): string =>
  `The console ended before the ${nouns[decision]} was answered: what became of it is not known.`;

export const foundOut = (decision: MissionDecision, sentence: string): string =>
  `Found out about the ${nouns[decision]}: ${sentence}`;

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

export const stillPending: Refusal = {
  code: 'refused-by-service',
  sentence: say('mission.stillPending'),
  remedy: null,
};

export const noLongerPending: Refusal = {
  code: 'outcome-unknown',
  sentence: say('mission.noLongerPending'),
  remedy: null,
};

export const itWas = (state: MissionDecision): Said => say(`mission.itWas.${state}`);

export const decidedOtherwise = (decision: MissionDecision): Refusal => ({
  code: 'conflict',
  sentence: itWas(decision),
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
