import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AlarmList } from '../../../../src-main/core/features/alarms/alarmList.ts';
import { levelOf } from '../../../../src-main/core/features/incidents/index.ts';
import { scaleOf, type Alarm } from '../../../../src-preload/contract/index.ts';
import { shownOnWall } from '../../../../src-renderer/base/wallboard.ts';
import { casesOf } from '../../../support/campaign.ts';

const scale = scaleOf(null);
const now = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;
const numRuns = casesOf({ whole: 20_000, part: 500 });

const words = ['critical', 'Extreme', 'high', 'medium', 'low', 'purple'] as const;
const aboutIncidents = fc.record({
  kind: fc.constantFrom('incident', 'escalation', 'summary'),
  severity: fc.constantFrom(...words),
  // An alarm of the first reading is softer than its severity, and one that nobody acknowledged louder.
  level: fc.constantFrom(1, 2, 3),
});
const aboutTheConsole = fc.record({
  kind: fc.constantFrom('integration', 'connection', 'upload', 'session'),
  severity: fc.constant(null),
  level: fc.constantFrom(1, 2, 3),
});
const alarm: fc.Arbitrary<Alarm> = fc
  .record({
    parts: fc.oneof({ weight: 3, arbitrary: aboutIncidents }, { weight: 1, arbitrary: aboutTheConsole }),
    // So that some are of one moment.
    at: fc.integer({ min: 0, max: 40 }).map((minutes) => now - minutes * minute),
    state: fc.constantFrom('calls', 'calls', 'recovered', 'snoozed'),
  })
  .map(({ parts, at, state }) => ({
    ...parts,
    id: '',
    at,
    sentence: { text: 'Something happened.' },
    incidentIds: [],
    count: 1,
    listed: 0,
    acknowledgedAt: null,
    note: null,
    escalatedAt: null,
    snoozedUntil: state === 'snoozed' ? now + minute : null,
    recoveredAt: state === 'recovered' ? now : null,
  }));
const alarms = fc
  .array(alarm, { maxLength: 30 })
  .map((all) => all.map((one, index) => ({ ...one, id: String(index) })));

/** The alarms in the order of the console: raised one after the other, in any order. */
function booked(all: readonly Alarm[]): readonly Alarm[] {
  const alarmList = new AlarmList(() => scale);
  for (const one of all) alarmList.raise({ alarm: one, subject: null });
  return alarmList.active;
}
const weightOf = (severity: string): number => scale.classOf(severity).weight;
const isCritical = ({ severity }: Alarm): boolean => severity !== null && weightOf(severity) === worst;
const worst = weightOf('critical');
/** A summary that is softer than its severity is one of the first reading. */
const isNews = ({ kind, severity, level }: Alarm): boolean =>
  kind !== 'summary' || level >= levelOf(scale.classOf(severity ?? ''));
const waits = ({ recoveredAt, snoozedUntil }: Alarm): boolean =>
  recoveredAt === null && snoozedUntil === null;

/** Every pair, the one that stands above first. */
const pairs = (ordered: readonly Alarm[]): (readonly [Alarm, Alarm])[] =>
  ordered.flatMap((above, at) => ordered.slice(at + 1).map((below) => [above, below] as const));

/** Holds for every pair of any alarms, in the console's list and on the wallboard. */
function holds(rule: (above: Alarm, below: Alarm) => boolean): void {
  fc.assert(
    fc.property(alarms, (all) => {
      const ordered = booked(all);
      expect(ordered).toHaveLength(all.length);
      for (const list of [ordered, shownOnWall(ordered, now)])
        expect(pairs(list).find(([above, below]) => !rule(above, below))).toBeUndefined();
    }),
    { numRuns },
  );
}

test('nothing that has recovered, or was put off, stands above what waits for somebody', () => {
  holds((above, below) => waits(above) || !waits(below));
  holds((above, below) => above.recoveredAt === null || below.recoveredAt !== null);
});

test('nothing but a critical incident that waits stands above one', () => {
  holds((above, below) => !(isCritical(below) && waits(below)) || (isCritical(above) && waits(above)));
});

test('of incidents that wait the worse is first, and of those of one severity news, then the newest', () => {
  holds((above, below) => {
    if (!waits(above) || !waits(below) || above.severity === null || below.severity === null) return true;
    const [upper, lower] = [weightOf(above.severity), weightOf(below.severity)];
    if (upper !== lower) return upper > lower;
    return isNews(above) === isNews(below) ? above.at >= below.at : isNews(above);
  });
});

test('what is about the session is least urgent: no incident that waits stands below it', () => {
  holds(
    (above, below) => !(waits(above) && waits(below) && above.kind === 'session') || below.severity === null,
  );
});

test('the wallboard shows nothing that has recovered', () => {
  fc.assert(
    fc.property(alarms, (all) => {
      expect(shownOnWall(booked(all), now).every(({ recoveredAt }) => recoveredAt === null)).toBe(true);
    }),
    { numRuns },
  );
});
