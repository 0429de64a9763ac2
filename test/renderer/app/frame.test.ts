import { describe, expect, it } from 'vitest';
import type { Alarm, LiveEvent } from '../../../src-preload/contract/index.ts';
import { hasRailLabels } from '../../../src-renderer/app/layout.ts';
import { railBadges } from '../../../src-renderer/app/railBadges.ts';
import { fieldsOf, groupEvents, kindWords } from '../../../src-renderer/features/events/eventGroups.ts';
import { i18n } from '../../../src-renderer/i18n/index.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';

const event = (number: number, kind: string, text: string, named: Partial<LiveEvent> = {}): LiveEvent => ({
  number,
  at: number,
  kind,
  text,
  incidentId: null,
  missionId: null,
  ...named,
});
const telemetry = (number: number, drone: string, percent: number): LiveEvent =>
  event(number, 'telemetry.position', JSON.stringify({ drone_id: drone, percent }));

describe('groups of events', () => {
  it('put the events of one kind and drone together, and lead with the newest', () => {
    const groups = groupEvents([
      telemetry(5, 'drone-02', 40),
      telemetry(4, 'drone-01', 71),
      event(3, 'battery.low', JSON.stringify({ drone: 'drone-02' })),
      telemetry(2, 'drone-02', 41),
    ]);
    expect(
      groups.map(({ kind, source, events }) => [kind, source, events.map(({ number }) => number)]),
    ).toEqual([
      ['telemetry.position', 'drone-02', [5, 2]],
      ['telemetry.position', 'drone-01', [4]],
      ['battery.low', 'drone-02', [3]],
    ]);
  });

  it('know a source by the mission or incident, and leave alone what names none', () => {
    const groups = groupEvents([
      event(4, 'note', 'plain text'),
      event(3, 'note', 'plain text'),
      event(2, 'mission.decided', '{}', { missionId: 'ms-1' }),
      event(1, 'mission.decided', '{}', { missionId: 'ms-1' }),
    ]);
    expect(groups.map(({ source, events }) => [source, events.length])).toEqual([
      [null, 1],
      [null, 1],
      ['ms-1', 2],
    ]);
  });

  it('label fields in words, however they are spelled, and show the rest as it came', () => {
    const text = JSON.stringify({
      decided_by: 'a',
      batteryVolts: 1204.5,
      location: { latitude: 3, x: null },
    });
    expect(fieldsOf(event(1, 'k', text)).map(({ label, value }) => [label, value])).toEqual([
      ['Decided by', 'a'],
      ['Battery volts', '1,204.5'],
      ['Latitude', '3'],
      ['X', 'null'],
    ]);
    expect(fieldsOf(event(1, 'k', '{"cut":')).map(({ label, value }) => [label, value])).toEqual([
      ['Text', '{"cut":'],
    ]);
    expect(['mission.decided', 'telemetryBatch', ''].map(kindWords)).toEqual([
      'Mission decided',
      'Telemetry batch',
      'message',
    ]);
  });

  it('say a known kind in the page’s language, however it is spelled, and leave an unknown one as it came', async () => {
    i18n.global.setLocaleMessage('es', await loadMessages('es'));
    i18n.global.locale.value = 'es';
    try {
      expect(
        ['incident.updated', 'INCIDENT_CHANGED', 'missionApproved', 'fleet.battery'].map(kindWords),
      ).toEqual(['Incidente cambiado', 'Incidente cambiado', 'Misión aprobada', 'Fleet battery']);
    } finally {
      i18n.global.locale.value = 'en';
    }
  });
});

describe('badges of the rail', () => {
  const none = {
    alarms: [],
    siren: undefined,
    outbox: undefined,
    missions: [],
  } as const;
  const siren = {
    level: 3,
    kind: null,
    severity: null,
    mutedUntil: null,
    unacknowledged: 3,
    worstSeverity: 'critical',
  };
  const alarm = (severity: string, recoveredAt: number | null = null): Alarm =>
    ({ severity, recoveredAt }) as unknown as Alarm;

  it('say how many alarms wait and how many are of the worst severity, those that have passed left out', () => {
    const { alarms } = railBadges({
      ...none,
      alarms: [alarm('critical'), alarm('high'), alarm('high'), alarm('critical', 7)],
      siren: siren as never,
    });
    expect(alarms).toEqual({
      figure: '3',
      urgency: 'critical',
      about: '3 alarms to acknowledge, 1 critical',
    });
  });

  it('are no octagon for alarms that are not critical, and nothing for none', () => {
    expect(railBadges({ ...none, siren: { ...siren, worstSeverity: 'high' } as never }).alarms?.urgency).toBe(
      'waiting',
    );
    expect(railBadges({ ...none, siren: { ...siren, unacknowledged: 0 } as never }).alarms).toBeNull();
  });
});

it('the rail has labels where a window is wide and high enough for all of them', () => {
  const sizes = [
    [1440, 900, 1],
    [1920, 1080, 1],
    [1024, 768, 1],
    [1440, 768, 1],
    [1440, 900, 17 / 13],
  ] as const;
  expect(sizes.map(([width, height, text]) => hasRailLabels({ width, height }, text))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
