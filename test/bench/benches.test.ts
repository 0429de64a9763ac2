import { expect, test } from 'vitest';
import { benchesNamed, runBenches, type Bench } from './benches.ts';
import { measure, type Row } from './statistics.ts';

const row = (what: string, size: number): Row =>
  measure({ what, size, goal: 1.5, floor: 'a bare loop', ours: [30, 20, 10], floorSamples: [40, 10, 10] });

/** Runs benches; answers the status, what was printed below the headline, and what came at the end. */
async function run(benches: readonly Bench[]) {
  const printed: string[] = [];
  const ended: { rows: readonly Row[]; failed: readonly string[] }[] = [];
  const status = await runBenches(benches, {
    print: (line) => printed.push(line),
    end: (rows, failed) => ended.push({ rows, failed }),
  });
  return { status, lines: printed.slice(1).map((line) => line.replaceAll(/ +/g, ' ')), ended };
}

const note = 'goal 1.5, 3 runs, floor: a bare loop';

test('a bench that fails is named with its reason, and loses no row of its own or of another one', async () => {
  const { status, lines, ended } = await run([
    {
      name: 'broken',
      sizes: [1, 2],
      rows: async function* (size) {
        yield row('before', size);
        if (size === 1) await Promise.reject(new Error('no page'));
        yield row('after', size);
      },
    },
    { name: 'never', sizes: [3], rows: () => Promise.reject(new Error('no build')) },
    { name: 'last', sizes: [4], rows: (size) => Promise.resolve([row('last', size)]) },
  ]);
  expect(lines).toEqual([
    `before 1 20 10 2.00 ${note}`,
    'FAILED broken at 1: no page',
    `before 2 20 10 2.00 ${note}`,
    `after 2 20 10 2.00 ${note}`,
    'FAILED never at 3: no build',
    `last 4 20 10 2.00 ${note}`,
  ]);
  expect(ended).toEqual([
    {
      rows: [row('before', 1), row('before', 2), row('after', 2), row('last', 4)],
      failed: ['broken at 1: no page', 'never at 3: no build'],
    },
  ]);
  expect(status).toBe(1);
});

test('benches that do not fail have the status 0', async () => {
  const { status, ended } = await run([{ name: 'whole', sizes: [1, 2], rows: (size) => [row('one', size)] }]);
  expect([status, ended]).toEqual([0, [{ rows: [row('one', 1), row('one', 2)], failed: [] }]]);
});

test('a row is printed when it is measured', async () => {
  const lines: string[] = [];
  const seen: number[] = [];
  const rows = function* (): Generator<Row> {
    yield row('first', 1);
    seen.push(lines.length);
    yield row('second', 1);
  };
  await runBenches([{ name: 'two', sizes: [1], rows }], {
    print: (line) => lines.push(line),
    end: () => seen.push(lines.length),
  });
  // The headline is the first line.
  expect(seen).toEqual([2, 3]);
});

test('a name that no bench has is refused', () => {
  const benches = ['bridge', 'map'].map((name) => ({ name, sizes: [1], rows: () => [] }));
  expect(benchesNamed(['map'], benches).map(({ name }) => name)).toEqual(['map']);
  expect(() => benchesNamed(['map', 'maps'], benches)).toThrow('No bench is called maps, but bridge, map');
});

test.each<[Row, string]>([
  [
    { what: 'pan', size: 7, longest: 30, idleLongest: 9, floorLongest: 20 },
    'pan 7 30 20 - longest stall, idle 9.00 ms',
  ],
  [
    { what: 'sync', size: 7, ours: { longest: 30, p999: 20 }, control: { longest: 3, p999: 2 } },
    'sync 7 30 3.00 - longest hold of the main loop beside an idle process, p99.9 20 and 2.00 ms',
  ],
  [{ what: 'cache', size: 7, value: '12 MB' }, 'cache 7 - - - 12 MB'],
  [
    { what: 'list', size: 7, runs: 3, p50: 30, max: 40, aim: 250 },
    'list 7 30 - - aim 250 ms, 3 runs, longest 40 ms',
  ],
])('each kind of row has its line: $what', async (one, line) => {
  expect((await run([{ name: 'one', sizes: [7], rows: () => [one] }])).lines).toEqual([line]);
});
