import type { Alarm, Mission, OutboxState, PanelName, SirenState } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { inRow } from '../base/format.ts';
import { undecided } from '../features/missions/missionText.ts';
import { countsAsCritical, severityInLine } from '../base/severities.ts';
import { countWords, troubled } from '../features/uploads/uploadText.ts';

/** `critical` is what its mark says; `waiting` needs an operator; `quiet` is in progress without one. */
type Urgency = 'critical' | 'waiting' | 'quiet';

/** The figure at an entry of the rail, and what it says of it. */
export interface Badge {
  /** As wide as three signs. */
  readonly figure: string;
  readonly urgency: Urgency;
  /** What is counted and how urgent it is: `3 alarms to acknowledge, 1 critical`. */
  readonly about: string;
}

interface Counted {
  readonly alarms: readonly Alarm[];
  readonly siren: SirenState | undefined;
  readonly outbox: OutboxState | undefined;
  readonly missions: readonly Mission[];
}

/** The badges of the rail, by its panel; null where nothing is to be counted. */
export function railBadges(counted: Counted): Partial<Record<PanelName, Badge | null>> {
  return {
    outbox: ofOutbox(counted),
    missions: ofMissions(counted),
    alarms: ofAlarms(counted),
  };
}

const badge = (value: number, urgency: Urgency, about: readonly string[]): Badge | null =>
  value === 0 ? null : { figure: value > 99 ? '99+' : String(value), urgency, about: inRow(about) };

/** Uploads that need an operator; else those that are still to be sent. */
function ofOutbox({ outbox }: Counted): Badge | null {
  if (outbox === undefined) return null;
  const about = countWords({ ...outbox.counts, sent: 0 }).map(({ words }) => words);
  const trouble = troubled(outbox.counts);
  return trouble > 0 ? badge(trouble, 'waiting', about) : badge(outbox.unsent, 'quiet', about);
}

function ofMissions({ missions }: Counted): Badge | null {
  const waiting = undecided(missions);
  return badge(waiting, 'waiting', [t('rail.badges.missions', {}, waiting)]);
}

function ofAlarms({ alarms, siren }: Counted): Badge | null {
  if (siren === undefined) return null;
  const { unacknowledged, worstSeverity } = siren;
  const worst =
    worstSeverity === null
      ? 0
      : alarms.filter(({ severity, recoveredAt }) => severity === worstSeverity && recoveredAt === null)
          .length;
  const critical = worstSeverity !== null && countsAsCritical(worstSeverity);
  return badge(unacknowledged, critical ? 'critical' : 'waiting', [
    t('alarms.toAcknowledge', {}, unacknowledged),
    ...(worst > 0 && worstSeverity !== null
      ? [t('rail.badges.worst', { severity: severityInLine(worstSeverity) }, worst)]
      : []),
  ]);
}
