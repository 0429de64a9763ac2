import { deserialize, serialize } from 'node:v8';
import { decodeIncidentFrame, encodeIncidentFrame } from '../../src-preload/contract/index.ts';
import { benchFrame } from './data.ts';
import { measure, type Measure } from './statistics.ts';

/**
 * N incidents across the bridge: encode, the copy that a process boundary makes, decode; against
 * the same copy of the same columns as they are.
 */
export function benchBridge(size: number, runs: number): Measure {
  const frame = benchFrame(size, 0, true);
  const ours: number[] = [];
  const floorSamples: number[] = [];
  for (let run = 0; run < runs + 3; run += 1) {
    const start = performance.now();
    const received = decodeIncidentFrame(deserialize(serialize(encodeIncidentFrame(frame))) as Uint8Array);
    const half = performance.now();
    const floor = deserialize(serialize(frame)) as typeof frame;
    const end = performance.now();
    if (received.columns.key.at(-1) !== floor.columns.key.at(-1)) throw new Error('A frame lost its rows');
    if (run < 3) continue;
    ours.push(half - start);
    floorSamples.push(end - half);
  }
  return measure({
    what: 'bridge',
    size,
    goal: 1.5,
    floor: 'v8 serialize + deserialize',
    ours,
    floorSamples,
  });
}
