import { describe, expect, it } from 'vitest';
import {
  ago,
  agoOrAhead,
  clockTime,
  count,
  counted,
  dateTime,
  raised,
  responseTime,
  shortSpan,
  shortTime,
  shortTimeSpan,
  span,
} from '../../../src-renderer/base/format.ts';
import { ordinary } from '../../support/messages.ts';

const at = Date.UTC(2026, 10, 20, 14, 2, 31);
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

describe('numbers', () => {
  it('separates thousands', () => {
    expect(count(1_707)).toBe('1,707');
    expect(counted(1, 'incident', 'incidents')).toBe('1 incident');
    expect(counted(100_000, 'incident', 'incidents')).toBe('100,000 incidents');
    expect(counted(0, 'incident', 'incidents')).toBe('0 incidents');
  });
  it.each([
    [312.4, '312 ms'],
    [999, '999 ms'],
    [1_240, '1.2 s'],
  ])('writes a response time of %d', (ms, text) => {
    expect(ordinary(responseTime(ms))).toBe(text);
  });
});

describe('spans', () => {
  it.each([
    [-5 * second, '0 s'],
    [12.9 * second, '12 s'],
    [4 * minute, '4 min'],
    [hour, '1 h'],
    [hour + 20 * minute, '1 h 20 min'],
    [3 * day + 4 * hour, '3 d 4 h'],
    [40 * day + 4 * hour, '40 d'],
  ])('writes %d ms', (ms, text) => {
    expect(ordinary(span(ms))).toBe(text);
  });
  it.each([
    [59 * second, '59 s'],
    [90 * minute, '1 h'],
    [47 * hour, '47 h'],
    [49 * hour, '2 d'],
  ])('writes %d ms in one unit', (ms, text) => {
    expect(ordinary(shortSpan(ms))).toBe(text);
  });
  it('never puts what was seen ahead of now, however the clocks differ', () => {
    for (const ahead of [0, 1, second, 8 * second, hour, 24 * hour])
      expect(ordinary(ago(at + ahead, at))).toBe('0 s ago');
    expect(ordinary(ago(at, at + 12 * second))).toBe('12 s ago');
  });
  it('says when a time that the service claims lies ahead', () => {
    expect(ordinary(agoOrAhead(at, at + 12 * second))).toBe('12 s ago');
    expect(ordinary(agoOrAhead(at + hour, at))).toBe('in 1 h');
    expect(ordinary(agoOrAhead(at + second, at))).toBe('0 s ago');
  });
  it('keeps a figure on one line with its unit and with “ago”', () => {
    const long = hour + 20 * minute;
    const texts = [
      span(long),
      shortSpan(long),
      ago(at, at + long),
      agoOrAhead(at + long, at),
      responseTime(1_240),
    ];
    for (const text of texts) expect(text).not.toContain(' ');
  });
});

describe('times', () => {
  it('writes them in UTC', () => {
    expect(clockTime(at, 'utc')).toBe('14:02:31 UTC');
    expect(shortTime(at, 'utc')).toBe('14:02 UTC');
    expect(dateTime(at, 'utc')).toBe('20 Nov 2026, 14:02:31 UTC');
    expect(clockTime(Date.UTC(2026, 0, 1), 'utc')).toBe('00:00:00 UTC');
  });
  it('writes a span without its day where that cannot be mistaken', () => {
    const from = Date.UTC(2026, 10, 20, 23, 58);
    const to = from + 5 * 60_000;
    expect(shortTimeSpan(from, to, to + 60_000, 'utc')).toBe('23:58 to 00:03 UTC');
    expect(shortTimeSpan(from, to, to + 24 * 3_600_000, 'utc')).toBe('20 Nov, 23:58 to 21 Nov, 00:03 UTC');
  });
  it('does not throw at what no calendar holds', () => {
    expect(dateTime(Number.NaN, 'utc')).toBe('unknown time');
    expect(clockTime(9e15, 'local')).toBe('unknown time');
  });
});

it('raises the first letter and leaves the rest verbatim', () => {
  expect(raised('open')).toBe('Open');
  expect(raised('')).toBe('');
  expect(raised('<b>x</b>')).toBe('<b>x</b>');
});
