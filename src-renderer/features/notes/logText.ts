import type { ShiftEntry } from '../../../src-preload/contract/index.ts';
import { t, type MessageKey } from '../../i18n/index.ts';

const kinds: Readonly<Record<ShiftEntry['kind'], MessageKey>> = {
  'shift-began': 'notes.kinds.shiftBegan',
  'alarm-acknowledged': 'notes.kinds.alarmAcknowledged',
  'acknowledgement-undone': 'notes.kinds.acknowledgementUndone',
  'mission-decided': 'notes.kinds.missionDecided',
  'upload-queued': 'notes.kinds.uploadQueued',
  'upload-sent': 'notes.kinds.uploadSent',
  'note-added': 'notes.kinds.noteAdded',
  'note-changed': 'notes.kinds.noteChanged',
  'note-removed': 'notes.kinds.noteRemoved',
  'incident-pinned': 'notes.kinds.incidentPinned',
  'incident-unpinned': 'notes.kinds.incidentUnpinned',
  exported: 'notes.kinds.exported',
  'handed-over': 'notes.kinds.handedOver',
  'taken-over': 'notes.kinds.takenOver',
};

const outcomes: Readonly<Record<string, MessageKey>> = {
  'approve-done': 'notes.outcomes.approveDone',
  'approve-refused': 'notes.outcomes.approveRefused',
  'approve-conflict': 'notes.outcomes.approveConflict',
  'approve-unknown': 'notes.outcomes.approveUnknown',
  'approve-not-sent': 'notes.outcomes.approveNotSent',
  'approve-no-longer-listed': 'notes.outcomes.approveNoLongerListed',
  'reject-done': 'notes.outcomes.rejectDone',
  'reject-refused': 'notes.outcomes.rejectRefused',
  'reject-conflict': 'notes.outcomes.rejectConflict',
  'reject-unknown': 'notes.outcomes.rejectUnknown',
  'reject-not-sent': 'notes.outcomes.rejectNotSent',
  'reject-no-longer-listed': 'notes.outcomes.rejectNoLongerListed',
};

/** What a line of the log says happened. */
export function lineWords({ kind, outcome }: Pick<ShiftEntry, 'kind' | 'outcome'>): string {
  const decided = kind === 'mission-decided' && outcome !== null ? outcomes[outcome] : undefined;
  return t(decided ?? kinds[kind]);
}

/** Whether its outcome is unknown. */
export const isUnknown = ({ kind, outcome }: Pick<ShiftEntry, 'kind' | 'outcome'>): boolean =>
  kind === 'mission-decided' && outcome?.endsWith('-unknown') === true;
