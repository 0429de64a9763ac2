import type { ShiftEntry } from '../../../src-preload/contract/index.ts';
import { t, type MessageKey } from '../../i18n/index.ts';

const kinds: Readonly<Record<ShiftEntry['kind'], MessageKey>> = {
  'shift-began': 'log.kinds.shiftBegan',
  'alarm-acknowledged': 'log.kinds.alarmAcknowledged',
  'acknowledgement-undone': 'log.kinds.acknowledgementUndone',
  'mission-decided': 'log.kinds.missionDecided',
  'upload-queued': 'log.kinds.uploadQueued',
  'upload-sent': 'log.kinds.uploadSent',
  'note-added': 'log.kinds.noteAdded',
  'note-changed': 'log.kinds.noteChanged',
  'note-removed': 'log.kinds.noteRemoved',
  'incident-pinned': 'log.kinds.incidentPinned',
  'incident-unpinned': 'log.kinds.incidentUnpinned',
  exported: 'log.kinds.exported',
  'handed-over': 'log.kinds.handedOver',
  'taken-over': 'log.kinds.takenOver',
};

const outcomes: Readonly<Record<string, MessageKey>> = {
  'approve-done': 'log.outcomes.approveDone',
  'approve-refused': 'log.outcomes.approveRefused',
  'approve-conflict': 'log.outcomes.approveConflict',
  'approve-unknown': 'log.outcomes.approveUnknown',
  'approve-not-sent': 'log.outcomes.approveNotSent',
  'approve-no-longer-listed': 'log.outcomes.approveNoLongerListed',
  'reject-done': 'log.outcomes.rejectDone',
  'reject-refused': 'log.outcomes.rejectRefused',
  'reject-conflict': 'log.outcomes.rejectConflict',
  'reject-unknown': 'log.outcomes.rejectUnknown',
  'reject-not-sent': 'log.outcomes.rejectNotSent',
  'reject-no-longer-listed': 'log.outcomes.rejectNoLongerListed',
};

/** What a line of the log says happened. */
export function lineWords({ kind, outcome }: Pick<ShiftEntry, 'kind' | 'outcome'>): string {
  const decided = kind === 'mission-decided' && outcome !== null ? outcomes[outcome] : undefined;
  return t(decided ?? kinds[kind]);
}

/** Whether nobody knows what became of it. */
export const isUnknown = ({ kind, outcome }: Pick<ShiftEntry, 'kind' | 'outcome'>): boolean =>
  kind === 'mission-decided' && outcome?.endsWith('-unknown') === true;
