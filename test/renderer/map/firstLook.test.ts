import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { severityNames } from '../../../src-preload/contract/index.ts';
import { ClusterIndex } from '../../../src-renderer/map/clusters/index.ts';
import type { Bounds } from '../../../src-renderer/map/clusters/points.ts';
import { FirstLook, isWithin } from '../../../src-renderer/map/firstLook.ts';

const view = { west: 0, south: 0, east: 20, north: 20 };
const inside: Bounds = [5, 5, 10, 10];
const beyond: Bounds = [5, 5, 30, 10];

const of = (bounds: Bounds | null, count = 1) => ({ bounds, count });

describe('the worst that is open', () => {
  const indexOf = (points: readonly (readonly [severity: (typeof severityNames)[number], open: 0 | 1])[]) =>
    new ClusterIndex({
      length: points.length,
      key: Uint32Array.from(points, (_, at) => at),
      longitude: Float64Array.from(points, (_, at) => 10 * at),
      latitude: Float64Array.from(points, () => 45),
      rank: Uint8Array.from(points, ([severity]) => severityNames.indexOf(severity)),
      gone: new Uint8Array(points.length),
      open: Uint8Array.from(points, ([, open]) => open),
    });
  const span = (worst: Bounds | null) => worst && [Math.round(worst[0]), Math.round(worst[2])];

  it('is critical or unranked, else high, and never less', () => {
    const all = indexOf([
      ['low', 1],
      ['critical', 1],
      ['unknown', 1],
      ['high', 1],
      ['critical', 0],
    ]);
    expect(span(all.worst)).toEqual([10, 20]);
    expect(
      span(
        indexOf([
          ['low', 1],
          ['high', 1],
          ['critical', 0],
        ]).worst,
      ),
    ).toEqual([10, 10]);
    expect(
      indexOf([
        ['low', 1],
        ['high', 0],
      ]).worst,
    ).toBeNull();
  });
});

describe('the first look', () => {
  it('is fitted to the first incidents wherever they are, and then to those beyond its edges', () => {
    const look = new FirstLook();
    expect(look.wants(of(null, 0), view, 0)).toBe(false);
    expect(look.wants(of(inside), view, 7_000)).toBe(true);
    expect(look.wants(of(inside, 2), view, 7_100)).toBe(false);
    expect(look.wants(of(beyond, 3), view, 7_200)).toBe(true);
  });

  it('keeps its place when a filter shows fewer, or all of them again', () => {
    const look = new FirstLook();
    look.wants(of(inside, 50), view, 0);
    expect(look.wants(of(beyond, 10), view, 1_000)).toBe(false);
    expect(look.wants(of(beyond, 50), view, 2_000)).toBe(false);
    expect(look.wants(of(beyond, 51), view, 3_000)).toBe(true);
  });

  it('follows a read for as long as it brings more, but no longer than a minute', () => {
    const look = new FirstLook();
    look.wants(of(inside), view, 0);
    for (let page = 1; page <= 6; page += 1)
      expect(look.wants(of(beyond, page * 100), view, page * 10_000)).toBe(true);
    expect(look.wants(of(beyond, 5_000), view, 60_001)).toBe(false);
    expect(look.wants(of(beyond, 5_001), view, 60_002)).toBe(false);
  });

  it('stays where it is when the read is over, whatever comes then', () => {
    const look = new FirstLook();
    look.wants(of(inside, 50), view, 0);
    // Fewer and as many again: somebody filters, which brings nothing new.
    look.wants(of(inside, 10), view, 6_000);
    look.wants(of(inside, 50), view, 9_000);
    expect(look.wants(of(beyond, 51), view, 10_001)).toBe(false);
    expect(look.wants(of(beyond, 52), view, 10_002)).toBe(false);
  });

  it('is over as soon as somebody has a hand in it, also before there are incidents', () => {
    const held = new FirstLook();
    held.wants(of(inside), view, 0);
    held.end();
    expect(held.wants(of(beyond, 2), view, 1)).toBe(false);
    const never = new FirstLook();
    never.end();
    expect(never.wants(of(inside), view, 0)).toBe(false);
  });

  it('begins again', () => {
    const look = new FirstLook();
    look.end();
    look.begin();
    expect(look.wants(of(inside, 9), view, 70_000)).toBe(true);
    expect(look.wants(of(beyond, 10), view, 79_000)).toBe(true);
    look.begin();
    expect(look.wants(of(inside, 2), view, 200_000)).toBe(true);
    expect(look.wants(of(beyond, 3), view, 209_000)).toBe(true);
    expect(look.wants(of(beyond, 4), view, 219_000)).toBe(true);
    expect(look.wants(of(beyond, 5), view, 229_001)).toBe(false);
  });
});

describe('a box within a view', () => {
  it('is so in whichever turn of the world either is counted', () => {
    expect(isWithin([170, 0, 190, 10], { west: -200, south: -5, east: -160, north: 20 })).toBe(true);
    expect(isWithin([170, 0, 190, 10], { west: -200, south: -5, east: -175, north: 20 })).toBe(false);
    expect(isWithin([-170, 0, -160, 10], { west: 150, south: -5, east: 210, north: 20 })).toBe(true);
    expect(isWithin([0, -10, 5, 10], view)).toBe(false);
    expect(isWithin([0, 10, 5, 21], view)).toBe(false);
    expect(isWithin([170, 0, 400, 10], { west: -190, south: -5, east: 180, north: 20 })).toBe(true);
  });

  it('is so when each of its places is, as the map shows them', () => {
    const degrees = (min: number, max: number) => fc.integer({ min, max });
    fc.assert(
      fc.property(
        degrees(-180, 179),
        degrees(0, 359),
        degrees(-400, 400),
        degrees(1, 359),
        (west, wide, from, shown) => {
          const east = from + shown;
          const shows = (longitude: number): boolean =>
            [-3, -2, -1, 0, 1, 2, 3].some((turn) => {
              const at = longitude + turn * 360;
              return at >= from && at <= east;
            });
          const all = Array.from({ length: wide * 2 + 1 }, (_, half) => west + half / 2).every(shows);
          const view = { west: from, south: -10, east, north: 10 };
          expect(isWithin([west, 0, west + wide, 0], view)).toBe(all);
        },
      ),
    );
  });
});
