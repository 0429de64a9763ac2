import type { Failure, Upload, UploadState } from '../../../../src-preload/contract/index.ts';
import { attemptsOf, type Confirmation, type UploadItem } from './item.ts';
import { blocks, lineWaitOf, lineWaits, unprovenRemedy, type Block } from './messages.ts';

/** The item's state for an operator: a queued one that cannot be sent is waiting. */
export const shownState = (item: UploadItem, block: Block | null): UploadState =>
  item.phase.state === 'queued' && item.paused === false && block !== null ? 'waiting' : item.phase.state;

const nothing = {
  why: null,
  remedy: null,
  until: null,
  failure: null,
  decision: null,
  cid: null,
  verdict: null,
  profile: null,
  requestId: null,
  sentAt: null,
  sameAs: null,
} satisfies Partial<Upload>;

/** An item in the form for pages. `room`: how many bytes may be sent now. */
export function uploadView(item: UploadItem, block: Block | null, room = Infinity): Upload {
  const { id, fileName, bytes, addedAt, sha256, computed, incidentId } = item;
  const state = shownState(item, block);
  return {
    ...nothing,
    id,
    fileName,
    bytes,
    addedAt,
    state,
    paused: item.paused === true && state !== 'sending',
    awaitsLink: item.paused === 'slow-link' && state !== 'sending',
    attempts: attemptsOf(item),
    sha256,
    computed: [...computed],
    incidentId,
    ...phaseView(item, block, room),
  };
}

const answerView = ({ at, cid, verdict, profile, requestId }: Confirmation): Partial<Upload> => ({
  sentAt: at,
  cid,
  verdict,
  profile,
  requestId,
});

const whyOf = (failure: Failure): Partial<Upload> => ({
  why: failure.sentence,
  remedy: failure.remedy,
  failure,
});

function phaseView(item: UploadItem, block: Block | null, room: number): Partial<Upload> {
  const { phase, paused } = item;
  const wait = block === null || paused === 'slow-link' ? lineWaitOf(item, room) : null;
  switch (phase.state) {
    case 'receiving':
    case 'sending':
      return {};
    case 'queued':
      if (paused === true) return {};
      if (wait !== null) return lineWaits[wait];
      return block === null ? {} : blocks[block];
    case 'waiting': {
      const { failure, until } = phase;
      const { requestId } = failure;
      if (paused === true) return { ...whyOf(failure), requestId };
      if (wait !== null) return { ...lineWaits[wait], failure, requestId };
      if (block !== null) return { ...blocks[block], failure, requestId };
      return { ...whyOf(failure), until, requestId };
    }
    case 'sent':
      return { ...answerView(phase), why: phase.note };
    case 'unproven':
      return { ...answerView(phase), why: phase.note, remedy: unprovenRemedy };
    case 'needs-decision': {
      const { decision, why, remedy, failure, sameAs, said } = phase;
      const asked = { decision, why, remedy, failure, sameAs, requestId: failure?.requestId ?? null };
      return said === null ? asked : { ...asked, ...answerView(said) };
    }
    case 'failed': {
      const { failure } = phase;
      return { ...whyOf(failure), requestId: failure.requestId };
    }
  }
}
