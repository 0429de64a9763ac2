import type { Browser } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining } from '../support/training/index.ts';
import { removeFolder, serveConsole, temporaryFolder, writeDeployment } from '../e2e/support/launch.ts';
import { Operator } from '../e2e/support/operator.ts';
import { openIncidents } from '../support/dataset.ts';
import { measure, type Row } from './statistics.ts';

export interface ColdStartOptions {
  readonly browser: Browser;
  /** Where the bench's pages were built to. */
  readonly folder: string;
  readonly size: number;
  readonly runs: number;
}

/**
 * From starting the browser host's process to its incidents drawn, the operator's sign-in (with the
 * shipped cost of the password's key) and the reading from a service on loopback included; against a
 * bare static server's process and a bare page that draws as many.
 */
export async function benchColdStart({ browser, folder, size, runs }: ColdStartOptions): Promise<Row[]> {
  const service = await startTraining({
    clock: createClock(),
    seed: 7,
    dataset: openIncidents(size),
    switches: { arrivals: false, integrationScript: false },
  });
  const ours: number[] = [];
  const floorSamples: number[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      ours.push(await startConsole());
      floorSamples.push(await startBare());
    }
  } finally {
    await service.close();
  }
  const floor = 'static server process + bare page with as many incidents';
  return [measure({ what: 'cold start', size, goal: null, floor, ours, floorSamples })];

  async function startConsole(): Promise<number> {
    const work = await temporaryFolder();
    const deployment = await writeDeployment(work, {
      id: 'bench',
      name: 'Bench',
      infrastructureUrl: service.infrastructureUrl,
      coordinationUrl: service.coordinationUrl,
      timestampUnit: service.switches().timestampUnit,
    });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const from = performance.now();
    const console = await serveConsole(`${work}/data`, ['--deployment', deployment]);
    try {
      await page.goto(console.url);
      await new Operator(page).tryToSignIn(service.credentials);
      await page.waitForSelector(`[data-drawn-incidents="${String(size)}"]`, { state: 'attached' });
      return performance.now() - from;
    } finally {
      await page.close();
      await console.stop();
      await removeFolder(work);
    }
  }

  async function startBare(): Promise<number> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const from = performance.now();
    const program = fileURLToPath(new URL('staticServer.ts', import.meta.url));
    const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      await page.goto(`${line.toString().trim()}bare.html?size=${String(size)}`);
      await page.waitForFunction(() => 'bench' in window);
      await page.evaluate(() => window.bench.opened);
      return performance.now() - from;
    } finally {
      await page.close();
      child.kill();
      await once(child, 'exit');
    }
  }
}
