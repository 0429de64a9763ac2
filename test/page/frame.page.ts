import type { Locator, Page } from '@playwright/test';
import { makeFailure } from '../../src-main/core/domain/failure.ts';
import { expect, test, type Shown } from './fixtures.ts';
import { offline, recorded, recordedNow, unreachable, workspaceSlices } from './states.ts';

const storage = recorded.workspace.slices.storage!;
const memory = { ...storage, keeping: 'memory' as const };
const full = makeFailure({ code: 'storage-failed', at: recordedNow });
const noticesOf = (page: Page): Locator => page.getByRole('region', { name: 'Session notices' });
const closeOf = (page: Page): Locator => noticesOf(page).getByRole('button', { name: 'Close' });

/** Everything at once that may be told, and nothing of it. */
const tellAll = async ({ push }: Shown): Promise<void> => {
  await push({ alarms: workspaceSlices.alarms!, siren: workspaceSlices.siren! });
  await push({ ...offline });
  await push({ storage: { ...memory, problem: full } });
};
const tellNothing = async ({ push }: Shown): Promise<void> => {
  await push({ alarms: { active: [] }, siren: { ...workspaceSlices.siren!, unacknowledged: 0, level: 0 } });
  await push({
    connection: recorded.workspace.slices.connection!,
    incidents: recorded.workspace.slices.incidents!,
  });
  await push({ storage });
};

/** Where everything stands that can be pressed, but for what is told. */
const standing = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const parts = document.querySelectorAll(
      '.rail button, main button, main input, main [role=option], .map button, .map input, [role=contentinfo], footer, aside button',
    );
    return Object.fromEntries(
      [...parts]
        .filter((one) => one.checkVisibility() && one.closest('.told') === null)
        .map((one, at) => {
          const { x, y } = one.getBoundingClientRect();
          return [`${String(at)} ${one.getAttribute('aria-label') ?? one.id}`, `${String(x)},${String(y)}`];
        }),
    );
  });

test.describe('what is told lies over the map', () => {
  for (const [width, height] of [
    [1024, 768],
    [1440, 900],
    [1920, 1080],
  ] as const)
    test(`nothing moves when it comes or goes, at ${String(width)}`, async ({ shown }) => {
      const page = await shown.open('incidents');
      await page.setViewportSize({ width, height });
      await expect(page.getByRole('option').first()).toBeVisible();
      const rows = page.getByRole('option').nth(2);
      const before = [await rows.boundingBox(), await standing(page)];
      await tellAll(shown);
      await expect(page.getByRole('region', { name: 'Alarm banner' })).toBeVisible();
      await expect(noticesOf(page)).toContainText('Offline, data as of');
      await expect(closeOf(page)).toBeVisible();
      // The list says in a line of its own how old it is: its rows are where they were all the same.
      expect(await rows.boundingBox()).toEqual(before[0]);
      const pressable = Object.entries(await standing(page));
      const was = before[1] as Record<string, string>;
      expect(pressable.filter(([name, at]) => name in was && was[name] !== at)).toEqual([]);
      await tellNothing(shown);
      await expect(noticesOf(page).locator('.notice')).toHaveCount(0);
      expect([await rows.boundingBox(), await standing(page)]).toEqual(before);
    });

  test('while the pointer is in it, what goes leaves its place and what comes stands last', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    await shown.push({
      connection: { coordination: { state: 'offline', since: recordedNow, failure: unreachable } },
    });
    await expect(noticesOf(page).locator('.notice')).toHaveCount(1);
    await shown.push({ storage: { ...memory, problem: full } });
    const close = closeOf(page);
    await close.hover();
    const before = await close.boundingBox();
    await shown.push({ alarms: workspaceSlices.alarms!, siren: workspaceSlices.siren! });
    const alarm = page.getByRole('region', { name: 'Alarm banner' });
    await expect(alarm).toBeVisible();
    await shown.push({ connection: recorded.workspace.slices.connection! });
    await expect(noticesOf(page).locator('.notice')).toHaveCount(1);
    expect(await close.boundingBox()).toEqual(before);
    expect((await alarm.boundingBox())!.y).toBeGreaterThan(before!.y);
    await page.getByRole('option').first().hover();
    await expect.poll(async () => (await alarm.boundingBox())!.y < (await close.boundingBox())!.y).toBe(true);
    await expect.poll(async () => (await alarm.boundingBox())!.y).toBeLessThan(before!.y);
  });

  for (const [width, height] of [
    [1024, 768],
    [1440, 900],
  ] as const)
    test(`nothing of it covers a control, nor the close button of a drawer, at ${String(width)}`, async ({
      shown,
    }) => {
      const page = await shown.open('events');
      await page.setViewportSize({ width, height });
      const close = page.getByRole('button', { name: 'Close live events' });
      const at = await close.boundingBox();
      await tellAll(shown);
      await expect(closeOf(page)).toBeVisible();
      expect(await close.boundingBox()).toEqual(at);
      const covered = await page
        .locator('.map button, .map input, .drawer button')
        .filter({ visible: true })
        .evaluateAll((all) =>
          all
            .filter((one) => one.closest('.told') === null)
            .filter((one) => {
              const { x, y, width: wide, height: high } = one.getBoundingClientRect();
              return (
                document.elementFromPoint(x + wide / 2, y + high / 2)?.closest('.told') instanceof Element
              );
            })
            .map((one) => one.getAttribute('aria-label') ?? one.textContent),
        );
      expect(covered).toEqual([]);
      await close.click();
      await expect(close).toHaveCount(0);
    });

  test('the tabulator reaches it before the map, in the order in which it is seen', async ({ shown }) => {
    const page = await shown.open('incidents');
    await shown.push({ storage: { ...memory, problem: full } });
    await expect(closeOf(page)).toBeVisible();
    await shown.push({ alarms: workspaceSlices.alarms!, siren: workspaceSlices.siren! });
    const acknowledge = page.getByRole('button', { name: 'Acknowledge' });
    await acknowledge.focus();
    const next: string[] = [];
    for (let press = 0; press < 3; press += 1) {
      await page.keyboard.press('Tab');
      next.push(await page.evaluate(() => document.activeElement?.textContent.trim() ?? ''));
    }
    expect(next.slice(-2)).toEqual(['Details', 'Close']);
  });
});
