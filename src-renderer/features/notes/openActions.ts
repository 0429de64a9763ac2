import {
  isOutcomeOpen,
  openActionKinds,
  type Handover,
  type Mission,
  type OpenActionKind,
} from '../../../src-preload/contract/index.ts';
import { t, type MessageKey } from '../../i18n/index.ts';
import { undecided } from '../missions/index.ts';

const words: Readonly<Record<OpenActionKind, MessageKey>> = {
  decision: 'notes.open.decision',
  alarm: 'notes.open.alarm',
  mission: 'notes.open.mission',
  upload: 'notes.open.upload',
  incident: 'notes.open.incident',
};

/** "3 alarms not acknowledged", for each kind of which there are any. */
export const openLines = (counts: Handover['counts']): { kind: OpenActionKind; text: string }[] =>
  openActionKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => ({ kind, text: t(words[kind], {}, counts[kind]) }));

/** Missions to decide on, and decisions whose outcome is unknown. */
export function missionCounts(
  missions: readonly Mission[],
): Pick<Handover['counts'], 'decision' | 'mission'> {
  const sent = missions.flatMap(({ decided }) => (decided === null ? [] : [decided.outcome]));
  return {
    decision: sent.filter(isOutcomeOpen).length,
    mission: undecided(missions) - sent.filter((outcome) => outcome === 'unknown').length,
  };
}
