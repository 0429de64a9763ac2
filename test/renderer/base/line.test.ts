import { expect, it } from 'vitest';
import { lineAtStart } from '../../../src-main/core/service/transport/line.ts';
import { bytesWords, rateWords, slowWords } from '../../../src-renderer/base/line.ts';

const at = (bytesPerSecond: number | null, roundTripMs: number | null = null) => ({
  ...lineAtStart,
  bytesPerSecond,
  roundTripMs,
});

it.each([
  [null, null],
  [6_900, 'Slow link, about 6.9 kB/s'],
  [31_000, 'Slow link, about 31.0 kB/s'],
  [32_000, null],
  [9_000_000, null],
])('a link of %j bytes a second is called slow only where that was measured', (rate, words) => {
  expect(slowWords(at(rate))).toBe(words);
});

it('the drawer states what was measured, and no figure else', () => {
  expect(slowWords(undefined)).toBeNull();
  expect(rateWords(at(null, 700))).toBe('Not measured in the last 10 minutes');
  expect(rateWords(at(6_900))).toBe('About 6.9 kB/s');
  expect(rateWords(at(6_900, 720)).replaceAll('\u00a0', ' ')).toBe('About 6.9 kB/s, first byte after 720 ms');
  expect(bytesWords({ sent: 88_000, received: 1_200_000 })).toBe('1.2 MB received, 88.0 kB sent');
});
