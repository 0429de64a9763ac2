import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { message } from '../../../../src-main/core/base/messages/message.ts';
import { readAlarms, writeAlarms } from '../../../../src-main/core/features/alarms/alarmDocument.ts';
import { AlarmList, type ListedAlarm } from '../../../../src-main/core/features/alarms/alarmList.ts';
import { alarmsAtStart } from '../../../../src-main/core/features/alarms/alarmsState.ts';
import { isInside } from '../../../../src-main/core/features/alarms/area.ts';
import { NewsTally } from '../../../../src-main/core/features/alarms/newsTally.ts';
import { SeverityMemory } from '../../../../src-main/core/features/alarms/severityMemory.ts';
import { isMuted, soundedAfter } from '../../../../src-main/core/features/alarms/siren.ts';
import {
  levelOf,
  reaches,
  rose,
  worstOf,
} from '../../../../src-main/core/features/incidents/severityOrder.ts';
import { scaleOf, type Alarm, type AlarmArea } from '../../../../src-preload/contract/index.ts';
import { record } from '../../state/storeFixtures.ts';

const scale = scaleOf(null);
const usual = () => scale;

describe('the order of severities', () => {
  it.each([
    ['critical', 'critical', true],
    ['CRITICAL', 'critical', true],
    [' High ', 'critical', false],
    ['high', 'high', true],
    ['medium', 'high', false],
    ['low', 'medium', false],
    ['low', 'low', true],
    ['apocalyptic', 'critical', true],
    ['', 'critical', true],
    ['critical', 'none', false],
    ['apocalyptic', 'none', false],
  ] as const)('%j reaches %s: %s', (severity, least, reached) => {
    expect(reaches(scale.classOf(severity), least)).toBe(reached);
  });

  it.each([
    ['low', 'high', true],
    ['High', 'high', false],
    ['critical', 'high', false],
    ['unheard of', 'low', true],
    ['low', 'unheard of', true],
    ['unheard of', 'Unheard of', false],
    ['constructor', '__proto__', true],
  ])('from %s to %s is a rise: %s', (before, after, isRise) => {
    expect(rose(scale.classOf(before), scale.classOf(after))).toBe(isRise);
  });

  it('gives three levels, and finds the worst', () => {
    const levels = ['critical', 'HIGH', 'medium', 'low', 'unheard of'].map((severity) =>
      levelOf(scale.classOf(severity)),
    );
    // What has no rank is as urgent as critical: nothing proves that it is less.
    expect(levels).toEqual([3, 2, 1, 1, 3]);
    expect(worstOf(['low', null, 'unheard of', 'HIGH'], scale)).toBe('unheard of');
    expect(worstOf(['unheard of', 'high', ' Critical'], scale)).toBe('critical');
    expect(worstOf([null], scale)).toBeNull();
  });

  it('remembers the severity of each incident', () => {
    const memory = new SeverityMemory(usual);
    expect(memory.take('a', 'low').kind).toBe('new');
    expect(memory.take('a', 'low').kind).toBe('no-rise');
    expect(memory.take('a', ' LOW').kind).toBe('no-rise');
    expect(memory.take('a', 'high')).toEqual({ kind: 'rose', before: 'low' });
    expect(memory.take('a', 'medium').kind).toBe('no-rise');
    expect(memory.severityOf('a')).toBe('medium');
    memory.forget('a');
    expect(memory.take('a', 'low').kind).toBe('new');
  });
});

const at = (longitude: number, latitude: number) => ({ longitude, latitude });
const view = (west: number, south: number, east: number, north: number): AlarmArea => ({
  kind: 'view',
  west,
  south,
  east,
  north,
});
const polygon = (...ring: [number, number][]): AlarmArea => ({ kind: 'polygon', ring });

/** Whole degrees over four: sums of them are exact, so that a turn more changes no comparison. */
const longitude = fc.integer({ min: -720, max: 720 }).map((quarter) => quarter / 4);
const latitude = fc.integer({ min: -360, max: 360 }).map((quarter) => quarter / 4);
const yielding = fc.integer({ min: -1, max: 1 }).map((turn) => turn * 360);

describe('the area', () => {
  it.each([
    ['within a view', view(-10, -10, 10, 10), at(0, 0), true],
    ['on the edge of a view', view(-10, -10, 10, 10), at(10, -10), true],
    ['east of a view', view(-10, -10, 10, 10), at(10.5, 0), false],
    ['north of a view', view(-10, -10, 10, 10), at(0, 10.5), false],
    ['a view over 180 degrees, in the west', view(170, -10, -170, 10), at(175, 0), true],
    ['a view over 180 degrees, in the east', view(170, -10, -170, 10), at(-175, 0), true],
    ['a view over 180 degrees, on the other side', view(170, -10, -170, 10), at(0, 0), false],
    ['a view over 180 degrees that goes on counting', view(170, -10, 190, 10), at(-175, 0), true],
    ['a view of the whole world and more', view(-200, -90, 200, 90), at(12, 34), true],
    ['within a polygon', polygon([0, 0], [10, 0], [0, 10]), at(2, 2), true],
    ['beside a polygon', polygon([0, 0], [10, 0], [0, 10]), at(8, 8), false],
    ['in the notch of a polygon', polygon([0, 0], [10, 0], [10, 10], [5, 2], [0, 10]), at(5, 5), false],
    ['a polygon over 180 degrees', polygon([170, -5], [-170, -5], [-170, 5], [170, 5]), at(-179, 0), true],
    [
      'beside a polygon over 180 degrees',
      polygon([170, -5], [-170, -5], [-170, 5], [170, 5]),
      at(0, 0),
      false,
    ],
    ['a polygon around the pole', polygon([-120, 60], [0, 60], [120, 60]), at(50, 85), true],
    ['south of a polygon around the pole', polygon([-120, 60], [0, 60], [120, 60]), at(50, 20), false],
    ['a polygon around the other pole', polygon([-120, -60], [0, -60], [120, -60]), at(170, -85), true],
    ['no place at all', view(0, 0, 1, 1), null, true],
    ['anywhere', { kind: 'everywhere' }, at(1, 1), true],
  ] as [string, AlarmArea, ReturnType<typeof at> | null, boolean][])('%s', (_, area, place, inside) => {
    expect(isInside(area, place)).toBe(inside);
  });

  it('is the same a turn further on, whatever of it is turned', () => {
    fc.assert(
      fc.property(longitude, latitude, longitude, latitude, yielding, (west, south, x, y, turn) => {
        const area = view(west, south, west + 40, south + 20);
        const turned = view(west + turn, south, west + 40 + turn, south + 20);
        expect(isInside(turned, at(x, y))).toBe(isInside(area, at(x, y)));
        expect(isInside(area, at(x + turn, y))).toBe(isInside(area, at(x, y)));
      }),
    );
    const point = fc.tuple(longitude, latitude);
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 3, maxLength: 8 }),
        fc.array(yielding, { minLength: 8, maxLength: 8 }),
        point,
        yielding,
        (ring, turnOf, [x, y], turn) => {
          const inside = isInside(polygon(...ring), at(x, y));
          const each = ring.map(([lng, lat], index): [number, number] => [lng + (turnOf[index] ?? 0), lat]);
          expect(isInside(polygon(...each), at(x, y))).toBe(inside);
          expect(isInside(polygon(...ring), at(x + turn, y))).toBe(inside);
        },
      ),
    );
  });

  it('is the same for a box as a view and as a polygon, also over 180 degrees', () => {
    fc.assert(
      fc.property(
        longitude,
        fc.integer({ min: -280, max: 200 }).map((quarter) => quarter / 4),
        longitude,
        latitude,
        (west, south, x, y) => {
          const [east, north] = [west + 30, south + 20];
          const box = polygon([west, south], [east, south], [east, north], [west, north]);
          // An eighth of a degree aside: on the line itself either may be right.
          const place = at(x + 0.125, y + 0.125);
          expect(isInside(box, place)).toBe(isInside(view(west, south, east, north), place));
        },
      ),
    );
  });
});

let made = 0;
function booked(change: Partial<Alarm> = {}, subject: string | null = null): ListedAlarm {
  made += 1;
  const alarm: Alarm = {
    id: String(made),
    kind: 'incident',
    level: 1,
    severity: 'low',
    at: made,
    sentence: { text: 'Something.' },
    incidentIds: [`INC-${String(made)}`],
    count: 1,
    listed: 1,
    acknowledgedAt: null,
    note: null,
    snoozedUntil: null,
    escalatedAt: null,
    recoveredAt: null,
    ...change,
  };
  return { alarm, subject, members: alarm.incidentIds, beforeRecovery: null };
}

describe('the book of alarms', () => {
  const ids = (alarmList: AlarmList) => alarmList.active.map(({ id }) => id);

  it('lists by level and severity, then what came last before what waits longest', () => {
    const alarmList = new AlarmList(() =>
      scaleOf([
        { name: 'evacuate', synonyms: [] },
        { name: 'critical', synonyms: [] },
      ]),
    );
    for (const [id, level, severity, time] of [
      ['late', 1, 'low', 10],
      ['early', 1, 'low', 9],
      ['session', 3, null, 0],
      ['worst', 3, 'critical', 8],
      ['worst of all', 3, 'evacuate', 9],
      ['between', 2, 'high', 5],
    ] as const) {
      alarmList.raise(booked({ id, level, severity, at: time }));
    }
    expect(ids(alarmList)).toEqual(['worst of all', 'worst', 'session', 'between', 'late', 'early']);
  });

  it('puts what has passed below everything that waits, and back where it was when it is so again', () => {
    const alarmList = new AlarmList(usual);
    alarmList.raise(booked({ id: 'session', kind: 'session', level: 3, severity: null }, 'session'));
    alarmList.raise(booked({ id: 'critical', level: 3, severity: 'critical' }));
    alarmList.raise(booked({ id: 'low', level: 1 }));
    expect(alarmList.recover('critical', message('alarm.sessionBack', { backAt: 7 }), 7)).toBe(true);
    expect(ids(alarmList)).toEqual(['low', 'session', 'critical']);
    expect(alarmList.active[2]).toMatchObject({
      level: 1,
      recoveredAt: 7,
      sentence: { id: 'alarm.sessionBack' },
    });
    expect(alarmList.unacknowledged).toBe(2);
    expect(alarmList.worstSeverity).toBe('low');
    expect(alarmList.relapse('critical')).toBe(true);
    expect(alarmList.relapse('critical')).toBe(false);
    expect(ids(alarmList)).toEqual(['critical', 'low', 'session']);
    expect(alarmList.active[0]).toMatchObject({
      level: 3,
      recoveredAt: null,
      sentence: { text: 'Something.' },
    });
    expect(alarmList.recover('unknown', message('alarm.uploadsSettled'), 7)).toBe(false);
  });

  it('counts an incident of two alarms once where it makes one of them', () => {
    const alarmList = new AlarmList(usual);
    for (let index = 0; index < 101; index += 1) {
      const incidentIds = [index < 50 ? 'the same' : `INC-${String(index)}`];
      alarmList.raise(booked({ incidentIds, at: 1_000 + index }));
    }
    expect(alarmList.active).toHaveLength(100);
    expect(alarmList.active.find(({ kind }) => kind === 'summary')).toMatchObject({ count: 1, listed: 1 });
  });

  it('names 50,000 incidents at most, and those of the most urgent first', () => {
    const alarmList = new AlarmList(usual);
    const members = (of: string) => Array.from({ length: 10_000 }, (_, index) => `${of}-${String(index)}`);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const at = 100 - id.charCodeAt(0);
      alarmList.raise({ ...booked({ id, count: 10_000, at }), members: members(id) });
    }
    expect(alarmList.active.map(({ listed }) => listed)).toEqual([...Array<number>(5).fill(10_000), 0]);
    expect(alarmList.membersOf('a')).toHaveLength(10_000);
    expect(alarmList.membersOf('f')).toEqual([]);
    expect(alarmList.membersOf('g')).toBeNull();
  });

  it('replaces an alarm about the same, and knows when one was acknowledged', () => {
    const alarmList = new AlarmList(usual);
    alarmList.raise(booked({ id: 'a' }, 'incident INC-1'));
    alarmList.raise(booked({ id: 'b' }, 'incident INC-1'));
    expect(alarmList.active.map(({ id }) => id)).toEqual(['b']);
    expect(alarmList.restate('incident INC-1', message('alarm.sessionEnded'), 1)).toBe(true);
    expect(alarmList.acknowledge('a', 5)).toBe(false);
    expect(alarmList.acknowledge('b', 5)).toBe(true);
    expect(alarmList.acknowledge('b', 6)).toBe(false);
    expect(alarmList.past).toMatchObject([
      { id: 'b', acknowledgedAt: 5, sentence: { id: 'alarm.sessionEnded', values: {} } },
    ]);
    expect(alarmList.acknowledgedAt('incident INC-1')).toBe(5);
    expect(alarmList.restate('incident INC-1', message('alarm.uploadsSettled'), 1)).toBe(false);
  });

  it('holds 100 that wait, 200 past and 10,000 identities, and still counts all that wait', () => {
    const alarmList = new AlarmList(usual);
    for (let index = 0; index < 1_000; index += 1) {
      const severity = index === 500 ? 'critical' : 'low';
      alarmList.raise(booked({ severity, level: severity === 'critical' ? 3 : 1 }));
    }
    expect(alarmList.active).toHaveLength(100);
    expect(alarmList.active[0]?.severity).toBe('critical');
    expect(alarmList.active.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
    for (const { incidentIds } of alarmList.active) expect(incidentIds.length).toBeLessThanOrEqual(20);
    alarmList.acknowledgeEach(new Set(alarmList.active.map(({ id }) => id)), 7);
    expect(alarmList.active).toEqual([]);
    for (let index = 0; index < 300; index += 1) {
      const one = booked();
      alarmList.raise(one);
      alarmList.acknowledge(one.alarm.id, 8 + index);
    }
    expect(alarmList.past).toHaveLength(200);
    expect(alarmList.past[0]?.acknowledgedAt).toBe(307);
    alarmList.noteIdentity('first');
    for (let index = 0; index < 9_999; index += 1) alarmList.noteIdentity(String(index));
    expect(alarmList.hasAlarmed('first')).toBe(true);
    alarmList.noteIdentity('first');
    alarmList.noteIdentity('one more');
    expect(alarmList.hasAlarmed('first')).toBe(true);
    expect(alarmList.hasAlarmed('0')).toBe(false);
    expect(alarmList.contents.identities).toHaveLength(10_000);
  });

  it('holds the age of what waits longest, however many come and come back', () => {
    const oldest = (alarmList: AlarmList): number => Math.min(...alarmList.active.map(({ at }) => at));
    const alarmList = new AlarmList(usual);
    alarmList.raise(booked({ id: 'oldest', at: 1 }));
    const high = Array.from({ length: 150 }, (_, index) =>
      booked({ id: `high ${String(index)}`, level: 2, severity: 'high', at: 1_000 + index }),
    );
    for (const one of high) alarmList.raise(one);
    expect(alarmList.active).toHaveLength(100);
    expect(oldest(alarmList)).toBe(1);
    // Undone: what was acknowledged waits again, in a book that is full.
    const acknowledged = alarmList.active.slice(0, 50).map(({ id }) => id);
    alarmList.acknowledgeEach(new Set(acknowledged), 5);
    for (let index = 0; index < 50; index += 1)
      alarmList.raise(booked({ level: 3, severity: 'critical', at: 2_000 }));
    expect(alarmList.restore(acknowledged)).toHaveLength(50);
    expect(alarmList.active).toHaveLength(100);
    expect(oldest(alarmList)).toBe(1);
  });

  it('is the same after it was written and read, part by part', () => {
    const alarmList = new AlarmList(usual);
    alarmList.raise(booked({}, 'incident INC-1'));
    const past = booked({}, 'integration ai');
    alarmList.raise(past);
    alarmList.acknowledge(past.alarm.id, 3);
    alarmList.noteIdentity('low INC-1');
    const settings = { ...alarmsAtStart.settings, least: 'low', sound: false } as const;
    const document = {
      ...alarmList.contents,
      settings,
      mutedUntil: 5,
      decisions: 2,
      unread: 3,
      levels: new Map([['ai', 'down' as const]]),
    };
    expect(readAlarms(writeAlarms(document))).toEqual(document);
    const broken = JSON.parse(writeAlarms(document)) as Record<string, unknown>;
    broken['settings'] = { ...settings, area: 'here', least: 'medium', more: 1 };
    broken['past'] = [{ alarm: { id: 1 } }, null, 7];
    broken['levels'] = [['ai', 'sideways'], 3];
    broken['identities'] = ['x', 4];
    expect(readAlarms(JSON.stringify(broken))).toEqual({
      ...document,
      settings: { ...settings, least: 'medium' },
      past: [],
      levels: new Map(),
      identities: ['x'],
    });
  });

  it('reads anything as something', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.constant('{"version":1,"active":{}}')), (text) => {
        const { settings, active } = readAlarms(text);
        expect(settings).toEqual(alarmsAtStart.settings);
        expect(active).toEqual([]);
      }),
    );
  });
});

describe('the siren', () => {
  const silent = { sequence: 4, level: 0, kind: null, severity: null };

  it('sounds once for what comes at once, as the most urgent of it', () => {
    const alarms = [booked({ level: 1 }), booked({ level: 3, severity: 'critical' }), booked({ level: 2 })];
    const heard = soundedAfter(
      silent,
      alarms.map(({ alarm }) => alarm),
      false,
    );
    expect(heard).toEqual({ sequence: 5, level: 3, kind: 'incident', severity: 'critical' });
    expect(soundedAfter(silent, [], false)).toBe(silent);
  });

  it('is silent while it is muted, but never longer than anybody can have asked for', () => {
    expect(soundedAfter(silent, [booked().alarm], true)).toBe(silent);
    expect(isMuted(null, 0)).toBe(false);
    expect(isMuted(1_000, 999)).toBe(true);
    expect(isMuted(1_000, 1_000)).toBe(false);
    expect(isMuted(3_600_000, 0)).toBe(true);
    expect(isMuted(86_400_000, 0)).toBe(false);
  });
});

describe('the tally of news', () => {
  const news = (id: string, severity: string) =>
    ({ kind: 'incident', before: null, record: record(id, { severity }) }) as const;

  it('counts all, and keeps the worst by name in the order that they came', () => {
    const tally = new NewsTally(scale);
    for (let index = 0; index < 5_000; index += 1) {
      const severity = index % 1_000 === 7 ? 'critical' : index % 100 === 3 ? 'high' : 'low';
      tally.add(news(String(index), severity));
    }
    expect(tally.count).toBe(5_000);
    expect(tally.worst).toMatchObject({ severity: { name: 'critical' }, count: 5 });
    expect(tally.samples.map(({ record: { id } }) => id)).toEqual([
      ...['7', '1007', '2007', '3007', '4007'],
      ...Array.from({ length: 15 }, (_, index) => String(index * 100 + 3)),
    ]);
    expect(tally.identities).toHaveLength(1_000);
  });

  it('has nothing to tell when nothing came', () => {
    const { count, worst, samples } = new NewsTally(scale);
    expect({ count, worst, samples }).toEqual({ count: 0, worst: null, samples: [] });
  });
});
