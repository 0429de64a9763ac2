import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { ProfileHashing } from '../../src-main/core/features/evidence/cid/profiles.ts';
import { acknowledge, ask } from '../support/console.ts';
import { openNodeConsole } from '../support/nodeConsole.ts';
import { expect, test } from './support/fixtures.ts';

/** So many pictures of 12 megapixels and about 4 MB; a measurement asks for thousands. */
const count = Number(process.env['EVIDENCE_COUNT'] ?? 30);
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
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.94 });
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

/** The longest tasks of the page's main thread while `work` is done, milliseconds. */
async function longTasks(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const lengths: number[] = [];
    Object.assign(globalThis, { lengths });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) lengths.push(Math.round(duration));
    }).observe({ type: 'longtask' });
  });
  await work();
  const lengths = await page.evaluate(() => (globalThis as unknown as { lengths: number[] }).lengths);
  return lengths.toSorted((a, b) => b - a);
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
  await mkdir(dataDir, { recursive: true, mode: 0o700 });

  const beganAt = performance.now();
  const { console: filling } = await openNodeConsole({ dataDir, deployment, logLevel: 'warn' });
  let loading = 1;
  acknowledge(filling, ({ slices: { contents } }) => {
    if (contents) loading = contents.bytes;
  });
  await ask(filling, 'signIn', credentials);
  for (const cid of numbers.keys()) await ask(filling, 'loadContent', { cid, soon: true });
  while (loading < base.byteLength * count) await pause(200);
  const size = (loading / 2 ** 20).toFixed(0);
  await filling.close();
  server.closeAllConnections();
  server.close();
  const seconds = (performance.now() - beganAt) / 1_000;
  process.stdout.write(
    `${String(count)} pictures of ${String(base.byteLength)} bytes: ${size} MiB in ${seconds.toFixed(0)} s\n`,
  );
  await service.goDown();

  const openedAt = performance.now();
  const { page, operator } = await open(['--deployment', deployment]);
  await operator.tryToSignIn(credentials);
  const evidence = page.getByRole('region', { name: 'Evidence', exact: true });
  const opening = await longTasks(page, async () => {
    await operator.openPanel('Evidence');
    await expect(evidence.getByRole('row').filter({ hasText: 'verified' }).first()).toBeVisible();
    await expect(evidence.locator('canvas').first()).toBeVisible();
  });
  process.stdout.write(
    `start to the first small picture: ${((performance.now() - openedAt) / 1_000).toFixed(1)} s\n`,
  );
  const scrolling = await longTasks(page, async () => {
    const list = evidence.getByRole('grid');
    for (let step = 0; step < 60; step += 1) {
      await list.evaluate((element, by) => element.scrollBy(0, by), 400);
      await pause(50);
    }
    await list.evaluate((element) => element.scrollTo(0, 0));
    await expect(evidence.locator('canvas').first()).toBeVisible();
  });
  const row = evidence.getByRole('row').filter({ hasText: 'verified' }).first();
  await row.click();
  await row.getByRole('button', { name: 'Open viewer' }).click();
  const viewer = page.getByRole('dialog', { name: 'Evidence viewer' });
  const viewing = await longTasks(page, async () => {
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
  const told = (lengths: readonly number[]): string =>
    lengths.length === 0
      ? 'no task over 50 ms'
      : `${String(lengths.length)} tasks over 50 ms, the longest ${lengths.slice(0, 5).join(', ')} ms`;
  process.stdout.write(
    `opening the list: ${told(opening)}\nscrolling: ${told(scrolling)}\nten pictures in the viewer: ${told(viewing)}\n`,
  );
});
