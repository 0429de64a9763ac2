import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test, type OpenedConsole } from './support/fixtures.ts';
import { importMap, removeMap } from './support/importedMaps.ts';
import { violations } from './support/violations.ts';

const wallOf = (page: Page) => page.getByRole('main', { name: 'Wallboard' });

test.describe('a wallboard', () => {
  // Signed in to twice and more, each time with a key derived at full cost.

  async function saveView({ page }: OpenedConsole, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of the view' }).fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(
      page.getByRole('list', { name: 'Saved views' }).getByText(name, { exact: true }),
    ).toBeVisible();
    expect(await violations(page), `views with ${name}`).toEqual([]);
    await page.keyboard.press('Escape');
  }

  async function openWall(
    open: (args: readonly string[]) => Promise<OpenedConsole>,
    folder: string,
    rotateSeconds: number,
  ): Promise<OpenedConsole> {
    const policy = join(folder, 'policy.json');
    await writeFile(policy, JSON.stringify({ version: 1, kiosk: { mode: 'wallboard', rotateSeconds } }));
    const opened = await open(['--policy', policy, '--deployment', join(folder, 'station-1.json')]);
    await opened.page.setViewportSize({ width: 1920, height: 1080 });
    return opened;
  }

  test(
    'goes round the saved views, holds for an alarm, says how old it is, and lets nobody act',
    { tag: '@map' },
    async ({ open, service, folder }) => {
      const desk = await open();
      await desk.operator.signIn(service.credentials);
      await desk.operator.expectIncidents(1712);
      await saveView(desk, 'Everything');
      await desk.operator.filter('Severity', 'medium');
      for (const step of ['Zoom in', 'Zoom in']) {
        const before = await desk.operator.drawnMap.getAttribute('data-camera');
        await desk.page.getByRole('button', { name: step }).click();
        await expect(desk.operator.drawnMap).not.toHaveAttribute('data-camera', before ?? '');
      }
      await saveView(desk, 'Medium only');
      await desk.operator.clearFilters();
      await desk.stop();

      const { page } = await openWall(open, folder, 8);
      const wall = wallOf(page);
      await page.getByRole('textbox', { name: 'Password' }).fill(service.credentials.password);
      await page.keyboard.press('Enter');
      const counts = wall.getByRole('region', { name: 'Incidents by severity' });
      await expect(wall.getByRole('heading', { name: 'Everything' })).toBeVisible();
      await expect(counts).toContainText('494 active incidents');
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect(await violations(page), `wallboard, ${colorScheme}`).toEqual([]);
      }
      await expect(wall.getByRole('heading', { name: 'Medium only' })).toBeVisible();
      await expect(counts.getByText('33 active incidents')).toBeVisible();
      await expect(wall.getByText('severity medium')).toBeVisible();
      await expect(wall.locator('[data-map-state]')).toHaveAttribute('data-drawn-incidents', '33');
      await expect(wall.getByRole('heading', { name: 'Everything' })).toBeVisible();

      const offered = await page.getByRole('button').allInnerTexts();
      expect(offered.map((text) => text.trim()).filter(Boolean)).toEqual(['Hold']);
      await expect(page.getByRole('button', { name: 'Leave kiosk' })).toBeVisible();

      service.addIncident({ severity: 'critical', incident_type: 'landslide' });
      const alarm = wall.getByRole('alert').filter({ hasText: 'landslide' });
      await expect(alarm).toBeVisible();
      await expect(wall.getByText('Held by the alarm')).toBeVisible();
      await expect(page.getByRole('button', { name: /acknowledge/i })).toHaveCount(0);
      const shown = await wall.getByRole('heading', { level: 1 }).innerText();
      const before = Number(await wall.getByRole('progressbar').getAttribute('value'));
      expect(await violations(page), 'alarmed').toEqual([]);

      await service.goDown();
      const trouble = wall.getByRole('region', { name: 'Trouble' });
      await expect(trouble).toContainText(/Offline.*Data as of/s);
      // That it stands still for however long is proven without a clock (renderer/wallboard.test.ts).
      await expect(wall.getByText('Held by the alarm')).toBeVisible();
      await expect(wall.getByRole('heading', { level: 1 })).toHaveText(shown);
      expect(Number(await wall.getByRole('progressbar').getAttribute('value'))).toBe(before);
      expect(await violations(page), 'offline and alarmed').toEqual([]);
      await service.comeUp();
      await expect(trouble).toBeHidden();
    },
  );

  test(
    'says on its map which imported map of a view is not on this computer, as long as it shows that view',
    { tag: '@map' },
    async ({ open, service, folder }) => {
      const desk = await open();
      await desk.operator.signIn(service.credentials);
      await desk.operator.expectIncidents(1712);
      await importMap(desk.page, 'Coast', '#d016c8');
      await desk.operator.openPanel('Incidents');
      await saveView(desk, 'Along the coast');
      await removeMap(desk.page, 'Coast');
      await desk.operator.openPanel('Incidents');
      await saveView(desk, 'Everything');
      await desk.stop();

      const { page } = await openWall(open, folder, 15);
      const wall = wallOf(page);
      await page.getByRole('textbox', { name: 'Password' }).fill(service.credentials.password);
      await page.keyboard.press('Enter');
      const missing = wall.getByText('Shown without imported maps that are missing on this computer: Coast.');
      const view = wall.getByRole('heading', { level: 1 });
      await expect(view).toHaveText('Along the coast');
      await expect(missing).toBeVisible();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await violations(page), 'a map is missing').toEqual([]);
      await expect(view).toHaveText('Everything');
      await expect(missing).toHaveCount(0);
      await expect(view).toHaveText('Along the coast');
      await expect(missing).toBeVisible();
    },
  );

  test('without views shows what is open, and the filters of the account stay as they were', async ({
    open,
    service,
    folder,
  }) => {
    const desk = await open();
    await desk.operator.signIn(service.credentials);
    await desk.operator.filter('Severity', 'high');
    await desk.operator.expectIncidents(80);
    await desk.stop();

    const wallboard = await openWall(open, folder, 5);
    const wall = wallOf(wallboard.page);
    await wallboard.page.getByRole('textbox', { name: 'Password' }).fill(service.credentials.password);
    await wallboard.page.keyboard.press('Enter');
    await expect(wall.getByRole('heading', { name: 'Active incidents', exact: true })).toBeVisible();
    await expect(wall.getByText('494 active incidents').first()).toBeVisible();
    await wallboard.stop();

    const again = await open();
    await again.operator.tryToSignIn(service.credentials);
    await again.operator.expectIncidents(80);
  });
});
