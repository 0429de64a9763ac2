import { test as base, expect } from '@playwright/test';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeFolder, serveConsole, temporaryFolder } from './support/launch.ts';
import { Operator } from './support/operator.ts';

/** `npm run dev` without Electron, in a copy of the sources: an edit here is none of the working tree. */
const test = base.extend<{ sources: string }>({
  sources: async ({}, use) => {
    const folder = await temporaryFolder();
    const sources = join(folder, 'sources');
    await mkdir(sources);
    for (const name of ['src-main', 'src-preload', 'src-renderer', 'build'])
      await cp(resolve(name), join(sources, name), { recursive: true });
    for (const name of ['package.json', 'electron.vite.config.ts'])
      await cp(resolve(name), join(sources, name));
    await symlink(resolve('node_modules'), join(sources, 'node_modules'), 'dir');
    await use(sources);
    await removeFolder(folder);
  },
});

test('the page is served from its sources under the host’s policy, and an edit changes it in place', async ({
  sources,
  page,
}) => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy|\[vue warn\]/i.test(message.text())) complaints.push(message.text());
  });
  const running = await serveConsole(
    join(sources, '../data'),
    ['--training'],
    [join(sources, 'build/launch.mjs'), 'dev'],
  );
  try {
    // The first start makes the dependencies ready, which takes longer than the 30 s that an event is waited for.
    const hotReload = page.waitForEvent('websocket', {
      predicate: (socket) => !socket.url().includes('/socket'),
      timeout: 0,
    });
    const response = await page.goto(running.url);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    await hotReload;
    const origin = new URL(running.url).origin;
    const status = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await page.request.get(`${origin}${path}`, { headers })).status();
    expect(await status('/main.ts')).toBe(200);
    expect(await status('/main.ts', { 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await status('/', { host: 'elsewhere.example:80' })).toBe(403);
    expect(await status(`/@fs${join(sources, 'package.json')}`)).toBe(403);
    expect(await status('/__open-in-editor?file=package.json')).toBe(404);
    expect(await status('/export/00000000000000000000000000000000')).toBe(401);

    await page.getByRole('button', { name: 'Fill in' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const { incidents } = new Operator(page);
    // The workspace's sources are made ready when they are first asked for.
    await expect(incidents.getByText(/\d incidents?\b/).first()).toBeVisible();
    // What a reload would take with it.
    await page.evaluate(() => Object.assign(window, { stillHere: true }));

    const panel = join(sources, 'src-renderer/app/panes/IncidentsPanel.vue');
    const source = await readFile(panel, 'utf8');
    await writeFile(panel, source.replace('<PanelFrame', '<PanelFrame data-edited'));
    await expect(page.locator('[data-edited]')).toBeVisible();
    await expect(incidents.getByText(/\d incidents?\b/).first()).toBeVisible();
    expect(await page.evaluate(() => 'stillHere' in window)).toBe(true);
    expect(complaints).toEqual([]);
  } finally {
    expect(await running.stop()).toBe(0);
  }
});
