import type { Page } from '@playwright/test';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { until } from '../support/clock.ts';
import { expect, test } from './support/fixtures.ts';
import { serveKiosk, type KioskBrowser, type ServedKiosk } from './support/kiosk.ts';
import { writeDeployment } from './support/launch.ts';
import { Operator } from './support/operator.ts';

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Kills the process behind the page, as a lack of memory does. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // The answer dies with the page.
  void session.send('Page.crash').catch(() => undefined);
  await page.waitForEvent('crash');
}

test(
  'a tab that was killed is opened again from the launch file, and the session has gone on',
  { tag: '@journey' },
  async ({ opened, service, browser }) => {
    const { operator, page, dataDir } = opened;
    await operator.signIn(service.credentials);
    const logins = service.counts.logins;
    await crash(page);
    const context = await browser.newContext();
    const again = await context.newPage();
    await again.goto(pathToFileURL(join(dataDir, 'launch.html')).href);
    await expect(new Operator(again).incidents).toBeVisible();
    expect(service.counts.logins).toBe(logins);
    await context.close();
  },
);

test(
  'a page whose console was killed is frozen, says since when, and does nothing',
  { tag: '@journey' },
  async ({ opened, service }) => {
    const { operator, page, pid } = opened;
    await page.clock.install();
    await page.reload();
    await operator.signIn(service.credentials);
    await operator.incidents.getByRole('option').first().click();
    await expect(operator.details.getByText('Incident id')).toBeVisible();
    process.kill(pid, 'SIGKILL');

    const banner = page.getByRole('alert').filter({ hasText: 'Disconnected from the console.' });
    await expect(banner).toContainText(/This screen is frozen at \d\d:\d\d:\d\d UTC/);
    const clock = page.getByRole('button', { name: 'Show local time' });
    const said = [
      banner,
      operator.details,
      clock,
      page.getByRole('button', { name: 'Data status', exact: true }),
    ];
    const texts = (): Promise<string[]> => Promise.all(said.map((part) => part.innerText()));
    const before = await texts();
    await expect(operator.connection).toHaveText(/^\s*Offline\s*disconnected from the console/);
    await expect(page.getByText(/^(Fresh|Delayed), /)).toHaveCount(0);
    await expect(page.getByText('Live', { exact: true })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Open integrations' }).getByText('stale')).toHaveCount(3);
    await expect(page.locator('[data-screen]')).toHaveAttribute('data-screen', 'frozen');

    // Every control that needs the console is disabled, and described by the banner.
    const refresh = operator.incidents.getByRole('button', { name: /^Refresh incidents/ });
    for (const control of [refresh, clock, operator.details.getByRole('button', { name: 'Pin' })]) {
      await expect(control).toBeDisabled();
      await expect(control.locator('xpath=ancestor::fieldset[1]')).toHaveAccessibleDescription(
        /This screen is frozen at .+ Dimmed controls do nothing/,
      );
    }
    // Another panel can still be read.
    await operator.openPanel('Evidence');
    const evidence = page.getByRole('region', { name: 'Evidence', exact: true });
    await expect(evidence.getByRole('button', { name: 'Refresh evidence' })).toBeDisabled();
    await expect(evidence.getByText(/^Frozen, as of/)).toBeVisible();
    await page.clock.runFor(61_000);
    expect(await texts()).toEqual(before);
  },
);

test(
  'the map’s worker that the browser ended, or that broke, is replaced, and the incidents are drawn again',
  { tag: '@map' },
  async ({ operator }) => {
    const { page, drawnMap } = operator;
    const drawn = (): Promise<string | null> => drawnMap.getAttribute('data-drawn-incidents');
    await expect.poll(drawn).toMatch(/^[1-9]/);
    const count = await drawn();
    const clusterWorkers = () => page.workers().filter((worker) => worker.url().includes('cluster'));
    for (const kind of ['ended', 'broke'] as const) {
      const before = clusterWorkers();
      expect(before).toHaveLength(1);
      await drawnMap.evaluate((map) => {
        delete (map as HTMLElement).dataset['drawnIncidents'];
      });
      if (kind === 'ended') {
        await before[0]?.evaluate(() => {
          self.close();
        });
        // No event says so: the next question finds out. The map still has the tiles of the zooms it came from.
        for (let step = 0; step < 4; step += 1) {
          const camera = await drawnMap.getAttribute('data-camera');
          await page.getByRole('button', { name: 'Zoom in' }).click();
          await expect(drawnMap).not.toHaveAttribute('data-camera', camera ?? '');
        }
      } else {
        await before[0]?.evaluate(() => {
          setTimeout(() => {
            throw new Error('broke');
          }, 0);
        });
      }
      await expect.poll(drawn).toBe(count);
      expect(clusterWorkers()).not.toEqual(before);
    }
  },
);

test('the page of a console that stopped stands under the page’s own policy, and hands the code on once', async ({
  opened,
}) => {
  const { page } = opened;
  await page.addInitScript(() => {
    const codes: string[] = [];
    Object.assign(window, {
      codes,
      fieldConsole: {
        verbs: {
          leaveKiosk: ({ code }: { code: string }) => {
            codes.push(code);
            const sentence = { id: 'kiosk.wrongCode', values: {} };
            return Promise.resolve({ ok: false, failure: { code: 'wrong-password', sentence } });
          },
        },
      },
    });
  });
  await page.goto(new URL('/stopped.html', page.url()).href);
  await expect(page.getByRole('heading', { name: 'The console has stopped' })).toBeVisible();
  // The style sheet is let in: without it nothing is centred.
  expect(await page.evaluate(() => getComputedStyle(document.body).display)).toBe('grid');
  const code = page.getByLabel('Administrator’s code');
  await code.fill('7291');
  await page.getByRole('button', { name: 'Leave the console' }).click();
  await expect(page.getByRole('status')).toHaveText('Wrong administrator’s code.');
  await expect(code).toHaveValue('');
  expect(await page.evaluate(() => Reflect.get(window, 'codes') as unknown)).toEqual(['7291']);
});

test.describe('a kiosk', () => {
  let kiosk: ServedKiosk;
  let first: KioskBrowser;
  /** What a test has begun; nothing when it was skipped before it began. */
  let end = (): Promise<unknown> => Promise.resolve();

  test.beforeEach(async ({ folder, service }) => {
    const deployment = await writeDeployment(folder, {
      id: 'station-1',
      name: 'Harbour station',
      infrastructureUrl: service.infrastructureUrl,
      coordinationUrl: service.coordinationUrl,
      timestampUnit: service.switches().timestampUnit,
      pollIntervals: { incidentsMs: 2_000, healthMs: 2_000 },
      sync: { requestsPerMinute: 3_000 },
    });
    kiosk = await serveKiosk({ folder, dataDir: join(folder, 'data'), args: ['--deployment', deployment] });
    end = () => kiosk.stop();
    first = await kiosk.browser();
    await new Operator(first.page).signIn(service.credentials);
  });
  test.afterEach(async () => {
    await end();
    end = () => Promise.resolve();
  });

  /** The workspace is there in the next browser, without a sign-in. */
  const expectBack = async (): Promise<KioskBrowser> => {
    const next = await kiosk.browser([first.profile]);
    await expect(new Operator(next.page).incidents).toBeVisible();
    return next;
  };

  test('whose tab is killed is back in the session by itself', { tag: '@packed' }, async () => {
    await crash(first.page);
    await expectBack();
    expect(alive(first.pid)).toBe(false);
  });

  test('whose page hangs is back in the session by itself', async () => {
    await first.page.evaluate(() => {
      setTimeout(() => {
        for (;;);
      }, 0);
    });
    await expectBack();
    expect(alive(first.pid)).toBe(false);
  });

  test('whose browser is killed is back in the session by itself, and leaves no profile behind', async ({
    folder,
  }) => {
    process.kill(first.pid, 'SIGKILL');
    const next = await expectBack();
    expect(await readdir(join(folder, 'data', 'kiosk-browser'))).toEqual([next.profile]);
  });

  test('whose page is reloaded keeps its browser', async () => {
    await first.page.reload();
    await expect(new Operator(first.page).incidents).toBeVisible();
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    expect(alive(first.pid)).toBe(true);
    expect(await readdir(join(kiosk.dataDir, 'kiosk-browser'))).toEqual([first.profile]);
  });

  test('ends its browser with itself, and keeps its launch code out of all arguments', async () => {
    const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(
      processes.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    const own = commands.filter((command) => command.includes(first.profile));
    expect(process.platform !== 'linux' || own.length > 0).toBe(true);
    expect(own.filter((command) => command.includes('#'))).toEqual([]);
    expect(await kiosk.stop()).toBe(0);
    await until(() => !alive(first.pid), 'the end of the browser');
    expect(existsSync(join(kiosk.dataDir, 'kiosk-browser', first.profile))).toBe(false);
  });
});

test('a kiosk whose browser ends repeatedly is restarted three times, and then says what to do', async ({
  folder,
  service,
}) => {
  const dataDir = join(folder, 'data');
  const program = join(folder, 'dies');
  const shown = join(folder, 'shown');
  await writeFile(program, `#!/bin/sh\necho "$@" >> '${shown}'\nexit 1\n`, { mode: 0o700 });
  const deployment = await writeDeployment(folder, {
    id: 'station-1',
    name: 'Harbour station',
    infrastructureUrl: service.infrastructureUrl,
    coordinationUrl: service.coordinationUrl,
  });
  const run = () => serveKiosk({ folder, dataDir, args: ['--deployment', deployment], program });
  // Each process tries its three reloads: 1, 5 and 20 s. Earlier ones are told by the document.
  const relaunches = [Date.now() - 1_000, Date.now() - 500];
  const one = await run();
  await until(() => existsSync(join(dataDir, 'kiosk-browser')), 'the start');
  expect(await one.exited).toBe(75);
  await writeFile(
    join(dataDir, 'recovery.json'),
    JSON.stringify({ format: 1, relaunches: [...relaunches, Date.now()], gpuOffSince: null }),
  );
  const last = await run();
  await until(
    () => last.output().includes('The console has stopped after repeated failures'),
    'the end of the tries',
    120_000,
  );
  await until(() => existsSync(shown), 'the page');
  await expect
    .poll(async () => (await readFile(shown, 'utf8')).split('\n').at(-2))
    .toMatch(/--app=file:\S+\/stopped\.html/);
  expect(await last.stop()).toBe(0);
});
