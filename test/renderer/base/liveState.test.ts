import { describe, expect, it } from 'vitest';
import { type ConsoleState, type Failure } from '../../../src-preload/contract/index.ts';
import { reasonWords } from '../../../src-renderer/base/connection.ts';
import { shownLevel } from '../../../src-renderer/base/health.ts';
import {
  isSeenNow,
  liveState,
  sessionFact,
  shownFreshness,
  type ApiFact,
  type LiveFacts,
  type Worth,
} from '../../../src-renderer/base/liveState.ts';
import { streamWords } from '../../../src-renderer/features/events/liveEvents.ts';

const links = ['connecting', 'up', 'lost', 'refused'] as const;
const sessions = ['usable', 'renewal-waits', 'waiting', 'none', 'tokens-refused', 'rejected'] as const;
const apis: readonly ApiFact[] = [
  { state: 'unknown', outcome: null },
  { state: 'online', outcome: null },
  { state: 'degraded', outcome: 'too-many-requests' },
  { state: 'degraded', outcome: 'service-error' },
  { state: 'degraded', outcome: 'unreachable' },
  { state: 'offline', outcome: 'unreachable' },
  { state: 'offline', outcome: 'timed-out' },
];
const streams = ['off', 'connecting', 'open', 'waiting'] as const;
const freshnesses = ['none', 'fresh', 'ageing', 'stale', 'offline'] as const;
const outcomes = [null, 'too-many-requests', 'unreachable'] as const;

const everything: readonly LiveFacts[] = links.flatMap((link) =>
  sessions.flatMap((session) =>
    apis.flatMap((infrastructure) =>
      apis.flatMap((coordination) =>
        streams.map((stream) => ({ link, session, infrastructure, coordination, stream })),
      ),
    ),
  ),
);
const where = (holds: (facts: LiveFacts) => boolean): readonly LiveFacts[] => everything.filter(holds);
const usable = (session: LiveFacts['session']): boolean =>
  session === 'usable' || session === 'renewal-waits';

describe('what the page may call live, over every combination of what it knows', () => {
  it('is nothing while the console is lost: clocks stand, all is frozen', () => {
    const lost = where(({ link }) => link !== 'up');
    expect(lost).toHaveLength(3 * 6 * 49 * 4);
    for (const facts of lost) {
      expect(liveState(facts), JSON.stringify(facts)).toEqual({
        clocks: 'standing',
        level: 'Offline',
        reason: 'lostConsole',
        health: 'frozen',
        infrastructure: 'frozen',
        coordination: 'frozen',
        stream: facts.stream === 'off' ? 'off' : 'stopped',
        screen: 'frozen',
      });
    }
  });

  it('has running clocks while the console is there', () => {
    for (const facts of where(({ link }) => link === 'up'))
      expect(liveState(facts).clocks, JSON.stringify(facts)).toBe('running');
  });

  it('is online only where all was answered in a session with time left', () => {
    for (const facts of everything) {
      const online =
        facts.link === 'up' &&
        facts.session === 'usable' &&
        facts.infrastructure.state === 'online' &&
        (facts.coordination.state === 'online' || facts.coordination.state === 'unknown');
      expect(liveState(facts).level === 'Online', JSON.stringify(facts)).toBe(online);
      expect(liveState(facts).reason === null, JSON.stringify(facts)).toBe(online);
    }
  });

  it.each(['infrastructure', 'coordination'] as const)(
    'is live for what a session reads only where %s answered last, and a token serves',
    (api) => {
      for (const facts of everything) {
        const live = facts.link === 'up' && usable(facts.session) && facts[api].state === 'online';
        expect(liveState(facts)[api] === 'live', JSON.stringify(facts)).toBe(live);
      }
    },
  );

  it('is live for the health without a session, as it needs none', () => {
    for (const facts of everything) {
      const live = facts.link === 'up' && facts.infrastructure.state === 'online';
      expect(liveState(facts).health === 'live', JSON.stringify(facts)).toBe(live);
    }
  });

  it('has a live stream only where it is open, in a session, over an API in reach', () => {
    for (const facts of everything) {
      const live =
        facts.link === 'up' &&
        facts.stream === 'open' &&
        usable(facts.session) &&
        facts.coordination.state !== 'offline' &&
        facts.coordination.state !== 'unknown';
      expect(liveState(facts).stream === 'live', JSON.stringify(facts)).toBe(live);
    }
  });

  it('is grey as a whole where nothing reads the incidents', () => {
    for (const facts of where(({ link }) => link === 'up')) {
      const { state } = facts.infrastructure;
      const read = usable(facts.session) && state !== 'offline' && state !== 'unknown';
      expect(liveState(facts).screen, JSON.stringify(facts)).toBe(read ? 'live' : 'as-of');
    }
  });

  it('says that it is throttled, and not that the service fails', () => {
    const facts = { link: 'up', session: 'usable', stream: 'open' } as const;
    const throttled: ApiFact = { state: 'degraded', outcome: 'too-many-requests' };
    const online: ApiFact = { state: 'online', outcome: null };
    const first = liveState({ ...facts, infrastructure: throttled, coordination: online });
    expect(first).toMatchObject({ level: 'Degraded', reason: 'throttled', infrastructure: 'throttled' });
    const second = liveState({ ...facts, infrastructure: online, coordination: throttled });
    expect(second).toMatchObject({ reason: 'coordinationThrottled', coordination: 'throttled' });
    expect(reasonWords(first.reason)).toBe('rate limited');
    expect(reasonWords(null)).toBe('');
  });
});

describe('the age of a dataset', () => {
  const worths: readonly Worth[] = ['live', 'throttled', 'troubled', 'as-of', 'offline', 'frozen'];
  it('is the core’s only where the dataset is read', () => {
    for (const worth of worths)
      for (const freshness of freshnesses)
        for (const outcome of outcomes) {
          const shown = shownFreshness(freshness, worth, outcome);
          const what = `${freshness}, ${worth}, ${String(outcome)}`;
          if (worth === 'as-of' || worth === 'offline' || worth === 'frozen') expect(shown, what).toBe(worth);
          else if (
            (worth === 'throttled' || outcome === 'too-many-requests') &&
            (freshness === 'ageing' || freshness === 'stale')
          )
            expect(shown, what).toBe('throttled');
          else expect(shown, what).toBe(freshness);
        }
  });

  it('has a level in its colour only where it is seen now', () => {
    for (const worth of worths)
      for (const freshness of ['fresh', 'ageing', 'stale', 'offline'] as const) {
        const shown = shownFreshness(freshness, worth, null);
        const inReach = worth === 'live' || worth === 'troubled' || worth === 'throttled';
        const seen = inReach && (freshness === 'fresh' || (freshness === 'ageing' && worth !== 'throttled'));
        expect(isSeenNow(shown), `${freshness}, ${worth}`).toBe(seen);
        expect(shownLevel('ok', shown), `${freshness}, ${worth}`).toBe(seen ? 'ok' : 'stale');
      }
  });
});

describe('the session by what it is worth', () => {
  const now = Date.UTC(2026, 10, 20);
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
  const reason = failure;
  const slice = (session: ConsoleState['session']['session']): ConsoleState['session'] => ({
    vault: 'open',
    username: 'kim',
    session,
  });
  it.each([
    ['usable', slice({ state: 'active', expiresAt: now + 1 })],
    ['usable', slice({ state: 'renewing', expiresAt: now + 1 })],
    ['waiting', slice({ state: 'renewing', expiresAt: null })],
    ['waiting', slice({ state: 'signing-in' })],
    ['renewal-waits', slice({ state: 'waiting', reason, until: now, expiresAt: now + 1 })],
    ['waiting', slice({ state: 'waiting', reason, until: now, expiresAt: now })],
    ['waiting', slice({ state: 'waiting', reason, until: now, expiresAt: null })],
    ['tokens-refused', slice({ state: 'tokens-refused', failure, until: now })],
    ['rejected', slice({ state: 'rejected', failure })],
    ['none', slice({ state: 'none', ended: 'never-started' })],
    ['none', undefined],
  ] as const)('is %s for each of its states', (fact, session) => {
    expect(sessionFact(session, now)).toBe(fact);
  });
});

it('says "Live" of a stream that is, and of no other', () => {
  const until = Date.UTC(2026, 10, 20, 14, 2);
  const words = (['live', 'connecting', 'waiting', 'stopped'] as const).map((stream) =>
    streamWords(stream, { until }, 'utc'),
  );
  expect(words).toEqual([
    'Live',
    'Events: connecting',
    'Events: reconnecting at 14:02:00 UTC',
    'Events: stopped',
  ]);
  expect(streamWords('waiting', { until: null }, 'utc')).toBe('Events: waiting');
  expect(streamWords('off', { until: null }, 'utc')).toBeNull();
});
