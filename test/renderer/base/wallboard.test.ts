import { describe, expect, it } from 'vitest';
import { type Alarm, type Failure, type SavedView } from '../../../src-preload/contract/index.ts';
import {
  countsBySeverity,
  hourWords,
  narrowedOnWall,
  oldestOnWall,
  rotated,
  rotationAtStart,
  shownOnWall,
  urgentOnWall,
  worstListed,
  wallTrouble,
  type Rotation,
} from '../../../src-renderer/base/wallboard.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { FrameMaker, type ModelRow } from '../table/frames.ts';
import { ordinary } from '../../support/messages.ts';

const now = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;

describe('the rotation', () => {
  const run = (from: Rotation, steps: number, options: { count: number; held?: boolean }): Rotation => {
    let rotation = from;
    for (let step = 0; step < steps; step += 1) {
      rotation = rotated(rotation, { passedMs: 250, periodMs: 1_000, held: false, ...options });
    }
    return rotation;
  };

  it('shows each view for its time, round and round', () => {
    expect(run(rotationAtStart, 3, { count: 3 })).toEqual({ at: 0, shownMs: 750 });
    expect(run(rotationAtStart, 4, { count: 3 })).toEqual({ at: 1, shownMs: 0 });
    expect(run(rotationAtStart, 12, { count: 3 })).toEqual({ at: 0, shownMs: 0 });
  });

  it('stands still while it is held, and goes on where it stood', () => {
    const half = run(rotationAtStart, 2, { count: 3 });
    expect(run(half, 100, { count: 3, held: true })).toEqual(half);
    expect(run(half, 2, { count: 3 })).toEqual({ at: 1, shownMs: 0 });
  });

  it('goes on from the first when the view it stands on was removed', () => {
    expect(run({ at: 2, shownMs: 500 }, 1, { count: 2, held: true })).toEqual({ at: 0, shownMs: 0 });
    expect(run(rotationAtStart, 40, { count: 0 }).at).toBe(0);
    expect(run(rotationAtStart, 40, { count: 1 }).at).toBe(0);
  });

  it('is not confused by a computer that slept', () => {
    expect(rotated(rotationAtStart, { passedMs: 3_600_000, periodMs: 1_000, count: 3, held: false })).toEqual(
      {
        at: 1,
        shownMs: 0,
      },
    );
  });
});

describe('alarms on the board', () => {
  const alarm = (id: string, level: 1 | 2 | 3, age: number): Alarm => ({
    id,
    kind: 'incident',
    level,
    severity: 'critical',
    at: now - age,
    sentence: { text: '' },
    incidentIds: [],
    count: 1,
    listed: 0,
    acknowledgedAt: null,
    note: null,
    snoozedUntil: null,
    escalatedAt: null,
    recoveredAt: null,
  });
  const active = [
    alarm('a', 3, 6 * minute),
    alarm('b', 3, 4 * minute),
    alarm('c', 2, minute),
    alarm('d', 1, 31 * minute),
  ];

  it('hold the board for five minutes, and only the most urgent do', () => {
    expect(urgentOnWall(active, now).map(({ id }) => id)).toEqual(['b']);
    expect(urgentOnWall(active, now + minute)).toEqual([]);
  });

  it('do not hold it where the cause has passed or somebody put them off', () => {
    const [held] = urgentOnWall(active, now);
    expect(urgentOnWall([{ ...held!, snoozedUntil: now + minute }], now)).toEqual([]);
    expect(urgentOnWall([{ ...held!, recoveredAt: now }], now)).toEqual([]);
  });

  it('are shown for half an hour, critical ones until they are acknowledged', () => {
    expect(shownOnWall(active, now).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    const old = ([id, severity]: [string, string | null]): Alarm => ({
      ...alarm(id, 3, 24 * 60 * minute),
      severity,
    });
    const olds = [
      old(['e', 'critical']),
      old(['f', 'no such severity']),
      old(['g', 'high']),
      old(['h', null]),
    ];
    expect(shownOnWall(olds, now).map(({ id }) => id)).toEqual(['e', 'f']);
  });

  it('are none that passed or were snoozed, however new and critical', () => {
    const recovered = { ...alarm('e', 1, minute), recoveredAt: now };
    const snoozed = { ...alarm('f', 3, minute), snoozedUntil: now + minute };
    expect(shownOnWall([recovered, snoozed], now)).toEqual([]);
  });

  it('that waits longest is known, however old, and is none that passed or was snoozed', () => {
    const recovered = { ...alarm('e', 1, 60 * minute), recoveredAt: now };
    const snoozed = { ...alarm('f', 3, 50 * minute), snoozedUntil: now + minute };
    const medium = { ...alarm('g', 1, 40 * minute), severity: 'medium' };
    expect(oldestOnWall([recovered, snoozed, ...active, medium])?.id).toBe('g');
    expect(oldestOnWall([...active, recovered, snoozed])?.id).toBe('d');
    expect(oldestOnWall([recovered, snoozed])).toBeNull();
  });
});

describe('what a view narrows the board to', () => {
  it('is open incidents only, also where the view shows all', () => {
    const view: Pick<SavedView, 'range' | 'severities' | 'statuses' | 'types' | 'openOnly'> = {
      range: '24h',
      severities: ['high'],
      statuses: ['new'],
      types: ['fire'],
      openOnly: false,
    };
    expect(narrowedOnWall(view as SavedView)).toEqual({ ...view, openOnly: true });
    expect(narrowedOnWall(null)).toEqual({
      range: 'all',
      severities: [],
      statuses: [],
      types: [],
      openOnly: true,
    });
  });
});

describe('what is listed', () => {
  const row = (key: number, change: Partial<ModelRow>): ModelRow => ({
    key,
    id: `id-${key}`,
    severity: 'low',
    status: 'open',
    type: 'fire',
    createdAt: now - key * minute,
    latitude: 1,
    longitude: 1,
    arrivedAt: 0,
    evidenceCount: 0,
    anchorCount: 0,
    notReturned: 0,
    ...change,
  });
  const tableOf = (rows: readonly ModelRow[]): IncidentTable => {
    const table = new IncidentTable();
    table.apply(new FrameMaker().frame(rows, true));
    return table;
  };
  const all = (table: IncidentTable): Uint32Array =>
    Uint32Array.from({ length: table.length }, (_, at) => at);
  const keys = (table: IncidentTable, rows: readonly number[]) => rows.map((at) => table.columns.key[at]);

  it('is the worst that are not resolved, and nothing that is gone', () => {
    const table = tableOf([
      row(1, {}),
      row(2, { severity: 'critical', status: 'resolved' }),
      row(3, { severity: 'critical', notReturned: 1 }),
      row(4, { severity: 'critical' }),
      row(5, { severity: 'high', status: 'being looked at' }),
      row(6, {}),
    ]);
    expect(keys(table, worstListed(table, all(table), 2))).toEqual([4, 5]);
    expect(worstListed(tableOf([row(1, { status: 'resolved' })]), Uint32Array.of(0), 2)).toEqual([]);
  });

  it('counts by severity, those that nobody knows as other', () => {
    const table = tableOf([
      row(1, {}),
      row(2, { severity: 'HIGH' }),
      row(3, { severity: 'dire' }),
      row(4, {}),
    ]);
    expect(countsBySeverity(table, all(table))).toEqual({
      critical: 0,
      high: 1,
      medium: 0,
      low: 2,
      unknown: 1,
    });
    expect(countsBySeverity(table, new Uint32Array([1]))).toMatchObject({ high: 1, low: 0 });
  });
});

describe('the change in the last hour', () => {
  const none = { since: now - 90 * minute, came: 0, rose: 0, resolved: 0, unreadMinutes: 0 };
  const seen = { lastReadAt: now - minute, doubted: false, narrowed: false, now, zone: 'utc' } as const;

  it('names what happened, and nothing that did not', () => {
    expect(hourWords({ ...none, came: 3, resolved: 1 }, seen)).toEqual({
      title: 'Last hour',
      changes: [
        { kind: 'came', text: '3 new' },
        { kind: 'resolved', text: '1 resolved' },
      ],
      gap: null,
    });
    expect(hourWords({ ...none, rose: 1 }, { ...seen, narrowed: true })).toMatchObject({
      title: 'Last hour, all incidents',
      changes: [{ text: '1 escalated' }],
    });
    expect(hourWords(none, seen)?.changes).toEqual([]);
  });

  it('says since when it counts where that is less than an hour', () => {
    const young = { ...none, since: now - 42 * minute };
    expect(hourWords(young, seen)?.title).toBe('Since 11:18 UTC');
    expect(hourWords(young, { ...seen, narrowed: true })?.title).toBe('Since 11:18 UTC, all incidents');
    expect(hourWords({ ...none, since: null }, seen)).toBeNull();
    expect(hourWords(none, { ...seen, lastReadAt: null })).toBeNull();
  });

  it('says which time it has not seen', () => {
    expect(hourWords({ ...none, unreadMinutes: 25 }, seen)?.gap).toBe('No data for 25 min of this time');
    const cutOff = { ...seen, lastReadAt: now - 18 * minute, doubted: true };
    expect(hourWords({ ...none, unreadMinutes: 25 }, cutOff)?.gap).toBe('Nothing read since 11:42 UTC');
  });
});

describe('what the board is worth', () => {
  const failure: Failure = {
    code: 'session-rejected',
    sentence: { text: '' },
    remedy: null,
    status: 401,
    requestId: null,
    words: null,
    at: now,
    retryAt: null,
  };
  const session = {
    vault: 'open',
    username: 'kim',
    session: { state: 'active', expiresAt: now + minute },
  } as const;
  const incidents = { freshness: 'fresh', lastReadAt: now - 18 * minute } as const;
  const live = { link: { state: 'up' }, session, incidents } as const;

  it('is not doubted while it is live, also when it ages', () => {
    expect(wallTrouble(live, now, 'utc')).toBeNull();
    expect(wallTrouble({ ...live, incidents: { ...incidents, freshness: 'ageing' } }, now, 'utc')).toBeNull();
  });

  it('is said with the age of what is shown', () => {
    const detail = 'Data as of 11:42 UTC, 18 min ago';
    expect(
      ordinary(wallTrouble({ ...live, incidents: { ...incidents, freshness: 'stale' } }, now, 'utc')),
    ).toEqual({
      headline: 'Stale',
      detail,
    });
    expect(
      ordinary(wallTrouble({ ...live, incidents: { ...incidents, freshness: 'offline' } }, now, 'utc')),
    ).toEqual({
      headline: 'Offline',
      detail,
    });
    const rejected = { ...session, session: { state: 'rejected', failure } } as const;
    expect(ordinary(wallTrouble({ ...live, session: rejected }, now, 'utc'))).toMatchObject({
      headline: 'Session expired',
    });
    expect(ordinary(wallTrouble({ ...live, link: { state: 'lost', since: 0 } }, now, 'utc'))).toMatchObject({
      headline: 'Disconnected',
      detail: `${detail}. It no longer changes.`,
    });
  });

  it('says that nothing is known where nothing is', () => {
    const opened = { ...session, session: { state: 'none', ended: 'never-started' } } as const;
    const nothing = { freshness: 'none', lastReadAt: null } as const;
    expect(wallTrouble({ ...live, session: opened, incidents: nothing }, now, 'utc')).toEqual({
      headline: 'Offline',
      detail: 'No data yet',
    });
  });
});
