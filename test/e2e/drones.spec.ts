import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Drones', exact: true });
const rowsOf = (page: Page): Locator => panelOf(page).getByRole('row');
const cardOf = (page: Page): Locator => page.getByRole('article', { name: 'Chosen drone' });

test.describe('where the drones are', () => {
  test.use({
    serviceOptions: { switches: { drones: 'some' } },
    deployment: { eventsPath: '/events', missions: { pendingPath: '/admin/missions/pending' } },
  });

  test('they are listed by what the event stream says, and lead to their missions and back', async ({
    operator,
  }) => {
    const { page } = operator;
    await operator.openPanel('Drones');
    await expect(rowsOf(page)).toHaveCount(8);
    await expect(panelOf(page).getByText(/^8 drones/)).toBeVisible();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await violations(page), 'the list').toEqual([]);

    const missions = page.getByRole('region', { name: 'Missions', exact: true });
    await operator.openPanel('Missions');
    await missions.getByRole('option').first().click();
    const title = await missions.getByRole('article').getByRole('heading').first().innerText();
    await missions.getByRole('button', { name: 'Show drone' }).click();
    const card = cardOf(page);
    await expect(card).toContainText(/Heading\d{3}°/);
    await expect(card).toContainText('unit not given');
    const id = await card.getByRole('heading', { level: 3 }).innerText();
    await expect(panelOf(page).getByRole('row', { name: id, exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    expect(await violations(page), 'the card').toEqual([]);
    await card.getByRole('button', { name: title }).first().click();
    await expect(missions.getByRole('article')).toContainText(id);
  });

  test('what was known of them is gone with the account', async ({ operator, service }) => {
    const { page } = operator;
    await operator.openPanel('Drones');
    await rowsOf(page).first().click();
    await expect(cardOf(page)).toBeVisible();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
    await expect(panelOf(page)).toHaveCount(0);
    await operator.tryToSignIn(service.credentials);
    await expect(rowsOf(page)).toHaveCount(8);
    await expect(cardOf(page)).toHaveCount(0);
  });

  test(
    'the map draws them, opens the one that is pressed, and follows one until it is moved',
    { tag: '@map' },
    async ({ operator }) => {
      const { page, map, drawnMap } = operator;
      await operator.openPanel('Drones');
      await expect(drawnMap).toHaveAttribute('data-drawn-drones', '8');
      await expect(map.getByRole('list', { name: 'Legend' })).toContainText('Drone');
      await rowsOf(page).first().click();
      const card = cardOf(page);
      const id = await card.getByRole('heading', { level: 3 }).innerText();

      await card.getByRole('button', { name: 'Follow', exact: true }).click();
      const bar = map.getByRole('group', { name: 'Drone on the map' });
      await expect(bar).toContainText(`Following ${id}`);
      await expect(drawnMap).toHaveAttribute('data-camera', / 1[0-9]\.\d{4}$/);
      const box = await map.boundingBox();
      if (!box) throw new Error('The map has no box');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      // Near enough to be apart from the incidents there, which a press is about first.
      for (let step = 0; step < 3; step += 1) await map.getByRole('button', { name: 'Zoom in' }).click();
      await expect(drawnMap).toHaveAttribute('data-camera', / 1[56]\.\d{4}$/);
      // Followed again, it begins in the middle of the map.
      await card.getByRole('button', { name: 'Stop following' }).click();
      await card.getByRole('button', { name: 'Follow', exact: true }).click();
      await card.getByRole('button', { name: 'Close' }).click();
      await expect(card).toHaveCount(0);
      await expect
        .poll(
          async () => {
            await page.mouse.click(x, y);
            return card.count();
          },
          { intervals: [500] },
        )
        .toBe(1);
      await expect(card.getByRole('heading', { name: id })).toBeVisible();
      await expect(bar).toContainText(id);

      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 160, y + 40, { steps: 8 });
      await page.mouse.up();
      await expect(bar, 'moved by hand').toHaveCount(0);
      await expect(card.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
    },
  );
});

test.describe('a deployment that wants no positions', () => {
  test.use({
    serviceOptions: { switches: { drones: 'some' } },
    deployment: { eventsPath: '/events', positions: 'off' },
  });

  test('says so, and draws none', async ({ operator }) => {
    const { page, map } = operator;
    await operator.openPanel('Drones');
    await expect(panelOf(page).getByText('Positions are switched off.')).toBeVisible();
    await expect(rowsOf(page)).toHaveCount(0);
    await expect(map.getByRole('list', { name: 'Legend' })).not.toContainText('Drone');
  });
});
