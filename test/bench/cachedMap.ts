import type { Browser } from '@playwright/test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { removeFolder, serveConsole, temporaryFolder } from '../e2e/support/launch.ts';
import { Operator } from '../e2e/support/operator.ts';
import { benchFeatures, benchFrame } from './data.ts';
import type {} from './pages/api.ts';
import { serveFolder } from './staticServer.ts';
import { measure, type Row } from './statistics.ts';
import { syncedFolder } from './sync.ts';

export interface CachedMapOptions {
  readonly browser: Browser;
  /** Where the bench's pages were built to. */
  readonly folder: string;
  readonly size: number;
  readonly runs: number;
}

/**
 * From the open vault to all its incidents drawn, without any service: the console's whole way, out
 * of the encrypted cache, across the bridge and onto the map; against a select of as many rows
 * served to a bare MapLibre page.
 */
export async function benchCachedMap({ browser, folder, size, runs }: CachedMapOptions): Promise<Row[]> {
  const work = await temporaryFolder();
  const { dataDir, deployment, credentials } = await syncedFolder(work, size);
  const database = fillDatabase(join(work, 'bare.sqlite'), size);
  const select = database.prepare('SELECT feature FROM incidents');
  const site = await serveFolder(folder, {
    '/select.geojson': () => {
      const features = select.all().map(({ feature }) => String(feature));
      return Buffer.from(`{"type":"FeatureCollection","features":[${features.join(',')}]}`);
    },
  });
  const ours: number[] = [];
  const floorSamples: number[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      ours.push(await openConsole());
      floorSamples.push(await openBare());
    }
  } finally {
    await site.close();
    database.close();
    await removeFolder(work);
  }
  const floor = 'SQLite select served to a bare MapLibre page, the same basemap';
  return [measure({ what: 'cached to map', size, goal: 1.2, floor, ours, floorSamples })];

  async function openConsole(): Promise<number> {
    const console = await serveConsole(dataDir, ['--deployment', deployment]);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    try {
      await page.goto(console.url);
      const operator = new Operator(page);
      await operator.page.getByRole('textbox', { name: 'Password' }).waitFor();
      const taken = page.evaluate(
        (count) =>
          new Promise<number>((resolve) => {
            let opened: number | null = null;
            const look = (): void => {
              if (document.querySelector('[type="password"]') === null) opened ??= performance.now();
              const drawn = document.querySelector(`[data-drawn-incidents="${String(count)}"]`);
              if (opened !== null && drawn) resolve(performance.now() - opened);
            };
            new MutationObserver(look).observe(document.body, {
              subtree: true,
              childList: true,
              attributes: true,
              attributeFilter: ['data-drawn-incidents'],
            });
          }),
        size,
      );
      await operator.tryToSignIn(credentials);
      return await taken;
    } finally {
      await page.close();
      await console.stop();
    }
  }

  async function openBare(): Promise<number> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${site.url}bare.html?size=${String(size)}&points=select.geojson`);
    await page.waitForFunction(() => 'bench' in window);
    const ms = await page.evaluate(async () => (await window.bench.opened) - window.bench.began);
    await page.close();
    return ms;
  }
}

/** As many incidents as features, a row each. */
function fillDatabase(path: string, size: number): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE incidents (id INTEGER PRIMARY KEY, feature TEXT) STRICT; BEGIN');
  const insert = database.prepare('INSERT INTO incidents VALUES (?, ?)');
  for (const feature of benchFeatures(benchFrame(size, 0, true))) {
    insert.run(Number(feature.id), JSON.stringify(feature));
  }
  database.exec('COMMIT');
  return database;
}
