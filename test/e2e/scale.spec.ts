import process from 'node:process';
import { syntheticIncidents } from '../support/dataset.ts';
import { expect, test } from './support/fixtures.ts';

const count = 100_000;

test.describe('100,000 incidents', { tag: '@map' }, () => {
  test.use({ serviceOptions: { dataset: syntheticIncidents(count, 11) } });

  test('scroll to the end, sort, filter, select and pan: counts right, the longest tasks printed', async ({
    operator,
  }) => {
    const { page, incidents, map } = operator;
    await expect(incidents.getByText('100,000 incidents').first()).toBeVisible();
    const drawn = operator.drawnMap;
    await expect(drawn).toHaveAttribute('data-drawn-incidents', String(count));

    // What the machine does by itself in the same page at rest is the floor of what counts as ours.
    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(window, { longTasks: tasks });
      new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map((entry) => entry.duration)),
      ).observe({
        type: 'longtask',
      });
    });
    const takeLongTasks = () =>
      page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks.splice(0).map(Math.round));
    // eslint-disable-next-line no-restricted-syntax -- measured is what happens in this time
    await page.waitForTimeout(4_000);
    const atRest = await takeLongTasks();

    const stalls: Record<string, number[]> = {};
    const step = async (name: string, act: () => Promise<void>) => {
      await act();
      // eslint-disable-next-line no-restricted-syntax -- measured is what happens in this time
      await page.waitForTimeout(700);
      stalls[name] = await takeLongTasks();
    };
    await step('scroll to the end', async () => {
      await incidents.getByRole('listbox').focus();
      await page.keyboard.press('End');
      await expect(incidents.locator(`[aria-posinset="${count}"]`)).toBeVisible();
      await page.keyboard.press('Home');
      await expect(incidents.locator('[aria-posinset="1"]')).toBeVisible();
    });
    await step('sort', async () => {
      await incidents.getByRole('button', { name: /^Sort by/ }).click();
      for (const way of [/^oldest first$/i, /^newest first$/i]) {
        await page.getByRole('button', { name: way }).click();
        await expect(incidents.locator('[aria-posinset="1"]')).toBeVisible();
      }
      await page.keyboard.press('Escape');
    });
    await step('select', async () => {
      await incidents.getByRole('option').first().click();
      await expect(operator.details).toBeVisible();
      await page.keyboard.press('Escape');
    });
    await step('filter', async () => {
      await operator.filter('Severity', 'critical');
      await expect(incidents.getByText('100,000 incidents')).toHaveCount(0);
      await operator.clearFilters();
      await operator.expectIncidents(count);
      await expect(drawn).toHaveAttribute('data-drawn-incidents', String(count));
    });
    await step('pan', async () => {
      const box = await map.boundingBox();
      if (!box) throw new Error('The map has no box');
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 4, box.y + box.height / 3, { steps: 8 });
      await page.mouse.up();
    });

    const worst = Object.fromEntries(
      Object.entries(stalls).map(([name, tasks]) => [name, Math.max(0, ...tasks)]),
    );
    test.info().annotations.push({
      type: 'long tasks (ms)',
      description: `${JSON.stringify(worst)}; at rest ${Math.max(0, ...atRest)}`,
    });
    process.stdout.write(
      `Longest tasks in ms: ${JSON.stringify(worst)}; at rest ${Math.max(0, ...atRest)}\n`,
    );
  });
});
