import {
  isInMemoryOnly,
  isOutcomeOpen,
  mostOpenActions,
  openActionKinds,
  type Handover,
  type OpenAction,
  type OpenActionKind,
  type Message,
} from '../../../../../src-preload/contract/index.ts';
import { cappedText } from '../../../base/json.ts';
import { bounded } from '../../../base/messages/message.ts';
import type { LocalAccount } from '../../context.ts';
import { unsentUploads, type FactSources } from './facts.ts';

/** How many of each kind are listed before other kinds use the rest of the list. */
const share = 10;
/** UTF-16 units. */
const longestText = 1_024;
const longestSeverity = 256;
/** UTF-16 units of a message as JSON. */
const longestMessage = 4_096;

const plain = { severity: null, incidentId: null } as const;

/**
 * The open actions: all are counted, at most 50 are listed. They never have the content of a file, a note or a piece of
 * evidence: a handover is sealed for this computer, not for one account.
 */
export function openActionsOf(
  { store }: Pick<LocalAccount, 'store'>,
  { readUploads }: Pick<FactSources, 'readUploads'>,
  pins: readonly string[],
): Pick<Handover, 'counts' | 'actions'> {
  const { missions } = store.slice('missions');
  const uploads = unsentUploads(readUploads);
  const all: Record<OpenActionKind, readonly OpenAction[]> = {
    decision: missions.flatMap(({ id, decided }) =>
      decided && isOutcomeOpen(decided.outcome)
        ? [{ ...plain, kind: 'decision' as const, text: verbatim(id) }]
        : [],
    ),
    alarm: store
      .slice('alarms')
      .active.filter((alarm) => alarm.recoveredAt === null && !isInMemoryOnly(alarm))
      .map(({ sentence, severity, incidentIds, count }) => ({
        kind: 'alarm',
        text: bounded(sentence, longestMessage, longestText),
        severity,
        incidentId: count === 1 ? (incidentIds[0] ?? null) : null,
      })),
    mission: missions
      .filter(({ decided }) => decided === null || mayBeDecided.has(decided.outcome))
      .map(({ id }) => ({ ...plain, kind: 'mission', text: verbatim(id) })),
    upload: uploads.unsent.map(({ fileName, incidentId }) => ({
      ...plain,
      kind: 'upload',
      text: verbatim(fileName),
      incidentId,
    })),
    incident: pins.map((incidentId) => {
      const known = store.incidents.recordOf(incidentId);
      const { incidentType = '', severity = null } = known ?? {};
      return { ...plain, kind: 'incident', text: verbatim(incidentType), severity, incidentId };
    }),
  };
  return {
    counts: {
      decision: all.decision.length,
      alarm: all.alarm.length,
      mission: all.mission.length,
      upload: uploads.total,
      incident: all.incident.length,
    },
    actions: listed(all).map(short),
  };
}

/** In these states the operator may decide again. */
const mayBeDecided: ReadonlySet<string> = new Set(['sending', 'refused', 'not-sent']);

/** Some of each kind, then more in the order of the kinds. The result is sorted by kind. */
function listed(all: Readonly<Record<OpenActionKind, readonly OpenAction[]>>): OpenAction[] {
  const shown = openActionKinds.map((kind) => Math.min(share, all[kind].length));
  let room = mostOpenActions - shown.reduce((sum, count) => sum + count, 0);
  return openActionKinds.flatMap((kind, at) => {
    const first = shown[at] ?? 0;
    const more = Math.min(room, all[kind].length - first);
    room -= more;
    return all[kind].slice(0, first + more);
  });
}

const verbatim = (text: string): Message => ({ text: cappedText(text, longestText) });

/** Leaves out an id that is too long: a shortened one could name another incident. */
const short = ({ severity, incidentId, ...others }: OpenAction): OpenAction => ({
  ...others,
  severity: severity === null ? null : cappedText(severity, longestSeverity),
  incidentId: incidentId !== null && incidentId.length <= longestText ? incidentId : null,
});
