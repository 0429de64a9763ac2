import { afterEach, describe, expect, it } from 'vitest';
import { languages, type Language } from '../../../../src-preload/contract/index.ts';
import * as format from '../../../../src-renderer/base/format.ts';
import { ticksOf } from '../../../../src-renderer/features/timeline/timeAxis.ts';
import { i18n } from '../../../../src-renderer/i18n/index.ts';
import { loadMessages } from '../../../../src-renderer/i18n/languages.ts';
import { utcCalendar } from '../../../../src-renderer/table/timeBins.ts';
import { ordinary } from '../../../support/messages.ts';

const at = Date.UTC(2026, 10, 20, 14, 2, 31);
const [hour, day] = [3_600_000, 86_400_000];

afterEach(() => {
  i18n.global.locale.value = 'en';
});

/** With the words of the language, as the page has them. */
async function speak(language: Language): Promise<void> {
  if (language !== 'en') i18n.global.setLocaleMessage(language, await loadMessages(language));
  i18n.global.locale.value = language;
}

/** Every formatter that writes a time of day, with times for it. */
const times = {
  clockTime: (zone) => [format.clockTime(at, zone)],
  shortTime: (zone) => [format.shortTime(at, zone)],
  dateTime: (zone) => [format.dateTime(at, zone)],
  moment: (zone) => [format.moment(at, zone)],
  shortMoment: (zone) => [
    format.shortMoment(at, at, zone),
    format.shortMoment(at, at + 40 * hour, zone),
    format.shortMoment(at + 40 * hour, at, zone),
  ],
  shortTimeSpan: (zone) => [
    format.shortTimeSpan(at, at + 60_000, at, zone),
    format.shortTimeSpan(at, at + 60_000, at + 40 * hour, zone),
    format.shortTimeSpan(at, at + 40 * hour, at, zone),
  ],
  timeSpan: (zone) => [
    format.timeSpan(at, at + 60_000, zone),
    format.timeSpan(at, at + 3 * day, zone),
    format.timeSpan(at, at + 300 * day, zone),
  ],
} as const satisfies Readonly<Record<string, (zone: format.Zone) => readonly string[]>>;
/** What is no time of day, is an age, or is written where the zone stands beside it: each on purpose. */
const unlabelled = [
  ...[
    'count',
    'counted',
    'listed',
    'span',
    'shortSpan',
    'ago',
    'agoOrAhead',
    'locale',
    'zoneName',
    'responseTime',
  ],
  ...['clockFace', 'weekday', 'sameDay', 'raised', 'inLine', 'headed', 'spaced', 'inRow', 'tally', 'either'],
];

describe('every time of day', () => {
  it('is named here, so that a new formatter is not forgotten', () => {
    const named = new Set<string>([...Object.keys(times), ...unlabelled]);
    const others = Object.keys(format).filter(
      (name) => !named.has(name) && !/latitude|longitude|place|altitude/i.test(name),
    );
    expect(others).toEqual([]);
  });
  it.each(Object.entries(times))('of %s says its zone', (_, write) => {
    for (const text of write('utc')) expect(text).toMatch(/\d UTC$/);
    for (const text of write('local')) expect(text).toMatch(/\d local$/);
  });
  it('follows the zone', () => {
    // The tests' own zone may be UTC: then both are the same time, and only the label tells.
    const offset = new Date(at).getTimezoneOffset() * 60_000;
    expect(format.clockTime(at + offset, 'local')).toBe('14:02:31 local');
    expect(format.clockTime(at, 'utc')).toBe('14:02:31 UTC');
  });
});

describe('a span of times', () => {
  it('names what differs', () => {
    expect(format.timeSpan(at, at + hour, 'utc')).toBe('20 Nov, 14:02 to 15:02 UTC');
    expect(format.timeSpan(at, at + 10 * hour, 'utc')).toBe('20 Nov, 14:02 to 21 Nov, 00:02 UTC');
    expect(format.timeSpan(at, at + 60 * day, 'utc')).toBe('20 Nov 2026, 14:02 to 19 Jan 2027, 14:02 UTC');
    expect(format.timeSpan(at, Number.NaN, 'utc')).toBe('unknown time');
  });
});

describe.each(languages)('in %s', (language) => {
  it('digits are Latin, days have 24 hours and years are Gregorian', async () => {
    await speak(language);
    const texts = [
      format.count(1_234_567),
      format.dateTime(at, 'utc'),
      format.timeSpan(at, at + 60 * day, 'utc'),
      format.responseTime(1_240),
      format.weekday(at, 'utc'),
    ];
    for (const text of texts) expect(text).not.toMatch(/[\p{Nd}--[0-9]]/v);
    expect(format.clockTime(at, 'utc')).toContain('14:02:31');
    expect(format.clockTime(Date.UTC(2026, 0, 1), 'utc')).toContain('00:00:00');
    expect(format.dateTime(at, 'utc')).toContain('2026');
    expect(format.listed(['a', 'b', 'c'])).toMatch(/a.+b.+c/);
  });
});

it('follows a change of the language', async () => {
  expect(ordinary(format.responseTime(1_240))).toBe('1.2 s');
  await speak('fr');
  expect(format.responseTime(1_240)).toContain('1,2');
  expect(format.dateTime(at, 'utc')).toMatch(/nov\./);
});

describe('the axis', () => {
  const zone = { zone: 'utc', calendar: utcCalendar, textScale: 1 } as const;
  it('names days where they begin and times between them, as many as fit', () => {
    const from = Date.UTC(2026, 10, 20);
    const texts = (length: number, width: number): string[] =>
      ticksOf(from, from + length, width, zone).map(({ text }) => text);
    expect(texts(day, 600)).toEqual(['20 Nov', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00']);
    expect(texts(2 * hour, 600)).toHaveLength(7);
    expect(texts(7 * day, 700)).toEqual([
      '20 Nov',
      '21 Nov',
      '22 Nov',
      '23 Nov',
      '24 Nov',
      '25 Nov',
      '26 Nov',
    ]);
    expect(texts(8_000 * day, 400).every((text) => /^\w+ \d{4}$/.test(text))).toBe(true);
  });
  it.each([1, 1.25, 1.5])('leaves its end to the zone where text is %d times its size', (textScale) => {
    let seen = 0;
    for (const width of [300, 500, 900, 1_600]) {
      const ticks = ticksOf(at, at + 3 * day, width, { ...zone, textScale });
      for (const { x } of ticks) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(width - 88 * textScale);
      }
      for (const [index, { x }] of ticks.entries())
        if (index > 0) expect(x - ticks[index - 1]!.x).toBeGreaterThanOrEqual(48 * textScale);
      seen += ticks.length;
    }
    expect(seen).toBeGreaterThan(8);
  });
});
