import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTimestamp, readInstant } from '../../../src-main/core/base/timestamp.ts';

describe('RFC 3339 timestamps', () => {
  it.each([
    ['2026-11-20T21:04:33Z', Date.UTC(2026, 10, 20, 21, 4, 33)],
    ['2026-11-20t21:04:33.1239z', Date.UTC(2026, 10, 20, 21, 4, 33, 123)],
    ['2026-11-20T21:04:33.5+02:30', Date.UTC(2026, 10, 20, 18, 34, 33, 500)],
    ['2026-11-20T21:04:33-00:00', Date.UTC(2026, 10, 20, 21, 4, 33)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
    ['0050-01-01T00:00:00Z', -60_589_296_000_000],
  ])('reads %s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });

  it.each([
    'tomorrow',
    '',
    '1',
    '2026-11-20',
    '2026-11-20 21:04:33Z',
    '2026-11-20T21:04:33',
    '2026-13-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T21:60:00Z',
    '2026-11-20T21:04:61Z',
    '2026-11-20T21:04:33+24:00',
    ' 2026-11-20T21:04:33Z',
    '2026-11-20T21:04:33Z\n',
    '1'.repeat(10_000_000),
  ])('refuses %.40s', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it('agrees with the engine on every instant of four digits of years', () => {
    const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') };
    fc.assert(
      fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

describe('times of another form', () => {
  const at = Date.UTC(2026, 10, 20, 12);

  it.each([
    ['2026-11-20T12:00:00Z', at],
    ['2026-11-20T12:00:00', at],
    ['2026-11-20 12:00:00.250', at + 250],
    ['2026-11-20T14:00:00+0200', at],
    ['2026-11-20T10:00:00.000000-02', at],
    [at / 1_000, at],
    [at, at],
    [at / 1_000 + 0.5, at + 500],
    [0, 0],
  ])('reads %s', (value, expected) => {
    expect(readInstant(value)).toBe(expected);
  });

  it.each([
    'tomorrow',
    '2026-11-20',
    '12:00:00',
    '2026-11-20T12:00:00+25',
    '2026-11-20T12:00:00+02000',
    '',
    null,
    true,
    {},
    Number.NaN,
    Infinity,
    Number.MAX_VALUE,
    `${'1'.repeat(1_000_000)}`,
  ])('refuses %.40s', (value) => {
    expect(readInstant(value)).toBeNull();
  });
});
