import { describe, expect, it } from 'vitest';
import type { Alarm, EventsState, SirenState } from '../../../../src-preload/contract/index.ts';
import {
  areaWords,
  briefWords,
  lockWords,
  muteWords,
  newestOf,
  notificationText,
} from '../../../../src-renderer/features/alarms/alarmText.ts';
import { tallyWords } from '../../../../src-renderer/features/events/liveEvents.ts';
import {
  addCorner,
  dropCorner,
  isArea,
  mostCorners,
  viewArea,
  viewRing,
  type Corner,
} from '../../../../src-renderer/map/ring.ts';

const now = Date.UTC(2026, 10, 21, 14, 0);
const siren: SirenState = {
  sequence: 1,
  level: 3,
  kind: 'incident',
  severity: 'critical',
  unacknowledged: 3,
  worstSeverity: 'critical',
  mutedUntil: null,
  sound: true,
  notifications: 'brief',
};
const alarm = (id: string, at: number): Alarm => ({
  id,
  kind: 'incident',
  level: 3,
  severity: 'critical',
  at,
  sentence: { text: `Flood at the mill (${id}).` },
  incidentIds: [],
  count: 1,
  listed: 0,
  acknowledgedAt: null,
  note: null,
  snoozedUntil: null,
  escalatedAt: null,
  recoveredAt: null,
});

describe('the words of an alarm', () => {
  it('say until when the sound is muted, and nothing afterwards', () => {
    expect(muteWords({ ...siren, mutedUntil: now + 300_000 }, now, 'utc')).toBe('Muted until 14:05 UTC');
    expect(muteWords({ ...siren, mutedUntil: now }, now, 'utc')).toBeNull();
    expect(muteWords(siren, now, 'utc')).toBeNull();
  });

  it('say on a locked screen how many and how bad, and no more', () => {
    expect(lockWords(siren)).toBe('3 alarms, the worst critical');
    expect(lockWords({ ...siren, unacknowledged: 1 })).toBe('1 alarm, critical');
    expect(lockWords({ ...siren, unacknowledged: 2, worstSeverity: null })).toBe('2 alarms');
    expect(lockWords({ ...siren, unacknowledged: 0 })).toBeNull();
  });

  it('tell a passer-by kind and severity only, unless details are wanted and the console is open', () => {
    const active = [alarm('new', 9), alarm('old', 3)];
    expect(briefWords('integration', null)).toBe('Integration down');
    expect(notificationText(siren, active)).toBe('New incident, critical');
    const details: SirenState = { ...siren, notifications: 'details' };
    expect(notificationText(details, active)).toBe('Flood at the mill (new).');
    expect(notificationText(details, null)).toBe('New incident, critical');
    expect(notificationText(details, [])).toBe('New incident, critical');
  });

  it('are about the latest, whatever the order of urgency', () => {
    expect(newestOf([alarm('urgent', 1), alarm('late', 2)])?.id).toBe('late');
    expect(newestOf([])).toBeNull();
  });

  it('name the area', () => {
    expect(areaWords({ kind: 'everywhere' })).toBe('Everywhere');
    expect(areaWords({ kind: 'view', west: 170, south: -10, east: -170, north: 10 })).toBe(
      '10.00° S – 10.00° N, 170.00° E – 170.00° W',
    );
    expect(
      areaWords({
        kind: 'polygon',
        ring: [
          [170, 0],
          [190, 0],
          [190, 5],
        ],
      }),
    ).toBe('3 corners, 0.00° N – 5.00° N, 170.00° E – 170.00° W');
  });
});

describe('an area that is drawn', () => {
  const ring = (...corners: Corner[]): readonly Corner[] =>
    corners.reduce<readonly Corner[]>((drawn, corner) => addCorner(drawn, corner), []);

  it('runs on across 180 degrees the short way', () => {
    expect(ring([170, 0], [-170, 5], [175, 9])).toEqual([
      [170, 0],
      [190, 5],
      [175, 9],
    ]);
    expect(ring([-170, 0], [170, 5])).toEqual([
      [-170, 0],
      [-190, 5],
    ]);
  });

  it('takes no corner twice, none beyond what the map shows, and no more than fit', () => {
    expect(ring([1, 2], [1, 2])).toHaveLength(1);
    expect(ring([1, 89])).toEqual([[1, 85]]);
    const many = Array.from({ length: mostCorners + 5 }, (_, at): Corner => [at / 10, 0]);
    expect(ring(...many)).toHaveLength(mostCorners);
  });

  it('does not wind around the world without end', () => {
    const winding = Array.from({ length: 20 }, (_, at): Corner => [at * 120, 0]);
    for (const [longitude] of ring(...winding)) expect(Math.abs(longitude)).toBeLessThanOrEqual(540);
  });

  it('is an area from three corners on, and gives the last one back', () => {
    const three = ring([0, 0], [1, 0], [1, 1]);
    expect(isArea(three)).toBe(true);
    expect(isArea(dropCorner(three))).toBe(false);
    expect(dropCorner([])).toEqual([]);
  });
});

describe('an area that is the map’s view', () => {
  it('lies within 180 degrees, west beyond east where it crosses them', () => {
    expect(viewArea({ west: 170, south: -5, east: 200, north: 5 })).toEqual({
      west: 170,
      south: -5,
      east: -160,
      north: 5,
    });
    expect(viewArea({ west: -200, south: -95, east: 300, north: 95 })).toEqual({
      west: -180,
      south: -90,
      east: 180,
      north: 90,
    });
    expect(viewArea({ west: 0, south: 0, east: 180, north: 1 }).east).toBe(180);
  });
  it('is outlined without turning around the world', () => {
    const longitudes = viewRing({ west: 170, south: -5, east: -160, north: 5 }).map(
      ([longitude]) => longitude,
    );
    expect([Math.min(...longitudes), Math.max(...longitudes)]).toEqual([170, 200]);
  });
});

describe('the event stream', () => {
  const stream: EventsState = {
    state: 'open',
    since: now,
    until: null,
    failure: null,
    received: 1_204,
    dropped: 0,
    recent: [],
  };
  it('counts what came and what was dropped', () => {
    expect(tallyWords(stream)).toBe('1,204 events');
    expect(tallyWords({ ...stream, received: 1, dropped: 2 })).toBe(
      '1 event, 2 dropped as too large or unreadable',
    );
  });
});
