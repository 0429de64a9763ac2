import type { HandoverFacts } from './facts.ts';

/** The sentences of the report. Values come as they are and are escaped by the template they go into. */
const number = (value: number): string => value.toLocaleString('en');
const counted = (value: number, one: string, more: string): string =>
  `${number(value)} ${value === 1 ? one : more}`;

export const words = {
  title: 'Handover',
  training: 'TRAINING, NOT REAL INCIDENTS',
  local:
    'Notes and pins are local: they were kept on one computer and were not sent to the service. This report is the only copy that goes on with it.',
  handleWithCare: 'This file is not encrypted. It holds what operators wrote and what the service told them.',
  shift: 'Shift',
  operators: 'Operators',
  deployment: 'Deployment',
  data: 'Data',
  connection: 'Connection',
  folded: (count: number) =>
    `The log is longer than it can hold: its oldest ${counted(count, 'line is', 'lines are')} not in this report.`,
  damaged: (count: number) =>
    `${counted(count, 'note, pin or line of the log', 'notes, pins or lines of the log')} on this computer cannot be read and ${count === 1 ? 'is' : 'are'} missing here.`,
  unknownHeading: 'Not known what became of them',
  unknown: (count: number) =>
    `${counted(count, 'decision was', 'decisions were')} sent, and nobody knows whether the service acted. Find out before anything is decided again.`,
  unknownDecision: { approve: 'Approval', reject: 'Rejection' } as const,
  openHeading: 'Open, critical and high',
  openCounts: ({ critical, high }: HandoverFacts['open']) =>
    `${number(critical)} critical and ${number(high)} high are not resolved.`,
  openFirst: (shown: number) => `The first ${number(shown)} are listed, the worst and latest first.`,
  openNone: 'No critical or high incident is known that is not resolved.',
  pinnedHeading: 'Pinned incidents',
  pinnedNone: 'No incident is pinned.',
  notKnown: 'This incident is not known on this computer any more.',
  otherNotesHeading: 'Notes on other incidents',
  otherNotesFirst: (shown: number, total: number) =>
    `The latest ${number(shown)} of ${number(total)} are listed.`,
  noteAt: (at: string, changedAt: string | null) => (changedAt === null ? at : `${at}, changed ${changedAt}`),
  alarmsHeading: 'Alarms that wait for somebody',
  alarmsNone: 'Every alarm was acknowledged.',
  uploadsHeading: 'Files not sent',
  uploadsNone: 'Every file in the outbox was sent.',
  uploadsFirst: (shown: number, total: number) =>
    `The first ${number(shown)} of ${number(total)} are listed.`,
  logHeading: 'What was done',
  logNone: 'Nothing was done in this shift.',
  columns: {
    severity: 'Severity',
    type: 'Type',
    status: 'Status',
    created: 'Created',
    place: 'Place',
    id: 'Incident id',
    time: 'Time',
    who: 'Who',
    what: 'What',
    about: 'About',
    file: 'File',
    state: 'State',
    why: 'Why',
    mission: 'Mission',
    decision: 'Decision',
    alarm: 'Alarm',
  },
  noPlace: 'Not given',
  uploadStates: {
    receiving: 'Being copied',
    queued: 'Waits for its turn',
    sending: 'Being sent',
    waiting: 'Waits',
    sent: 'Sent',
    'needs-decision': 'NEEDS A DECISION',
    failed: 'Failed',
  } as const,
  kinds: {
    'shift-began': 'Shift began',
    'alarm-acknowledged': 'Alarm acknowledged',
    'mission-decided': 'Decision on a mission',
    'upload-queued': 'File queued',
    'upload-sent': 'File sent',
    'note-added': 'Note added',
    'note-changed': 'Note changed',
    'note-removed': 'Note removed',
    'incident-pinned': 'Incident pinned',
    'incident-unpinned': 'Incident unpinned',
    exported: 'Exported',
    'handed-over': 'Handed over',
  } as const,
  outcomes: {
    'approve-done': 'Mission approved',
    'reject-done': 'Mission rejected',
    'approve-refused': 'Approval was not done',
    'reject-refused': 'Rejection was not done',
    'approve-conflict': 'Approval refused: the mission is in another state',
    'reject-conflict': 'Rejection refused: the mission is in another state',
    'approve-unknown': 'OUTCOME UNKNOWN: approval',
    'reject-unknown': 'OUTCOME UNKNOWN: rejection',
  } as Readonly<Record<string, string>>,
  sessions: {
    none: 'nobody is signed in',
    'signing-in': 'signing in',
    active: 'live session',
    renewing: 'the session is being renewed',
    waiting: 'no live session; the console tries again by itself',
    rejected: 'THE SERVICE ENDED THE SESSION',
  } as const,
  states: {
    unknown: 'not asked yet',
    online: 'reached',
    degraded: 'reached with trouble',
    offline: 'NOT REACHED',
  } as const,
  connectionIs: (api: string, state: string, since: string) => `${api}: ${state}, since ${since}`,
  made: (version: string) => `Made by Field Console ${version}`,
} as const;

/** How complete the incidents were, and as of when. */
export function completenessOf({ incidents, sync }: HandoverFacts, time: (at: number) => string): string {
  const { completeness, count, lastReadAt } = incidents;
  const read = lastReadAt === null ? 'nothing was read in this session' : `last read ${time(lastReadAt)}`;
  if (completeness === 'complete') {
    const asOf = sync.completeAsOf === null ? '' : ` as of ${time(sync.completeAsOf)}`;
    return `${counted(count, 'incident', 'incidents')}, complete${asOf}; ${read}.`;
  }
  const least = `At least ${counted(count, 'incident', 'incidents')}`;
  const windows = sync.uncertain.count;
  if (completeness === 'unknown' || windows === 0)
    return `${least}; whether these are all is not known; ${read}.`;
  return `${least}; ${counted(windows, 'span of time', 'spans of time')} could not be shown to be whole; ${read}.`;
}
