import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { limits } from '../../build/first-light/limits.ts';
import project from '../../package.json' with { type: 'json' };
import { expect, test } from './support/fixtures.ts';
import { writeDeployment } from './support/launch.ts';
import { Operator } from './support/operator.ts';

const reportSchema = z.looseObject({
  passed: z.boolean(),
  steps: z.array(z.looseObject({ id: z.string(), outcome: z.string(), detail: z.string() })),
});

/** What only a desktop has. */
test.describe('the desktop application', { tag: '@desktop' }, () => {
  test(
    'starts, opens a window, lists incidents after the sign-in, and quits with status 0',
    { tag: '@stand-in' },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      expect(await page.evaluate(() => typeof Reflect.get(window, 'fieldConsole'))).toBe('object');
      await operator.signIn(service.credentials);
      await operator.expectIncidents(1712);
      expect(await opened.stop()).toBe(0);
    },
  );

  test('a page that is loaded again is still signed in, and hears of what is new', async ({
    operator,
    service,
  }) => {
    for (const count of [1713, 1714]) {
      await operator.page.reload();
      await expect(operator.incidents).toBeVisible();
      service.addIncident({ id: `after-reload-${String(count)}` });
      await operator.expectIncidents(count);
    }
    expect(service.counts.logins).toBe(1);
  });

  test('a page whose process dies comes back by itself, in its session', async ({ operator, service }) => {
    const { page } = operator;
    const next = page.context().waitForEvent('page');
    await page.goto('chrome://crash').catch(() => undefined);
    const back = new Operator(await next);
    await expect(back.incidents).toBeVisible();
    await back.expectIncidents(1712);
    expect(service.counts.logins).toBe(1);
  });

  test('its second window shows its half, and ends with the first, and with that the application', async ({
    opened,
    operator,
  }) => {
    const { page } = operator;
    const [second] = await Promise.all([
      page.context().waitForEvent('page'),
      operator.command('Open a second window with the list'),
    ]);
    await expect(second.getByRole('option').first()).toBeVisible();
    await expect(second.getByRole('region', { name: 'Map', exact: true })).toHaveCount(0);
    await page.close();
    await expect.poll(() => second.isClosed()).toBe(true);
    expect(await opened.stop()).toBe(0);
  });

  test('a second start hands the file that it opens to the first, and leaves with status 3', async ({
    opened,
    runToEnd,
    folder,
  }) => {
    const { page } = opened;
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    const file = await writeDeployment(folder, {
      id: 'north',
      name: 'North Ridge',
      infrastructureUrl: 'https://infrastructure.example.org',
      coordinationUrl: 'https://coordination.example.org',
    });
    const second = await runToEnd([file]);
    expect(second).toMatchObject({
      status: 3,
      stderr: 'Another Field Console has this data folder; its window was brought forward.\n',
    });
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('infrastructure.example.org');
    await dialog.getByRole('button', { name: /^Add/ }).click();
    await expect(page.getByText('North Ridge').first()).toBeVisible();
    expect(await opened.stop()).toBe(0);
  });

  test('the page cannot replace what the preload gave it, nor hand over what cannot be copied', async ({
    opened,
  }) => {
    const tried = await opened.page.evaluate(async () => {
      interface Given {
        readonly verbs: { setPreferences(change: unknown): Promise<{ readonly ok: boolean }> };
      }
      const given = Reflect.get(window, 'fieldConsole') as Given;
      const proxy = new Proxy({ theme: 'sunlight' }, {});
      const refusal = (error: unknown): string => (error instanceof Error ? error.message : String(error));
      return {
        replaced: Reflect.set(window, 'fieldConsole', {}),
        frozen: Object.isFrozen(given) && Object.isFrozen(given.verbs),
        plain: (await given.verbs.setPreferences({ theme: 'sunlight' })).ok,
        malformed: (await given.verbs.setPreferences({ theme: 'plaid' })).ok,
        proxy: await (async () => given.verbs.setPreferences(proxy))().then(() => 'taken', refusal),
      };
    });
    expect(tried).toEqual({
      replaced: false,
      frozen: true,
      plain: true,
      malformed: false,
      proxy: expect.stringContaining('could not be cloned') as unknown,
    });
  });
});

/** A test cannot drive what is shipped, so it is asked to prove itself. */
test.describe('the shipped application', { tag: '@desktop' }, () => {
  test(
    'carries a large file with little memory, and outlives what dies, in a first light',
    { tag: '@map' },
    async ({ folder }, testInfo) => {
      test.setTimeout(limits.whole + limits.step);
      const onStandIn = testInfo.project.metadata['host'] === 'stand-in';
      const args = ['--megabytes', '256', '--out', folder, ...(onStandIn ? ['--stand-in'] : [])];
      const run = promisify(execFile)(process.execPath, ['build/first-light/main.ts', ...args]);
      // With a step that failed it ends with another status.
      const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
      const lines = stdout.split('\n');
      expect(lines.filter((line) => line.startsWith('failed'))).toEqual([]);
      for (const id of ['upload-256', 'upload-cancelled', 'large-push', 'lock', 'page-death', 'main-again'])
        expect(lines).toContainEqual(expect.stringMatching(`^passed +${id} `));
    },
  );

  test('passes its self-test', { tag: '@map' }, async ({ runToEnd }) => {
    const { status, stdout } = await runToEnd(['--self-test']);
    const line = stdout.split('\n').find((text) => text.startsWith('{')) ?? '{}';
    const report = reportSchema.parse(JSON.parse(line));
    expect(report.steps.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect({ status, passed: report.passed }).toEqual({ status: 0, passed: true });
  });

  test('says its version', async ({ runToEnd }) => {
    expect(await runToEnd(['--version'])).toMatchObject({ status: 0, stdout: `${project.version}\n` });
  });

  for (const argument of [
    '--remote-debugging-port=0',
    '--remote-debugging-pipe',
    '--js-flags=--expose-gc',
    '--load-extension=x',
    '--no-such-argument',
  ]) {
    test(`does not start with ${argument.split('=')[0] ?? argument}`, async ({ runToEnd }) => {
      expect((await runToEnd([argument])).status).toBe(2);
    });
  }
});
