import { expect, it } from 'vitest';
import type { LineState } from '../../../src-preload/contract/index.ts';
import { lineAtStart } from '../../../src-main/core/service/transport/line.ts';
import {
  bytesWords,
  lineWords,
  lossWords,
  rateWords,
  secondsOnLine,
} from '../../../src-renderer/base/line.ts';

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
  expect(lineWords(at(rate), 'Online', 'utc')).toBe(words);
  expect(lineWords(at(rate), 'Offline', 'utc')).toBeNull();
});

it('the drawer states what was measured, and no figure else', () => {
  expect(lineWords(undefined, 'Online', 'utc')).toBeNull();
  expect(rateWords(at(null, 700))).toBe('Not measured in the last 10 minutes');
  expect(rateWords(at(6_900))).toBe('About 6.9 kB/s');
  expect(rateWords(at(6_900, 720)).replaceAll('\u00a0', ' ')).toBe('About 6.9 kB/s, first byte after 720 ms');
  expect(bytesWords({ sent: 88_000, received: 1_200_000 })).toBe('1.2 MB received, 88.0 kB sent');
});

it('that the hour is used up comes before that data is saved, and both before a slow link', () => {
  const until = Date.UTC(2026, 10, 20, 15);
  const limit = { used: 2, bytes: 1, until, state: 'used-up' } as const;
  const words = (change: Partial<LineState>) => lineWords({ ...at(6_900), ...change }, 'Offline', 'utc');
  expect(words({ saving: true, limit })?.replaceAll('\u00a0', ' ')).toBe('Data used up until 15:00 UTC');
  expect(words({ saving: true, limit: { ...limit, state: 'exceeded' } })).toBe('Saving data');
});

it('a row says how long a slow link needs, where that is a minute or more', () => {
  expect(secondsOnLine(at(8_000), 8_000 * 120)).toBe(120);
  expect(secondsOnLine(at(8_000), 8_000 * 59)).toBeNull();
  expect(secondsOnLine(at(32_000), 1e9)).toBeNull();
  expect(secondsOnLine(at(null), 1e9)).toBeNull();
});

it.each([
  [null, null],
  [0, null],
  [0.004, '1% of the last requests were cut or not answered'],
  [0.05, '5% of the last requests were cut or not answered'],
])('a loss of %j is said where there was one', (loss, words) => {
  expect(lossWords({ ...at(6_900), loss })).toBe(words);
});
