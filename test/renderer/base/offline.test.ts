import { describe, expect, it } from 'vitest';
import {
  type ConsoleState,
  type Failure,
  type SyncState,
  type UncertainWindow,
  type VaultSummary,
} from '../../../src-preload/contract/index.ts';
import { shortMoment } from '../../../src-renderer/base/format.ts';
import { freshnessText } from '../../../src-renderer/base/freshness.ts';
import {
  isSaidAbove,
  latestFailure,
  livenessOf,
  whyUnavailable,
} from '../../../src-renderer/base/liveness.ts';
import {
  bytesText,
  dataAsOf,
  lossSentences,
  offlineSignIn,
  repeats,
  sealedWords,
} from '../../../src-renderer/base/storage.ts';
import {
  completenessClause,
  doubt,
  windowProgress,
  windowTimes,
  windowWorth,
} from '../../../src-renderer/features/incidents/sync.ts';
import { ordinary } from '../../support/messages.ts';

const now = Date.UTC(2026, 10, 20, 20, 14);
const minute = 60_000;
const hour = 60 * minute;

const failure = (code: Failure['code'], at = now): Failure => ({
  code,
  sentence: { text: 'Can’t reach the service.' },
  remedy: null,
  status: null,
  requestId: null,
  words: null,
  at,
  retryAt: null,
});

type SessionSlice = ConsoleState['session'];
const slice = (session: SessionSlice['session'], vault: SessionSlice['vault'] = 'open'): SessionSlice => ({
  vault,
  session,
  username: 'ana',
});

describe('whether a session keeps the screen current', () => {
  const reason = failure('unreachable');
  it.each([
    ['live', slice({ state: 'active', expiresAt: now + hour })],
    ['live', slice({ state: 'renewing', expiresAt: now + minute })],
    ['offline', slice({ state: 'renewing', expiresAt: null })],
    ['live', slice({ state: 'waiting', reason, until: now, expiresAt: now + 1 })],
    ['offline', slice({ state: 'waiting', reason, until: now, expiresAt: now })],
    ['offline', slice({ state: 'waiting', reason, until: now, expiresAt: null })],
    ['offline', slice({ state: 'none', ended: 'never-started' })],
    ['offline', slice({ state: 'signing-in' })],
    ['tokens-refused', slice({ state: 'tokens-refused', failure: reason, until: now })],
    ['rejected', slice({ state: 'rejected', failure: reason })],
    ['live', slice({ state: 'none', ended: 'signed-out' }, 'closed')],
    ['live', undefined],
  ] as const)('is %s for each of its causes', (kind, session) => {
    expect(livenessOf(session, now).kind).toBe(kind);
  });

  it('says when it is tried again, and that it is being tried', () => {
    const waiting = livenessOf(slice({ state: 'waiting', reason, until: now + 9, expiresAt: null }), now);
    expect(waiting).toEqual({ kind: 'offline', reason, until: now + 9, trying: false });
    expect(livenessOf(slice({ state: 'renewing', expiresAt: null }), now)).toMatchObject({ trying: true });
  });

  it('says why the service cannot be asked', () => {
    const up = { state: 'up' } as const;
    expect(whyUnavailable({ kind: 'live' }, up)).toBeNull();
    expect(whyUnavailable({ kind: 'live' }, { state: 'lost', since: 0 })).toMatch(
      /disconnected from the console/,
    );
    expect(whyUnavailable({ kind: 'offline', reason, until: null, trying: false }, up)).toMatch(/offline/);
    expect(whyUnavailable({ kind: 'tokens-refused', failure: reason, until: now }, up)).toMatch(
      /its own tokens/,
    );
    expect(whyUnavailable({ kind: 'rejected', failure: reason }, up)).toMatch(/sign in/);
  });

  it('leaves to the banner what the banner says, and nothing else', () => {
    const banner = { hasBanner: true, isLimited: false };
    const limited = { hasBanner: false, isLimited: true };
    const none = { hasBanner: false, isLimited: false };
    expect(isSaidAbove(failure('unreachable'), banner)).toBe(true);
    expect(isSaidAbove(failure('tokens-refused'), banner)).toBe(true);
    expect(isSaidAbove(failure('not-granted'), banner)).toBe(false);
    expect(isSaidAbove(failure('unreachable'), none)).toBe(false);
    expect(isSaidAbove(failure('unreachable'), limited)).toBe(false);
    expect(isSaidAbove(failure('too-many-requests'), limited)).toBe(true);
    expect(isSaidAbove(failure('too-many-requests'), none)).toBe(false);
  });

  it('shows the later of two failures of one panel', () => {
    const refused = failure('not-granted', now);
    const cut = failure('unreachable', now + 1);
    expect(latestFailure(refused, cut)).toBe(cut);
    expect(latestFailure(cut, refused)).toBe(cut);
    expect(latestFailure(null, refused)).toBe(refused);
    expect(latestFailure(cut, null)).toBe(cut);
    const page = failure('bridge-lost', 0);
    expect(latestFailure(cut, page)).toBe(page);
  });
});

describe('freshness', () => {
  it.each([
    ['fresh', now - 12_000, 'Fresh, 12 s old'],
    ['fresh', now + 12_000, 'Fresh, 0 s old'],
    ['ageing', now - 3 * minute, 'Delayed, 3 min old'],
    ['stale', now - hour, 'Stale, 1 h old'],
    ['throttled', now - 45_000, 'Rate limited, 45 s old, next try 20:15:30 UTC'],
    ['offline', now - 372 * minute, 'Offline, as of 14:02 UTC'],
    ['as-of', now - 45_000, 'As of 20:13 UTC'],
    ['frozen', now - 45_000, 'Frozen, as of 20:13 UTC'],
    ['frozen', null, 'No data yet'],
    ['none', null, 'No data yet'],
    ['none', now - 5_000, 'Read 5 s ago'],
    ['offline', null, 'Offline, no data'],
  ] as const)('is said in words: %s', (shown, at, words) => {
    expect(ordinary(freshnessText({ shown, at, next: now + 90_000 }, now, 'utc'))).toBe(words);
  });

  it('names no try that is over or not known', () => {
    const dataset = { shown: 'throttled', at: now - 45_000 } as const;
    expect(ordinary(freshnessText({ ...dataset, next: now }, now, 'utc'))).toBe('Rate limited, 45 s old');
    expect(ordinary(freshnessText(dataset, now, 'utc'))).toBe('Rate limited, 45 s old');
  });
});

it('names the day of a time that could be mistaken for another day’s', () => {
  expect(shortMoment(now - 6 * hour, now, 'utc')).toBe('14:14 UTC');
  expect(shortMoment(now - 22 * hour, now, 'utc')).toBe('19 Nov, 22:14 UTC');
  expect(shortMoment(Infinity, now, 'utc')).toBe('unknown time');
});

describe('a vault', () => {
  const vault: VaultSummary = {
    id: 'a'.repeat(32),
    username: 'ana',
    lastSyncAt: now - 6 * hour,
    unsent: 0,
    setAside: false,
  };
  it('is told by the age of its data', () => {
    expect(ordinary(dataAsOf(vault.lastSyncAt, now, 'utc'))).toBe('data as of 14:14 UTC, 6 h ago');
    expect(dataAsOf(null, now, 'utc')).toBe('no data from the service yet');
  });
  it('is not erased before what is lost was said', () => {
    expect(ordinary(lossSentences(vault, now, 'utc'))).toEqual([
      'Its data as of 14:14 UTC, 6 h ago, is then available from the service only.',
      'It has no unsent or unproven items.',
    ]);
    const [first, second, third] = lossSentences(
      { ...vault, lastSyncAt: null, unsent: 3, setAside: true },
      now,
      'utc',
    );
    expect(first).toBe('It has no data from the service.');
    expect(second).toBe('3 unsent or unproven items are lost for good.');
    expect(third).toMatch(/previous password/);
  });
  it('with unsent items is erased only by who repeats their number', () => {
    expect(repeats('', 0)).toBe(true);
    expect(repeats('', 3)).toBe(false);
    expect(repeats('2', 3)).toBe(false);
    expect(repeats(' 1,204', 1204)).toBe(true);
  });
  it('that a previous password seals says what it holds, as far as it is known', () => {
    expect(sealedWords({ incidents: 1707, unsent: 2 })).toBe('1,707 incidents and 2 uploads');
    expect(sealedWords({ incidents: 1, unsent: 0 })).toBe('1 incident');
    expect(sealedWords({ incidents: 0, unsent: 0 })).toBe('');
  });
  it('has a size', () => {
    expect(bytesText(0)).toBe('0 B');
    expect(bytesText(999)).toBe('999 B');
    expect(bytesText(1_432_000)).toBe('1.4 MB');
    expect(bytesText(999_999)).toBe('1.0 MB');
    expect(bytesText(123_456_789)).toBe('123 MB');
  });
});

it('says what a password does while the service is not reached', () => {
  expect(offlineSignIn('online', null, 2)).toBeNull();
  expect(offlineSignIn('unknown', 'bad-credentials', 2)).toBeNull();
  expect(offlineSignIn('offline', null, 2)).toMatch(/^Can’t reach the service\. Your password opens/);
  expect(offlineSignIn('unknown', 'unreachable', 1)).toMatch(/read-only/);
  expect(offlineSignIn('offline', null, 0)).toMatch(/no saved data of this deployment/);
  expect(offlineSignIn('offline', 'unreachable', 2, true)).toMatch(/^Your password opens/);
  expect(offlineSignIn('offline', 'unreachable', 0, true)).toMatch(/^This computer has no saved data/);
});

describe('completeness', () => {
  const sync: SyncState = {
    phase: 'rolling',
    unit: 'seconds',
    pageSize: 200,
    windows: { complete: 40, planned: 40 },
    requests: { lastMinute: 3, perMinute: 60 },
    uncertain: { count: 0, windows: [] },
    notReturned: 0,
    completeAsOf: now - 12 * minute,
    roundEndsAt: null,
  };
  const clause = (state: SyncState | undefined, completeness: 'unknown' | 'complete' | 'at-least') =>
    completenessClause(state, { completeness, count: 1707 }, now, 'utc');

  it('is claimed with its time, and never beyond what is known', () => {
    expect(clause(sync, 'complete')).toBe('complete as of 20:02 UTC');
    expect(clause({ ...sync, completeAsOf: null }, 'complete')).toBe('complete');
    const some = { ...sync, uncertain: { count: 3, windows: [] } };
    expect(clause(some, 'at-least')).toBe('at least 1,707, 3 windows uncertain');
    expect(clause(undefined, 'at-least')).toBe('at least 1,707');
    expect(clause({ ...sync, phase: 'unfiltered' }, 'at-least')).toBe(
      'at least 1,707, the service may hold more',
    );
  });
  it('shows the first reading’s progress', () => {
    const first: SyncState = { ...sync, phase: 'first', windows: { complete: 12, planned: 40 } };
    expect(clause(first, 'at-least')).toBe('at least 1,707, 12 of 40 windows read');
    expect(clause(first, 'unknown')).toBe('12 of 40 windows complete');
    expect(clause(sync, 'unknown')).toBe('');
    expect(windowProgress({ ...sync, windows: { complete: 0, planned: 1 } })).toBe('0 of 1 window complete');
    expect(doubt(sync)).toBe('');
  });

  const at = Date.UTC(2026, 10, 20, 12, 4, 31);
  it.each([
    [{ from: at, to: at + 1_000 }, '20 Nov, 12:04:31 UTC'],
    [{ from: at, to: at + 5 * minute }, '20 Nov, 12:04:31 UTC to 12:09:31 UTC'],
    [{ from: at - 24 * hour, to: at }, '19 Nov, 12:04:31 UTC to 20 Nov, 12:04:31 UTC'],
    [{ from: null, to: at }, 'Before 20 Nov 2026, 12:04:31 UTC'],
    [{ from: at, to: null }, 'Since 20 Nov 2026, 12:04:31 UTC'],
    [{ from: null, to: null }, 'All times'],
  ] as const)('names an uncertain window: %o', (window, words) => {
    expect(windowTimes(window, 'utc')).toBe(words);
  });
  it('says what is known of it and why it is uncertain', () => {
    const window = (why: UncertainWindow['why']) => windowWorth({ from: at, to: at, known: 200, why });
    expect(window('saturated')).toBe('200 known, more may exist');
    expect(window('unread')).toBe('200 known, not read yet');
    expect(window('failed')).toBe('200 known, the last read failed');
    expect(windowWorth({ from: at, to: at, known: 0, why: 'unread' })).toBe('not read yet');
  });
});
