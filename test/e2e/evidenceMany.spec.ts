import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import { ProfileHashing } from '../../src-main/core/features/evidence/cid/profiles.ts';
import { acknowledge, ask } from '../support/console.ts';
import { openNodeConsole } from '../support/nodeConsole.ts';
import { expect, test } from './support/fixtures.ts';

/** So many pictures of 12 megapixels and about 4 MB; a measurement asks for thousands. */
const count = Number(process.env['EVIDENCE_COUNT'] ?? 30);
/** So often each, in turn: a console whose vault holds the pictures, and one that knows the same list and holds none. */
const pairs = Number(process.env['EVIDENCE_PAIRS'] ?? 1);
const cacheBytes = 64 * 2 ** 30;

/** A picture with as much detail as one of a camera. */
const drawn = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4_000, 3_000);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('No canvas');
    for (let at = 0; at < 150_000; at += 1) {
      context.fillStyle = `hsl(${String((at * 47) % 360)} 40% ${String(20 + ((at * 31) % 60))}%)`;
      context.fillRect((at * 7_919) % 4_000, (at * 104_729) % 3_000, 4 + (at % 37), 4 + (at % 29));
    }
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.985 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.byteLength; at += 8_192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
    return btoa(text);
  });

const fileOf = (base: Buffer, number: number): Buffer =>
  Buffer.concat([base, Buffer.from(`picture ${String(number)}`)]);

async function cidOf(bytes: Uint8Array): Promise<string> {
  const hashing = new ProfileHashing();
  hashing.write(bytes);
  const { computed } = await hashing.finish();
  return computed.find(({ profile }) => profile === 'v1-raw-1m')?.cid ?? '';
}

/** A task of the page's main thread, milliseconds: how long it took, and how long it had a core. */
interface Task {
  readonly wall: number;
  readonly core: number;
}
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * The tasks of the page's main thread over 20 ms while `work` is done. On a machine that others use too, a task also lasts
 * while it has no core: both times are printed.
 */
async function longTasks(page: Page, work: () => Promise<void>): Promise<readonly Task[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('No browser');
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${String(pid)} ${String(tid)}`),
  );
  return traceEvents
    .filter(
      ({ name, ph, pid, tid }) =>
        ph === 'X' && name.endsWith('RunTask') && mains.has(`${String(pid)} ${String(tid)}`),
    )
    .map(({ dur = 0, tdur = 0 }) => ({ wall: dur / 1_000, core: tdur / 1_000 }))
    .filter(({ wall }) => wall > 20);
}

test('a vault full of pictures is listed, scrolled and seen without the network', async ({
  open,
  service,
  folder,
  browser,
}) => {
  test.setTimeout(3_600_000);
  const blank = await browser.newPage();
  const base = Buffer.from(await drawn(blank), 'base64');
  await blank.close();
  const numbers = new Map<string, number>();
  for (let number = 0; number < count; number += 1) {
    const cid = await cidOf(fileOf(base, number));
    numbers.set(cid, number);
    service.addEvidence({
      cid,
      file_name: `picture-${String(number).padStart(4, '0')}.jpg`,
      media_type: 'image/jpeg',
    });
  }
  // Bytes only: they are held against the CIDs by the usual profiles.
  const server = createServer((request, response) => {
    const number = numbers.get((request.url ?? '').replace(/^\/ipfs\//, '').replace(/\?.*/, ''));
    if (number === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(fileOf(base, number));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateways = [`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/ipfs/`];
  const further = { gateways, evidenceCache: cacheBytes };
  const deployment = join(folder, 'many.json');
  const { infrastructureUrl, coordinationUrl, credentials } = service;
  const common = {
    id: 'station-1',
    name: 'Many',
    infrastructureUrl,
    coordinationUrl,
    timestampUnit: 'seconds',
  };
  await writeFile(deployment, JSON.stringify({ version: 1, ...common, ...further }));
  const dataDir = join(folder, 'data');
  const heldAside = { pictures: join(folder, 'pictures'), control: join(folder, 'control') };

  const beganAt = performance.now();
  for (const kind of ['control', 'pictures'] as const) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const { console: filling } = await openNodeConsole({ dataDir, deployment, logLevel: 'warn' });
    let [bytes, listed] = [0, 0];
    acknowledge(filling, ({ slices: { contents, evidence } }) => {
      if (contents) ({ bytes } = contents);
      if (evidence?.complete) listed = evidence.count;
    });
    await ask(filling, 'signIn', credentials);
    while (listed < count) await pause(50);
    if (kind === 'pictures') {
      for (const cid of numbers.keys()) await ask(filling, 'loadContent', { cid, soon: true });
      while (bytes < base.byteLength * count) await pause(200);
      process.stdout.write(
        `${String(count)} pictures of ${String(base.byteLength)} bytes: ${(bytes / 2 ** 20).toFixed(0)} MiB in ` +
          `${((performance.now() - beganAt) / 1_000).toFixed(0)} s\n`,
      );
    }
    await filling.close();
    await rename(dataDir, heldAside[kind]);
  }
  server.closeAllConnections();
  server.close();
  await service.goDown();

  for (let round = 0; round < pairs * 2; round += 1) {
    const kind = round % 2 === 0 ? 'control' : 'pictures';
    await rename(heldAside[kind], dataDir);
    const openedAt = performance.now();
    const { page, operator, stop } = await open(['--deployment', deployment]);
    await operator.tryToSignIn(credentials);
    const evidence = page.getByRole('region', { name: 'Evidence', exact: true });
    const seen = async (): Promise<void> => {
      await expect(evidence.getByRole('row').first()).toBeVisible();
      if (kind === 'control') return;
      await expect(evidence.getByRole('row').filter({ hasText: 'verified' }).first()).toBeVisible();
      await expect(evidence.locator('canvas').first()).toBeVisible();
    };
    const figures: Record<string, readonly Task[]> = {};
    figures['signing in'] = await longTasks(page, async () => {
      await operator.openPanel('Incidents');
      await settledPage(page);
    });
    figures['opening'] = await longTasks(page, async () => {
      await operator.openPanel('Evidence');
      await seen();
      await pause(2_000);
    });
    const seconds = (performance.now() - openedAt) / 1_000;
    figures['scrolling'] = await longTasks(page, async () => {
      const list = evidence.getByRole('grid');
      for (let step = 0; step < 60; step += 1) {
        await list.evaluate((element, by) => element.scrollBy(0, by), 400);
        await pause(50);
      }
      await list.evaluate((element) => element.scrollTo(0, 0));
      await seen();
    });
    if (kind === 'pictures') figures['ten pictures in the viewer'] = await viewTen(page, evidence);
    process.stdout.write(
      `${kind}, start to the list ${seconds.toFixed(1)} s: ${Object.entries(figures)
        .map(([name, lengths]) => `${name} ${told(lengths)}`)
        .join('; ')}\n`,
    );
    await stop();
    await page.close();
    await rename(dataDir, heldAside[kind]);
  }
});

/** Once the page has had seconds for itself: what signing in costs is not the list's. */
async function settledPage(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'Incidents', exact: true })).toBeVisible();
  await pause(3_000);
}

async function viewTen(page: Page, evidence: Locator): Promise<readonly Task[]> {
  const row = evidence.getByRole('row').filter({ hasText: 'verified' }).first();
  await row.click();
  await row.getByRole('button', { name: 'Open viewer' }).click();
  const viewer = page.getByRole('dialog', { name: 'Evidence viewer' });
  return longTasks(page, async () => {
    for (let step = 0; step < 10; step += 1) {
      await expect
        .poll(() =>
          viewer
            .getByRole('img')
            .evaluate(
              (image) => (image as HTMLImageElement).complete && (image as HTMLImageElement).naturalWidth,
            ),
        )
        .toBe(4_000);
      await page.keyboard.press('PageDown');
    }
  });
}

function told(tasks: readonly Task[]): string {
  const longest = (of: (task: Task) => number): string =>
    tasks
      .map((task) => Math.round(of(task)))
      .toSorted((a, b) => b - a)
      .slice(0, 3)
      .join(', ');
  const over = tasks.filter(({ wall }) => wall > 50).length;
  return `${String(over)} over 50 ms (longest ${longest(({ wall }) => wall)}; on a core ${longest(({ core }) => core)})`;
}
