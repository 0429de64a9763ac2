/**
 * `npm run bench [-- --json] [-- --sizes 10000,100000] [-- --runs 7] [-- --only workspace,pan-zoom]`: ours
 * against a bare floor, on the same machine, in the same run. Prints medians and their ratios; `--json`
 * prints them as JSON. `--desk-sizes`: for what is done at the desk (workspace; of pan-zoom the largest).
 */
import { chromium } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { chromiumLaunch } from '../support/chromium.ts';
import { benchAtRest } from './atRest.ts';
import { benchBridge } from './bridge.ts';
import { benchCachedMap } from './cachedMap.ts';
import { benchClusterTiles } from './clusterTiles.ts';
import { benchColdStart } from './coldStart.ts';
import { benchDrones } from './drones.ts';
import { benchFirstLook } from './firstLook.ts';
import { benchGrouping } from './grouping.ts';
import { benchMainMemory } from './mainMemory.ts';
import { benchMap } from './map.ts';
import { benchOutboxList } from './outboxList.ts';
import { copyPageFiles } from './pageCopy.ts';
import { buildBenchPages } from './pages.ts';
import { benchPanZoom } from './panZoom.ts';
import { serveFolder } from './staticServer.ts';
import {
  table,
  type LoopLine,
  type Measure,
  type SizeLine,
  type Stall,
  type StepLine,
} from './statistics.ts';
import { benchSync } from './sync.ts';
import { benchTowns } from './towns.ts';
import { benchUploads } from './uploads.ts';
import { benchWorkspace } from './workspace.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '10000,100000' },
    runs: { type: 'string', default: '7' },
    'desk-sizes': { type: 'string', default: '100000,1000000' },
    only: {
      type: 'string',
      default:
        'first-look,at-rest,bridge,cluster-tiles,towns,map,drones,sync,main-memory,cached-map,cold-start,uploads,outbox-list,grouping,workspace,pan-zoom,map-towns',
    },
  },
});
/** How many incidents lie on the floor's map, and on the one that moving a full map is held against. */
const floorPoints = 10_000;
/** As many as the training week has. */
const atRestSize = 1_700;
const droneCount = 1_000;
/** What a station has on a day of many: the aims of the first look are for so many. */
const firstLookSize = 200;
const sizes = values.sizes.split(',').map(Number);
const deskSizes = values['desk-sizes'].split(',').map(Number);
const runs = Number(values.runs);
const wanted = new Set(values.only.split(','));

const measures: Measure[] = [];
const stalls: Stall[] = [];
const loops: LoopLine[] = [];
const memory: SizeLine[] = [];
const firstLook: StepLine[] = [];
const towns: StepLine[] = [];
const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const { executablePath, args, headless, label } = await chromiumLaunch();
say(`Browser: ${label}`);
if (wanted.has('bridge')) for (const size of sizes) measures.push(benchBridge(size, Math.max(runs, 21)));
if (wanted.has('cluster-tiles'))
  for (const size of sizes) measures.push(...benchClusterTiles(size, Math.max(runs, 21)));
if (wanted.has('towns')) {
  const result = benchTowns({ runs });
  towns.push(...result.steps);
  memory.push(...result.sizes);
}
const folder = await buildBenchPages([...new Set([...sizes, floorPoints])]);
const site = await serveFolder(folder);
const browser = await chromium.launch({ executablePath, args, headless });
try {
  if (wanted.has('map')) {
    for (const size of sizes) {
      say(`Map at ${String(size)}`);
      const result = await benchMap({ browser, url: site.url, size, runs });
      measures.push(...result.measures);
      stalls.push(...result.stalls);
    }
  }
  if (wanted.has('drones')) {
    say(`Drones, ${String(droneCount)}`);
    const result = await benchDrones({
      browser,
      url: site.url,
      count: droneCount,
      points: floorPoints,
      runs,
    });
    measures.push(...result.measures);
    stalls.push(...result.stalls);
  }
  if (wanted.has('sync')) {
    for (const size of sizes) {
      say(`Sync of ${String(size)}`);
      const result = await benchSync({ size, runs });
      measures.push(...result.measures);
      loops.push(...result.loops);
      memory.push(...result.sizes);
    }
  }
  if (wanted.has('main-memory')) {
    for (const size of sizes) {
      say(`Memory of the main process at ${String(size)}`);
      memory.push(...(await benchMainMemory({ size })));
    }
  }
  if (wanted.has('uploads')) {
    say('Uploads');
    const result = await benchUploads({ runs });
    measures.push(...result.measures);
    loops.push(...result.loops);
    memory.push(...result.sizes);
  }
  const ofConsole = [
    'first-look',
    'at-rest',
    'cached-map',
    'cold-start',
    'outbox-list',
    'grouping',
    'workspace',
    'pan-zoom',
    'map-towns',
  ];
  if (ofConsole.some((what) => wanted.has(what))) await buildConsole();
  if (wanted.has('first-look')) {
    say('First look');
    firstLook.push(...(await benchFirstLook({ browser, size: firstLookSize, runs })));
  }
  if (wanted.has('at-rest')) {
    say('At rest');
    memory.push(...(await benchAtRest({ browser, size: atRestSize, runs })));
  }
  if (wanted.has('workspace')) {
    await copyPageFiles(folder);
    for (const size of deskSizes) {
      say(`Workspace at ${String(size)}`);
      take(await benchWorkspace({ browser, site: site.url, size, runs }));
    }
  }
  if (wanted.has('pan-zoom')) {
    const size = Math.max(...deskSizes);
    say(`Pan and zoom at ${String(size)}`);
    take(await benchPanZoom({ browser, size, floor: { size: floorPoints, towns: true }, runs }));
  }
  if (wanted.has('map-towns')) {
    say('Pan and zoom with towns and without');
    take(
      await benchPanZoom({ browser, size: floorPoints, floor: { size: floorPoints, towns: false }, runs }),
    );
  }
  if (wanted.has('outbox-list')) {
    say('Outbox list');
    stalls.push(await benchOutboxList({ browser }));
  }
  if (wanted.has('grouping')) {
    for (const size of sizes) {
      say(`Grouping of ${String(size)}`);
      stalls.push(...(await benchGrouping({ browser, size })));
    }
  }
  if (wanted.has('cached-map')) {
    for (const size of sizes) {
      say(`Cached to map at ${String(size)}`);
      measures.push(await benchCachedMap({ browser, folder, size, runs }));
    }
  }
  if (wanted.has('cold-start')) {
    say('Cold start');
    for (const size of sizes) measures.push(await benchColdStart({ browser, folder, size, runs }));
  }
} finally {
  await browser.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(
  values.json
    ? `${JSON.stringify({ browser: label, measures, stalls, loops, memory, firstLook, towns })}\n`
    : table({ measures, stalls, loops, memory, firstLook, towns }),
);

function take(result: {
  readonly measures: readonly Measure[];
  readonly stalls: readonly Stall[];
  readonly sizes: readonly SizeLine[];
}): void {
  measures.push(...result.measures);
  stalls.push(...result.stalls);
  memory.push(...result.sizes);
}

/** Builds the console as it ships. Its output goes to the error stream: standard output is the result's. */
async function buildConsole(): Promise<void> {
  const program = 'node_modules/electron-vite/bin/electron-vite.js';
  const child = spawn(process.execPath, [program, 'build', '--logLevel', 'warn'], {
    stdio: ['ignore', 2, 2],
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`The console could not be built (status ${String(status)})`);
}
