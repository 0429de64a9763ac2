import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { townLines, Towns } from '../../src-main/core/base/places/towns.ts';
import { seeded } from './data.ts';
import { steps, type Row } from './statistics.ts';

interface Land {
  readonly what: string;
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [west: number, south: number, east: number, north: number];
  /** Milliseconds for all positions. */
  readonly aim: number;
}

export const townPositions = 100_000;
const lands: readonly Land[] = [
  { what: 'nearest towns, globe', bounds: [-180, -90, 180, 90], aim: 1_000 },
  { what: 'nearest towns, Europe', bounds: [5, 43, 25, 55], aim: 250 },
];

/** The nearest town of each of 100,000 positions, and what the list of towns takes of the memory once it is read. */
export function* benchTowns({ runs }: { readonly runs: number }): Generator<Row> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const towns = new Towns();
  const before = held();
  towns.nearest({ latitude: 0, longitude: 0 });
  const list = held() - before;
  yield { what: 'list of towns, read', size: townLines().length, value: `${(list / 1e6).toFixed(1)} MB` };
  for (const {
    what,
    bounds: [west, south, east, north],
    aim,
  } of lands) {
    const random = seeded(1);
    const positions = Array.from({ length: townPositions }, () => ({
      latitude: south + random() * (north - south),
      longitude: west + random() * (east - west),
    }));
    const samples = Array.from({ length: runs }, () => {
      const start = performance.now();
      for (const position of positions) towns.nearest(position);
      return performance.now() - start;
    });
    yield steps({ what, size: townPositions, aim, samples });
  }
}
