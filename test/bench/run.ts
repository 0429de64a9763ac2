/**
 * `npm run bench [-- --quick] [-- --json] [-- --sizes 10000,100000] [-- --desk-sizes 100000,1000000] [-- --runs 7]
 * [-- --only workspace,pan-zoom]`: ours against a bare floor, on the same machine, in the same run. Prints medians and
 * their ratios, each row when it is measured; with `--json` all rows as one JSON at the end, and the rows meanwhile on
 * the error stream. `--quick`: the main rows at 10,000 incidents, each of three runs, in some minutes. `--desk-sizes`:
 * for what is done at the desk (workspace; of pan-zoom the largest). Status 1 where a bench failed.
 */
import { chromium, type Browser } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { chromiumLaunch } from '../support/chromium.ts';
import { benchAtRest } from './atRest.ts';
import { benchesNamed, runBenches, type Bench } from './benches.ts';
import { benchBridge } from './bridge.ts';
import { benchCachedMap } from './cachedMap.ts';
import { benchClusterTiles } from './clusterTiles.ts';
import { benchColdStart } from './coldStart.ts';
import { benchDrones } from './drones.ts';
import { benchFirstLook } from './firstLook.ts';
import { benchGrouping } from './grouping.ts';
import { benchIdle, benchLine } from './line.ts';
import { benchMainMemory } from './mainMemory.ts';
import { benchMap } from './map.ts';
import { benchOutboxList, outboxItems } from './outboxList.ts';
import { copyPageFiles } from './pageCopy.ts';
import { buildBenchPages } from './pages.ts';
import { benchPanZoom } from './panZoom.ts';
import { serveFolder } from './staticServer.ts';
import { benchSync } from './sync.ts';
import { benchTowns, townPositions } from './towns.ts';
import { benchUploads, fileMegabytes } from './uploads.ts';
import { benchWorkspace } from './workspace.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    'desk-sizes': { type: 'string', default: '100000,1000000' },
    runs: { type: 'string' },
    only: { type: 'string' },
  },
});
const numbers = (text: string): number[] => text.split(',').map(Number);
const sizes = numbers(values.sizes ?? (values.quick ? '10000' : '10000,100000'));
const deskSizes = numbers(values['desk-sizes']);
const runs = Number(values.runs ?? (values.quick ? 3 : 7));
/** For what takes milliseconds. */
const many = Math.max(runs, 21);
/** How many incidents lie on the floor's map, and on the one that moving a full map is held against. */
const floorPoints = 10_000;

/** What several benches need is made for the first of them, and closed after the last. */
const closers: (() => Promise<unknown>)[] = [];
function shared<T>(make: () => Promise<T>, close: (made: T) => Promise<unknown>): () => Promise<T> {
  const made = async (): Promise<T> => {
    const one = await make();
    closers.unshift(() => close(one));
    return one;
  };
  let first: Promise<T> | null = null;
  return () => (first ??= made());
}
let label: string | null = null;
const browser = shared(
  async () => {
    const found = await chromiumLaunch();
    ({ label } = found);
    process.stderr.write(`Browser: ${label}\n`);
    const { executablePath, args, headless } = found;
    return chromium.launch({ executablePath, args, headless });
  },
  (opened) => opened.close(),
);
const pages = shared(
  () => buildBenchPages([...new Set([...sizes, floorPoints])]),
  (folder) => rm(folder, { recursive: true, force: true }),
);
const site = shared(
  async () => serveFolder(await pages()),
  ({ close }) => close(),
);
/** The console as it ships. What its build says goes to the error stream. */
const built = shared(
  async () => {
    const program = 'node_modules/electron-vite/bin/electron-vite.js';
    const child = spawn(process.execPath, [program, 'build', '--logLevel', 'warn'], {
      stdio: ['ignore', 2, 2],
    });
    const [status] = (await once(child, 'exit')) as [number | null];
    if (status !== 0) throw new Error(`The console could not be built (status ${String(status)})`);
  },
  () => Promise.resolve(),
);
/** Without what a bench that failed left open: the next one would pay for it. */
async function emptyBrowser(): Promise<Browser> {
  const opened = await browser();
  for (const context of opened.contexts()) await context.close();
  return opened;
}
const onPages = async () => ({ browser: await emptyBrowser(), url: (await site()).url, runs });
const onConsole = async () => {
  await built();
  return { browser: await emptyBrowser(), runs };
};

const benches: readonly Bench[] = [
  // First: it measures the memory of this process.
  { name: 'towns', sizes: [townPositions], quick: true, rows: () => benchTowns({ runs }) },
  { name: 'bridge', sizes, quick: true, rows: (size) => [benchBridge(size, many)] },
  { name: 'cluster-tiles', sizes, quick: true, rows: (size) => benchClusterTiles(size, many) },
  {
    name: 'first-look',
    // What a station has on a day of many: the aims are for so many.
    sizes: [200],
    quick: true,
    rows: async (size) => benchFirstLook({ ...(await onConsole()), size }),
  },
  {
    name: 'at-rest',
    // As many as the training week has.
    sizes: [1_700],
    rows: async (size) => benchAtRest({ ...(await onConsole()), size }),
  },
  { name: 'map', sizes, quick: true, rows: async (size) => benchMap({ ...(await onPages()), size }) },
  {
    name: 'drones',
    sizes: [200, 1_000],
    rows: async (count) => benchDrones({ ...(await onPages()), count, points: floorPoints }),
  },
  { name: 'sync', sizes, quick: true, rows: (size) => benchSync({ size, runs }) },
  { name: 'main-memory', sizes, rows: (size) => benchMainMemory({ size }) },
  {
    name: 'cached-map',
    sizes,
    rows: async (size) => benchCachedMap({ ...(await onConsole()), folder: await pages(), size }),
  },
  {
    name: 'cold-start',
    sizes,
    quick: true,
    rows: async (size) => benchColdStart({ ...(await onConsole()), folder: await pages(), size }),
  },
  { name: 'uploads', sizes: [fileMegabytes], rows: () => benchUploads({ runs }) },
  // Each as long as the line takes: some minutes. 1 is the upload, 1,000 the list of evidence.
  { name: 'line', sizes: [2_000, 1_000, 1], rows: benchLine },
  { name: 'idle', sizes: [100, 2_000], rows: benchIdle },
  { name: 'outbox-list', sizes: [outboxItems], rows: async () => benchOutboxList(await onConsole()) },
  { name: 'grouping', sizes, rows: async (size) => benchGrouping({ ...(await onConsole()), size }) },
  {
    name: 'workspace',
    sizes: deskSizes,
    rows: async (size) => {
      const given = await onConsole();
      await copyPageFiles(await pages());
      return benchWorkspace({ ...given, site: (await site()).url, size });
    },
  },
  {
    name: 'pan-zoom',
    sizes: [Math.max(...deskSizes)],
    rows: async (size) =>
      benchPanZoom({ ...(await onConsole()), size, floor: { size: floorPoints, towns: true } }),
  },
  {
    name: 'map-towns',
    sizes: [floorPoints],
    rows: async (size) => benchPanZoom({ ...(await onConsole()), size, floor: { size, towns: false } }),
  },
];

const usual = benches.filter((bench) => bench.quick ?? !values.quick);
const chosen = values.only === undefined ? usual : benchesNamed(values.only.split(','), benches);
process.exitCode = await runBenches(chosen, {
  print: (line) => (values.json ? process.stderr : process.stdout).write(`${line}\n`),
  end: (rows, failed) => {
    if (values.json) process.stdout.write(`${JSON.stringify({ browser: label, rows, failed })}\n`);
    for (const reason of failed) process.stderr.write(`Failed: ${reason.split('\n', 1).join('')}\n`);
  },
});
for (const close of closers) await close();
