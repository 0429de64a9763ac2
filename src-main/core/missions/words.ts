import type { Failure, MissionDecision } from '../../../src-preload/contract/index.ts';
import type { makeFailure } from '../domain/failure.ts';
import { cappedText } from '../domain/json.ts';
import type { Attempted } from './outcome.ts';

/** Of the service's answer, in an entry of the audit list. */
const longestAnswer = 512;

const nouns: Readonly<Record<MissionDecision, string>> = { approve: 'approval', reject: 'rejection' };
const participles: Readonly<Record<MissionDecision, string>> = { approve: 'approved', reject: 'rejected' };

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
type Said = Omit<Parameters<typeof makeFailure>[0], 'at'>;

export const nothingKept: Said = {
  code: 'storage-failed',
  sentence: 'Nothing can be kept on this computer, so no decision can be sent: none could be accounted for.',
  remedy: 'Make the data folder usable and sign in again.',
};

export const cannotReject: Said = {
  code: 'bad-request',
  sentence: 'The deployment names no way to reject a mission.',
  remedy: 'Ask whoever issued the deployment file.',
};

export const otherUnderWay: Said = {
  code: 'conflict',
  sentence: 'Another decision on this mission is being sent.',
  remedy: 'Wait for its answer.',
};

export const alreadyDone = (decision: MissionDecision): Said => ({
  code: 'conflict',
  sentence: `This mission was ${participles[decision]} already.`,
  remedy: null,
});

export const stillUnknown = (decision: MissionDecision): Said => ({
  code: 'outcome-unknown',
  sentence: `It is not known what became of the ${nouns[decision]} of this mission. Nothing was sent.`,
  remedy: 'Check again, or send the same decision again.',
});

export const notSameAgain: Said = {
  code: 'outcome-unknown',
  sentence:
    'It is not proven that the first attempt is less than 23 hours old, so the service may not remember it. Nothing was sent.',
  remedy: 'Find out from an administrator what became of the mission.',
};

export const notUnknown: Said = {
  code: 'conflict',
  sentence: 'There is no decision on this mission with an unknown outcome. Nothing was sent.',
  remedy: 'Decide on it anew.',
};

export const stillPending: Said = {
  code: 'refused-by-service',
  sentence: 'It is still pending: the service did not act on the decision. You can decide again.',
  remedy: null,
};

export const noLongerPending: Said = {
  code: 'outcome-unknown',
  sentence:
    'It is no longer pending, so it was decided on; found by checking. The list does not tell by whom.',
  remedy: null,
};

export const itWas = (state: MissionDecision): string => `The mission was ${participles[state]}.`;

export const decidedOtherwise = (decision: MissionDecision): Said => ({
  code: 'conflict',
  sentence: itWas(decision),
  remedy: null,
});

export const listNotComplete: Said = {
  code: 'outcome-unknown',
  sentence: 'The mission is not in the list of pending ones, and the list may go on. It is still not known.',
  remedy: 'Send the same decision again, or ask an administrator.',
};

/** What a conflict is, once the list was read again. */
export const conflictNow = (
  failure: Failure,
  state: MissionDecision | 'pending' | 'gone' | null,
): Failure => {
  const now =
    state === null
      ? ''
      : state === 'pending'
        ? ' It is still listed as pending.'
        : state === 'gone'
          ? ' It is no longer pending.'
          : ` It was ${participles[state]}.`;
  return { ...failure, sentence: `The mission is in another state than this needs.${now}` };
};
