import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Locator } from '@playwright/test';
import { certificate } from '../core/service/transport/certificate.ts';
import {
  layOut,
  makeKey,
  makeRelease,
  running,
  runningSequence,
  target,
  trustIn,
} from '../core/features/updates/releases.ts';
import { serveReleases, type ReleaseServer } from '../core/features/updates/updateRig.ts';
import { otherBuildVariable, type OtherBuild } from './standIn/otherBuild.ts';
import { expect, test as base } from './support/fixtures.ts';
import { givePreferences, writeDeployment, type ServedConsole } from './support/launch.ts';
import { Operator } from './support/operator.ts';
import { installedBy, serveUpdated } from './support/updatedConsole.ts';
import { violations } from './support/violations.ts';

const key = makeKey('release-2026');
const stranger = makeKey('nobody-knows');

async function openUpdates({ page }: Operator): Promise<Locator> {
  await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  return page.getByRole('region', { name: 'Updates', exact: true });
}

interface Opened {
  readonly served: ServedConsole;
  readonly operator: Operator;
  readonly updates: Locator;
  /** A press in the settings' part about updates. */
  press(name: string): Promise<void>;
}

const test = base.extend<{
  /** A console that believes `key` and nobody else, signed in, with its settings open. */
  openUpdated: (options: { readonly server: string | null; readonly allowed?: boolean }) => Promise<Opened>;
}>({
  openUpdated: async ({ browser, folder, service }, use) => {
    const closers: (() => Promise<unknown>)[] = [];
    await use(async ({ server, allowed = true }) => {
      const deployment = await writeDeployment(folder, {
        id: 'north',
        name: 'North Ridge',
        infrastructureUrl: service.infrastructureUrl,
        coordinationUrl: service.coordinationUrl,
      });
      const policy = join(folder, 'policy.json');
      await writeFile(policy, JSON.stringify({ version: 1, updates: { allowed } }));
      const dataDir = join(folder, 'data');
      await givePreferences(dataDir, { tourDone: true });
      const stick = join(folder, 'stick');
      await mkdir(stick);
      const served = await serveUpdated(dataDir, ['--policy', policy, '--deployment', deployment], {
        version: running,
        trust: trustIn([key], { server }),
        target,
        ca: certificate,
        stick,
      });
      closers.push(() => served.stop());
      const context = await browser.newContext({
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      closers.push(() => context.close());
      const page = await context.newPage();
      await page.goto(served.url);
      const operator = new Operator(page);
      await operator.signIn(service.credentials);
      const updates = await openUpdates(operator);
      const press = (name: string): Promise<void> =>
        updates.getByRole('button', { name, exact: true }).click();
      return { served, operator, updates, press };
    });
    for (const close of closers.reverse()) await close();
  },
});

test('a browser host leaves updates to its administrator', async ({ operator }) => {
  const updates = await openUpdates(operator);
  await expect(updates).toContainText('Its administrator updates it on the computer that it runs on.');
  await expect(updates.getByRole('button')).toHaveCount(0);
});

test.describe('where a desktop’s updates are', () => {
  // The console of these tests is composed from the source, with a browser host around it.
  test(
    'a release of a server is found, refused unless signed by a known key, taken, and installed when asked',
    { tag: '@journey' },
    async ({ openUpdated, folder }) => {
      const genuine = makeRelease(key);
      const server = await serveReleases(makeRelease(stranger));
      const { served, operator, updates, press } = await openUpdated({ server: server.address });
      const { page } = operator;
      const copies = (): Promise<string[]> => readdir(join(folder, 'data', 'updates'));
      await expect(updates).toContainText('Version 1.0.0 is running.');
      await expect(updates).toContainText('Not checked yet.');

      await press('Check for updates');
      await expect(updates.getByRole('alert')).toContainText(
        'This release’s signature key is unknown to this console.',
      );
      expect(await violations(page), 'refused').toEqual([]);
      await press('Close');

      server.release = { ...genuine, content: Buffer.alloc(genuine.content.length, 'b') };
      await press('Check for updates');
      await expect(updates).toContainText('A newer version is available.');
      await expect(updates).toContainText(/Version 1\.1\.0, .+, released 19 Nov 2026, 08:00:00 UTC\./);
      await press('Get this version');
      await expect(updates.getByRole('alert')).toContainText(
        'The package does not match its release. It was discarded.',
      );
      expect(await copies(), 'nothing of it is kept').toEqual([]);

      server.release = genuine;
      await press('Check for updates');
      await press('Get this version');
      await expect(updates).toContainText('Version 1.1.0 is checked and ready.');
      expect(await violations(page), 'ready').toEqual([]);
      await press('Install and restart');
      const question = page.getByRole('dialog', { name: 'Install version 1.1.0 now?' });
      await expect(question).toContainText('Nothing is waiting to be sent.');
      expect(await violations(page), 'asked').toEqual([]);
      await question.getByRole('button', { name: 'Not now' }).click();
      await expect(question).toHaveCount(0);
      expect(installedBy(served)).toEqual([]);
      await press('Install and restart');
      await question.getByRole('button', { name: 'Install and restart' }).click();
      await expect(updates).toContainText('The console closes to install version 1.1.0.');
      // It is hashed once more before it is handed over, once.
      await expect.poll(() => installedBy(served).length).toBe(1);
      const [installed] = installedBy(served);
      expect(installed).toMatchObject({ version: '1.1.0', kind: 'appimage' });
      const bytes = await readFile(installed?.path ?? '');
      const digest = (content: Buffer): string => createHash('sha512').update(content).digest('base64');
      expect(digest(bytes)).toBe(digest(genuine.content));
      await server.close();
    },
  );

  test('a stick serves where no server is named, is refused with what is old, and its copy can be thrown away', async ({
    openUpdated,
    folder,
  }) => {
    const { served, updates, press } = await openUpdated({ server: null });
    await expect(updates).toContainText('No update server is set. Updates come from a USB stick.');
    await expect(updates.getByRole('button', { name: 'Check for updates' })).toHaveCount(0);

    await press('From a USB stick');
    await expect(updates.getByRole('alert')).toContainText('No complete release there');
    const stick = join(folder, 'stick');
    await layOut(stick, makeRelease(key, { release: { version: '0.9.0', sequence: runningSequence - 1 } }));
    await press('From a USB stick');
    await expect(updates.getByRole('alert')).toContainText(
      'Release 0.9.0 is older than the running version 1.0.0.',
    );
    await layOut(stick, makeRelease(key));
    await press('From a USB stick');
    await expect(updates).toContainText('Version 1.1.0 is checked and ready.');
    expect(await readdir(join(folder, 'data', 'updates'))).toHaveLength(1);
    await press('Discard it');
    await expect(updates).toContainText('Version 1.0.0 is running.');
    expect(await readdir(join(folder, 'data', 'updates'))).toEqual([]);
    expect(installedBy(served)).toEqual([]);
  });

  test('a policy that leaves them to an administrator is said, and nothing is offered', async ({
    openUpdated,
  }) => {
    const { updates } = await openUpdated({ server: null, allowed: false });
    await expect(updates).toContainText('The computer policy leaves updates to an administrator.');
    await expect(updates.getByRole('button')).toHaveCount(0);
  });
});

/** Says with what it was started, in a file beside itself: a version that is installed needs to do no more. */
const startable = `#!/bin/sh
printf '%s\\n' "$@" > "$0.starting"
mv "$0.starting" "$0.started"
`;

const packaged = base.extend<{
  /** The AppImage that runs. */
  appImage: string;
  releases: ReleaseServer;
}>({
  appImage: async ({ folder }, use) => {
    const path = join(folder, 'field-console.AppImage');
    await writeFile(path, 'the running version');
    await chmod(path, 0o755);
    await use(path);
  },
  releases: async ({}, use) => {
    const server = await serveReleases(null);
    await use(server);
    await server.close();
  },
  environment: async ({ folder, appImage, releases }, use) => {
    const resources = join(folder, 'resources');
    await mkdir(resources);
    // As the packaging writes them (build/electron-builder.ts).
    await writeFile(join(resources, 'install-kind.txt'), 'appimage\nsigned\n');
    await writeFile(
      join(resources, 'app-update.yml'),
      'provider: custom\nupdaterCacheDirName: field-console-updater\n',
    );
    const authority = join(folder, 'authority.pem');
    await writeFile(authority, certificate.trim() + '\n');
    const build: OtherBuild = { trust: trustIn([key], { server: releases.address }), resources };
    // Its private authority reaches the console as an administrator gives one to the system.
    await use({ [otherBuildVariable]: JSON.stringify(build), APPIMAGE: appImage, SSL_CERT_FILE: authority });
  },
});

packaged.describe('the desktop application, out of an AppImage', { tag: '@desktop' }, () => {
  packaged.skip(process.platform !== 'linux', 'Only Linux has AppImages');

  packaged(
    'takes a release that is signed by its key, and is replaced by it when it has closed',
    async ({ opened, service, releases, appImage, folder }) => {
      const described = { arch: process.arch };
      const genuine = makeRelease(key, { content: Buffer.from(startable), package: described });
      const { operator, page } = opened;
      await operator.signIn(service.credentials);
      const updates = await openUpdates(operator);
      const press = (name: string): Promise<void> =>
        updates.getByRole('button', { name, exact: true }).click();
      const running = await readFile(appImage, 'utf8');

      releases.release = makeRelease(stranger, { package: described });
      await press('Check for updates');
      await expect(updates.getByRole('alert')).toContainText('signature key is unknown to this console');
      await press('Close');
      releases.release = { ...genuine, content: Buffer.alloc(genuine.content.length, 'b') };
      await press('Check for updates');
      await press('Get this version');
      await expect(updates.getByRole('alert')).toContainText('The package does not match');

      releases.release = genuine;
      await press('Check for updates');
      await press('Get this version');
      await expect(updates).toContainText('Version 1.1.0 is checked and ready.');
      expect(await readFile(appImage, 'utf8'), 'nothing is installed unasked').toBe(running);
      await press('Install and restart');
      await page.getByRole('dialog').getByRole('button', { name: 'Install and restart' }).click();
      const started = (): Promise<string> => readFile(`${appImage}.started`, 'utf8').catch(() => '');
      await expect.poll(started).not.toBe('');
      expect((await started()).split('\n')).toEqual(
        expect.arrayContaining(['--data-dir', opened.dataDir, join(folder, 'station-1.json')]),
      );
      expect(await readFile(appImage, 'utf8')).toBe(startable);
      expect(await opened.stop()).toBe(0);
    },
  );

  packaged(
    'ends as it is, and installs nothing, when it is closed instead',
    async ({ opened, service, releases, appImage }) => {
      const { operator } = opened;
      releases.release = makeRelease(key, { package: { arch: process.arch } });
      await operator.signIn(service.credentials);
      const updates = await openUpdates(operator);
      for (const name of ['Check for updates', 'Get this version']) {
        await updates.getByRole('button', { name, exact: true }).click();
      }
      await expect(updates).toContainText('Version 1.1.0 is checked and ready.');
      expect(await opened.stop()).toBe(0);
      expect(await readFile(appImage, 'utf8')).toBe('the running version');
    },
  );
});
