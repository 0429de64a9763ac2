import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binEdges, binSize, utcCalendar, type Calendar } from '../../../src-renderer/table/timeBins.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const sizes = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 7 * day];

/** A zone of the world as the runtime knows it. */
function zoneCalendar(timeZone: string): Calendar {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return {
    offsetAt: (at) => {
      const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      const [, sign, hours, minutes, seconds] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(text) ?? [];
      const size = Number(hours ?? 0) * hour + Number(minutes ?? 0) * minute + Number(seconds ?? 0) * 1_000;
      return sign === '-' ? -size : size;
    },
  };
}
const berlin = zoneCalendar('Europe/Berlin');
const lordHowe = zoneCalendar('Australia/Lord_Howe');
const beirut = zoneCalendar('Asia/Beirut');
const faces = (edges: Float64Array, { offsetAt }: Calendar): string[] =>
  Array.from(edges, (at) => new Date(at + offsetAt(at)).toISOString().slice(5, 16));

describe('the edges of bins', () => {
  it.each([
    ['UTC', utcCalendar],
    ['Berlin', berlin],
    ['Lord Howe', lordHowe],
    ['Kathmandu', zoneCalendar('Asia/Kathmandu')],
    ['St John’s', zoneCalendar('America/St_Johns')],
    ['Beirut', beirut],
  ])('cover the span, ascend, and are round times in %s', (_, calendar) => {
    const from = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2036, 0, 1) });
    fc.assert(
      fc.property(from, fc.constantFrom(...sizes), fc.integer({ min: 0, max: 50 }), (at, size, bins) => {
        const to = at + bins * size;
        const edges = binEdges(at, to, size, calendar);
        expect(edges.length).toBeGreaterThanOrEqual(2);
        expect(edges[0]).toBeLessThanOrEqual(at);
        expect(edges[1]).toBeGreaterThan(at);
        expect(edges.at(-1)).toBeGreaterThan(to);
        expect(edges.at(-2)).toBeLessThanOrEqual(to);
        edges.forEach((edge, index) => {
          const before = edges[index - 1];
          if (before !== undefined) {
            expect(edge).toBeGreaterThan(before);
            expect(edge - before).toBeLessThanOrEqual(size + hour);
          }
          const face = edge + calendar.offsetAt(edge);
          const past = (face - (size === 7 * day ? 4 * day : 0)) % size;
          // What is no round time is the moment at which the clock was set.
          if (past !== 0) expect(calendar.offsetAt(edge)).not.toBe(calendar.offsetAt(edge - 1));
        });
      }),
      { numRuns: 150 },
    );
  });

  it('gives the day on which the clock is set forward 23 hours, and that on which it is set back 25', () => {
    const spring = binEdges(Date.UTC(2026, 2, 27, 23), Date.UTC(2026, 2, 30), day, berlin);
    expect(faces(spring, berlin)).toEqual(['03-28T00:00', '03-29T00:00', '03-30T00:00', '03-31T00:00']);
    expect(((spring[2] ?? 0) - (spring[1] ?? 0)) / hour).toBe(23);
    const autumn = binEdges(Date.UTC(2026, 9, 24), Date.UTC(2026, 9, 25, 12), day, berlin);
    expect(faces(autumn, berlin)).toEqual(['10-24T00:00', '10-25T00:00', '10-26T00:00']);
    expect(((autumn[2] ?? 0) - (autumn[1] ?? 0)) / hour).toBe(25);
  });

  it('has the hours that come twice twice, and those that never come not at all', () => {
    const back = binEdges(Date.UTC(2026, 9, 24, 23), Date.UTC(2026, 9, 25, 2), hour, berlin);
    expect(faces(back, berlin).map((face) => face.slice(6))).toEqual([
      '01:00',
      '02:00',
      '02:00',
      '03:00',
      '04:00',
    ]);
    const forward = binEdges(Date.UTC(2026, 2, 29, 0), Date.UTC(2026, 2, 29, 2), hour, berlin);
    expect(faces(forward, berlin).map((face) => face.slice(6))).toEqual(['01:00', '03:00', '04:00', '05:00']);
  });

  it('keeps bins of two hours at even hours across the change', () => {
    const forward = binEdges(Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 4), 2 * hour, berlin);
    expect(faces(forward, berlin).map((face) => face.slice(6))).toEqual([
      '00:00',
      '03:00',
      '04:00',
      '06:00',
      '08:00',
    ]);
    const back = binEdges(Date.UTC(2026, 9, 24, 22), Date.UTC(2026, 9, 25, 3), 2 * hour, berlin);
    expect(faces(back, berlin).map((face) => face.slice(6))).toEqual(['00:00', '02:00', '04:00', '06:00']);
  });

  it('begins a day without a midnight where it begins', () => {
    // Beirut goes from 23:59 to 01:00.
    const edges = binEdges(Date.UTC(2026, 2, 28, 0), Date.UTC(2026, 2, 29, 12), day, beirut);
    expect(faces(edges, beirut)).toEqual(['03-28T00:00', '03-29T01:00', '03-30T00:00']);
  });
});

describe('the size of bins', () => {
  it.each([
    [hour, 160, minute],
    [6 * hour, 160, 5 * minute],
    [day, 160, 10 * minute],
    [7 * day, 160, 2 * hour],
    [7 * day, 60, 3 * hour],
    [365 * day, 160, 7 * day],
  ])('of %d ms in at most %d is %d', (span, most, size) => {
    expect(binSize(span, most)).toBe(size);
  });
  it('never makes more bins than there is room for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4e12 }), fc.integer({ min: 1, max: 400 }), (span, most) => {
        expect(Math.ceil(span / binSize(span, most))).toBeLessThanOrEqual(most);
      }),
    );
  });
});
