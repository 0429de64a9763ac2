import { describe, expect, it } from 'vitest';
import { freshnessOf } from '../../../src-main/core/base/freshness.ts';
import { sameValue } from '../../../src-main/core/base/json.ts';
import { rangeStart } from '../../../src-main/core/features/incidents/range.ts';

describe('freshness', () => {
  const facts = {
    lastAt: 1_000_000,
    intervalMs: 10_000,
    connection: 'online',
    failed: false,
    hasData: true,
  } as const;
  it.each([
    [{ ...facts, now: 1_020_000 }, 'fresh'],
    [{ ...facts, now: 1_020_001 }, 'ageing'],
    [{ ...facts, now: 1_040_001 }, 'stale'],
    [{ ...facts, now: 900_000 }, 'fresh'],
    [{ ...facts, now: 1_000_001, connection: 'offline' }, 'offline'],
    [{ ...facts, now: 1_010_000, connection: 'degraded' }, 'fresh'],
    [{ ...facts, now: 1_010_001, connection: 'degraded' }, 'ageing'],
    [{ ...facts, now: 1_010_000, failed: true }, 'fresh'],
    [{ ...facts, now: 1_010_001, failed: true }, 'ageing'],
    [{ ...facts, now: 1_040_001, failed: true }, 'stale'],
    [{ ...facts, now: 1_000_001, lastAt: null, connection: 'offline' }, 'none'],
    [{ ...facts, now: 1_000_001, hasData: false }, 'none'],
  ] as const)('of %j is %s', (of, expected) => {
    expect(freshnessOf(of)).toBe(expected);
  });
});

describe('ranges', () => {
  const now = 1_700_000_000_999;
  it('begin on a whole second, and "all" nowhere', () => {
    expect(rangeStart('1h', now)).toBe(1_699_996_400_000);
    expect(rangeStart('7d', now)).toBe(1_699_395_200_000);
    expect(rangeStart('all', now)).toBeNull();
  });
});

describe('sameValue', () => {
  it('compares by content and knows members of the prototype from own ones', () => {
    expect(sameValue({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
    expect(sameValue({ a: undefined }, { b: undefined })).toBe(false);
    expect(sameValue({ toString: 1 }, { other: 1 })).toBe(false);
    expect(sameValue([1], { 0: 1 })).toBe(false);
    expect(sameValue(Number.NaN, Number.NaN)).toBe(true);
  });
});
