import { describe, expect, it } from 'vitest';
import {
  usualListWidth,
  type ConsoleState,
  type Failure,
  type HealthCheck,
} from '../../../src-preload/contract/index.ts';
import {
  divide,
  leastList,
  leastMap,
  leastSeen,
  rail,
  wishedList,
} from '../../../src-renderer/app/layout.ts';
import { reconnectDelay } from '../../../src-renderer/base/bridge/socket.ts';
import { sessionWords } from '../../../src-renderer/base/connection.ts';
import { failureReference, failureReport } from '../../../src-renderer/base/failure.ts';
import { shownLevel, stripLevel, stripSummary } from '../../../src-renderer/base/health.ts';
import { liveState } from '../../../src-renderer/base/liveState.ts';
import { narrowing } from '../../../src-renderer/base/query.ts';
import { arrivalsAbove } from '../../../src-renderer/features/incidents/arrivals.ts';
import { ordinary } from '../../support/messages.ts';

type ApiState = ConsoleState['connection']['infrastructure']['state'];
const failure: Failure = {
  code: 'session-rejected',
  sentence: { text: 'The service no longer accepts this account.' },
  remedy: null,
  status: 401,
  requestId: 'r-1',
  words: 'account revoked',
  at: Date.UTC(2026, 10, 20),
  retryAt: null,
};
describe('the status "Connection"', () => {
  const usable = 'usable';
  const fact = (state: ApiState) => ({ state, outcome: null });
  it.each([
    ['Online', 'online', 'online', usable],
    ['Online', 'online', 'unknown', usable],
    ['Offline', 'offline', 'online', usable],
    ['Offline', 'unknown', 'online', usable],
    ['Degraded', 'degraded', 'online', usable],
    ['Degraded', 'online', 'offline', usable],
    ['Degraded', 'online', 'degraded', usable],
    ['Degraded', 'online', 'online', 'rejected'],
    ['Degraded', 'online', 'online', 'none'],
    ['Degraded', 'online', 'online', 'waiting'],
  ] as const)('is %s for each of its causes', (level, infrastructure, coordination, session) => {
    const facts = { link: 'up', stream: 'off', session } as const;
    const apis = { infrastructure: fact(infrastructure), coordination: fact(coordination) };
    expect(liveState({ ...facts, ...apis }).level).toBe(level);
  });
});

it('says how long the session lasts in its last ten minutes, and whenever it waits', () => {
  expect(sessionWords({ state: 'active', expiresAt: 600_001 }, 0)).toBe('');
  expect(ordinary(sessionWords({ state: 'active', expiresAt: 600_000 }, 0))).toBe('Session 10 min left');
  const waiting = { state: 'waiting', reason: failure, until: 0 } as const;
  expect(ordinary(sessionWords({ ...waiting, expiresAt: 60_000 }, 0))).toBe(
    'Session 1 min left, renewal waiting',
  );
  expect(ordinary(sessionWords({ ...waiting, expiresAt: 60_000 }, 60_000))).toBe(
    'Session waiting for the service',
  );
  expect(ordinary(sessionWords({ state: 'rejected', failure }, 0))).toBe('Session expired');
});

describe('a failure', () => {
  it('has a reference with code, status and request id', () => {
    expect(failureReference(failure)).toBe('session-rejected · HTTP 401 · request r-1');
    expect(failureReference({ ...failure, status: null, requestId: null })).toBe('session-rejected');
  });
  it('is copied with its sentence and the words of the service', () => {
    expect(failureReport(failure).split('\n')).toEqual([
      'The service no longer accepts this account.',
      'Service: account revoked',
      'session-rejected · HTTP 401 · request r-1',
      '2026-11-20T00:00:00.000Z',
    ]);
  });
});

describe('integrations', () => {
  const check = (change: Partial<HealthCheck>): HealthCheck => ({
    at: 0,
    outcome: 'answered',
    overall: 'ok',
    responseMs: 1,
    requestId: null,
    levels: { ai: 'down' },
    ...change,
  });
  it('tells unreachable from down', () => {
    expect(stripLevel(check({}), 'ai')).toBe('down');
    expect(stripLevel(check({ outcome: 'unreachable' }), 'ai')).toBe('unreachable');
    expect(stripLevel(check({}), 'not seen')).toBe('unknown');
    expect(stripLevel(check({}), null)).toBe('ok');
  });
  it('calls an old level stale', () => {
    expect(shownLevel('ok', 'fresh')).toBe('ok');
    expect(shownLevel('ok', 'stale')).toBe('stale');
    expect(shownLevel('down', 'offline')).toBe('stale');
  });
  it('says the strip in words', () => {
    expect(stripSummary([])).toBe('No checks yet');
    expect(stripSummary(['ok'])).toBe('Last check: 1 OK');
    expect(stripSummary(['unreachable', 'ok', 'ok', 'down'])).toBe(
      'Last 4 checks: 2 OK, 1 down, 1 not reached',
    );
  });
});

describe('the layout', () => {
  it.each([1_024, 1_100, 1_239, 1_240, 1_280, 1_440, 1_920, 3_840])(
    'leaves the map its width at %d px',
    (window) => {
      for (const list of [320, 384, 560]) {
        for (const details of [null, 320, 480, 640]) {
          for (const selected of [true, false]) {
            for (const railWidth of [rail, 60]) {
              const shown = divide(window, { list, details }, selected, railWidth);
              expect(window - railWidth - shown.list - shown.details).toBeGreaterThanOrEqual(leastMap);
              expect(shown.list).toBeGreaterThanOrEqual(leastList);
              expect(shown.list).toBeLessThanOrEqual(shown.largestList);
              expect(shown.details).toBeLessThanOrEqual(shown.largestDetails);
            }
          }
        }
      }
    },
  );
  it('gives list and details the widths that were wished where there is room, and all of it nowhere', () => {
    expect(divide(1_920, { list: 420, details: 500 }, true)).toMatchObject({ list: 420, details: 500 });
    expect(divide(1_440, { list: 420, details: null }, true)).toMatchObject({ list: 420, details: 374 });
    // The list gives way first, and no further than it can be read.
    expect(divide(1_440, { list: 560, details: 640 }, true)).toMatchObject({ list: 320, details: 582 });
    expect(divide(1_440, { list: 420, details: 500 }, false)).toMatchObject({ list: 420, details: 0 });
  });
  it('gives a table what its columns need, over the map where the map has nothing to spare', () => {
    const wanted = { list: 400, details: null };
    expect(divide(1_440, wanted, false, rail, 740)).toMatchObject({ list: 740, over: 0 });
    expect(divide(1_440, wanted, true, rail, 740)).toMatchObject({ list: 528, over: 212, details: 374 });
    // The map's controls stay in sight, whatever the table would take.
    const wide = divide(1_024, wanted, false, rail, 1_400);
    expect(wide.list + wide.over).toBe(1_024 - rail - leastSeen);
    expect(divide(1_440, wanted, false).over).toBe(0);
  });
  it('gives the rows of a wide window more room where nobody has chosen a width', () => {
    expect(wishedList(2_560, usualListWidth, 1)).toBe(760);
    expect(wishedList(1_920, usualListWidth, 1)).toBe(usualListWidth);
    expect(wishedList(2_560, 420, 1)).toBe(420);
    expect(wishedList(3_840, usualListWidth, 1.1), 'with larger text').toBe(836);
    expect(divide(2_560, { list: 760, details: null }, true)).toMatchObject({ list: 760, details: 400 });
  });
  it('puts the details in the list’s place on a narrow window', () => {
    const usual = { list: 384, details: null };
    expect(divide(1_239, usual, true).details).toBe(0);
    expect(divide(1_240, usual, true).details).toBeGreaterThan(0);
  });
});

describe('arrivals', () => {
  const keys = new Uint32Array([5, 9, 2, 7]);
  const order = new Uint32Array([1, 3, 0, 2]);
  it('counts those above what is being read, by key', () => {
    expect(arrivalsAbove(keys, order, 3, 5)).toBe(2);
    expect(arrivalsAbove(keys, order, 1, 5)).toBe(1);
    expect(arrivalsAbove(keys, order, 4, 9)).toBe(0);
  });
});

it('names what narrows a query', () => {
  expect(narrowing({ range: 'all', severities: [], statuses: [], types: [], openOnly: false })).toEqual([]);
  expect(
    narrowing({
      range: '1h',
      severities: ['high', 'x'],
      statuses: ['open'],
      types: ['flood', 'Flood'],
      openOnly: true,
    }),
  ).toEqual(['active incidents', 'the last hour', 'severity high or x', 'status open', 'type Flood']);
});

it('spreads reconnections over a window that grows to ten seconds', () => {
  expect(reconnectDelay(0, () => 0)).toBe(100);
  expect(reconnectDelay(0, () => 0.999)).toBeLessThan(700);
  expect(reconnectDelay(50, () => 0.999)).toBeGreaterThan(9_000);
  expect(reconnectDelay(50, () => 0.999)).toBeLessThanOrEqual(10_100);
});
