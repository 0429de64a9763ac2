/**
 * Takes the README's screenshots into docs/screenshots: the built browser host with its embedded
 * training in a data folder of its own, seen through the browser that the end-to-end tests use.
 * Build first (`npm run build`).
 */
import { chromium } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromiumLaunch } from '../test/support/chromium.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'out/main/serve.js');
const folder = join(root, 'docs/screenshots');
const mapPackage = 'usgs-mt-whitney-8-15-webp-512.pmtiles';
const outboxFiles = [
  ['harbour wall, north end.jpg', 4_200_000],
  ['harbour wall, crane 3.jpg', 3_700_000],
  ['survey flight 12.mp4', 12_500_000],
];

/** Starts the console and waits for the line that says where it is. */
async function serve(dataDir, further = []) {
  const args = [program, '--no-open', '--data-dir', dataDir, '--training', ...further];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const url = await Promise.race([
    (async () => {
      for await (const line of createInterface({ input: child.stdout })) {
        const [, found] = /^Console ready at (\S+)$/.exec(line) ?? [];
        if (found) return found;
      }
      throw new Error('The console ended without saying that it is ready');
    })(),
    exited.then(([code]) => {
      throw new Error(`The console left with status ${code}`);
    }),
  ]);
  const stop = async () => {
    child.kill('SIGTERM');
    await exited.catch(() => undefined);
  };
  return { url, stop };
}

/** The map has drawn what it was given, and nothing on it still moves. */
async function settled(page) {
  await page.locator('[data-map-state="ready"]').waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForTimeout(2_500);
}

async function take(page, name) {
  await settled(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  process.stdout.write(`docs/screenshots/${name}.png\n`);
}

async function run(page) {
  const button = (name) => page.getByRole('button', { name, exact: true });
  await button('Fill in').click();
  await take(page, 'sign-in-night-1440');

  await button('Sign in').click();
  const incidents = page.getByRole('region', { name: 'Incidents', exact: true });
  await incidents.getByText(/\d incidents/).waitFor();
  const panel = async (name) => {
    await page
      .getByRole('navigation')
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
    return page.getByRole('region', { name, exact: true });
  };
  // The summary of the first reading, which every training session begins with.
  const alarms = await panel('Alarms');
  await alarms.getByText(/incidents known/).waitFor();
  await take(page, 'alarms-night-1440');
  await alarms
    .getByRole('button', { name: /^Acknowledge/ })
    .first()
    .click();
  await panel('Incidents');
  await take(page, 'workspace-night-1440');

  const missions = await panel('Missions');
  await missions.getByText('Pending').first().click();
  await take(page, 'missions-night-1440');
  await panel('Incidents');

  await incidents.getByRole('option').filter({ hasText: 'High' }).first().click();
  await page.getByRole('region', { name: 'Incident details' }).waitFor();
  await take(page, 'details-night-1440');

  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await button('Show all incidents').click();
  await page.mouse.move(0, 0);
  await take(page, 'workspace-day-1440');

  await panel('Integrations');
  await take(page, 'integrations-day-1440');

  const outbox = await panel('Outbox');
  const file = (name, bytes) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.alloc(bytes, name) });
  await outbox
    .getByLabel('Files to send')
    .setInputFiles(outboxFiles.map(([name, bytes]) => file(name, bytes)));
  await outbox.getByText(`${outboxFiles.length} sent`).waitFor();
  await take(page, 'outbox-day-1440');

  await button('Account').click();
  await button('Diagnostics').click();
  await page.getByRole('region', { name: 'Diagnostics', exact: true }).getByText('Versions').waitFor();
  await page.mouse.move(0, 0);
  await take(page, 'diagnostics-day-1440');
  await panel('Integrations');

  await page.getByRole('button', { name: 'Open sync' }).click();
  await take(page, 'sync-day-1440');
  await page
    .getByRole('complementary', { name: 'Sync' })
    .getByRole('button', { name: /^Close/ })
    .click();

  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const maps = await panel('Maps');
  await maps.getByLabel('Map files').setInputFiles(join(root, 'test/fixtures/maps', mapPackage));
  await maps
    .getByRole('button', { name: /^Show extent/ })
    .first()
    .click();
  await take(page, 'maps-night-1440');

  await panel('Settings');
  await page.mouse.move(0, 0);
  await take(page, 'settings-night-1440');
}

async function runWallboard(page) {
  const button = (name) => page.getByRole('button', { name, exact: true });
  await button('Fill in').click();
  await button('Sign in').click();
  await page
    .getByRole('main', { name: 'Wallboard' })
    .getByText(/incidents/)
    .first()
    .waitFor();
  await take(page, 'wallboard-night-1920');
}

if (!existsSync(program)) {
  process.stderr.write('There is no build yet: run `npm run build` first.\n');
  process.exit(1);
}
await mkdir(folder, { recursive: true });
const { executablePath, args, headless } = await chromiumLaunch();
const browser = await chromium.launch({ executablePath, args, headless });

/** Shows a console of its own, started with `further` arguments, to `see`. */
async function show(further, viewport, see) {
  const dataDir = await mkdtemp(join(tmpdir(), 'field-console-screenshots-'));
  const host = await serve(dataDir, further);
  try {
    const page = await browser.newPage({
      viewport,
      locale: 'en-GB',
      timezoneId: 'UTC',
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    });
    await page.goto(host.url);
    await see(page);
    await page.close();
  } finally {
    await host.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

try {
  await show([], { width: 1440, height: 900 }, run);
  await show(['--wallboard'], { width: 1920, height: 1080 }, runWallboard);
} finally {
  await browser.close();
}
