import type { Locator, Page } from '@playwright/test';
import { themeNames } from '../../src-preload/contract/index.ts';
import { overflowingTexts } from '../e2e/support/overflow.ts';
import { violations } from '../e2e/support/violations.ts';
import { expect, slow, test } from './fixtures.ts';

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Drones', exact: true });
const rowOf = (page: Page, id: string): Locator => panelOf(page).getByRole('row', { name: id, exact: true });
const cardOf = (page: Page): Locator => page.getByRole('article', { name: 'Chosen drone' });

test.describe('drones', () => {
  test('no figure of a row is cut in its middle', async ({ shown }) => {
    const page = await shown.open('drones, known', { language: 'es' });
    await page.setViewportSize({ width: 1024, height: 768 });
    const halves = await page.locator('.drones-list__facts').evaluateAll((lines) =>
      lines.flatMap((line) => {
        const room = line.getBoundingClientRect();
        const boxes = [...line.children].map((part) => part.getBoundingClientRect());
        return boxes
          .filter(
            ({ left, right, top }) =>
              top < room.bottom - 4 && (left < room.left - 1 || right > room.right + 1),
          )
          .map(() => line.textContent);
      }),
    );
    expect(halves).toEqual([]);
    // Where there is no room for the heading it is left out whole.
    const silent = page
      .locator('.drones-list__row', { hasText: 'En silencio' })
      .locator('.drones-list__fact');
    await expect(silent.last()).toContainText('rumbo');
  });

  test('a row says how old a position is, how far the drone is and where it is heading', async ({
    shown,
  }) => {
    const page = await shown.open('drones, known');
    await expect(panelOf(page).getByText('12 drones, 1 silent')).toBeVisible();
    await shown.push({ preferences: { language: 'es' } });
    await expect(page.getByText('12 drones, 1 en silencio')).toBeVisible();
    await shown.push({ preferences: { language: 'en' } });
    await expect(rowOf(page, 'drone-02')).toContainText('5.96 km, bearing 264° true·heading 005°');
    await expect(rowOf(page, 'drone-07')).toContainText('2 min ago');
    await expect(rowOf(page, 'drone-07')).toContainText('Silent·8.94 km');
    await expect(rowOf(page, 'drone-02')).not.toContainText('Silent');
    await expect(rowOf(page, 'drone-05'), 'it says no heading').not.toContainText('heading');
  });

  test('the rows stand in the chosen order, by distance only where a station is set', async ({ shown }) => {
    const page = await shown.open('drones, known');
    const rows = panelOf(page).getByRole('row');
    const order = panelOf(page).getByLabel('Order');
    await expect(rows.first()).toHaveAccessibleName('drone-01');
    await order.selectOption('Longest silent');
    await expect(rows.first()).toHaveAccessibleName('drone-07');
    await order.selectOption('Nearest');
    await expect(rows.first()).toHaveAccessibleName('drone-03');
    await order.selectOption('Fastest');
    await expect(rows.first()).toHaveAccessibleName('drone-08');
    await expect(rows.first()).toContainText('speed 16');
    await shown.open('drones, without a station');
    await expect(order.getByRole('option')).toHaveText(['Name', 'Longest silent', 'Fastest']);
    await expect(rowOf(page, 'drone-02')).not.toContainText('km');
    await expect(cardOf(page).getByRole('button', { name: 'Set the station’s position' })).toBeVisible();
  });

  test('of a thousand the rows in view are there, and keys go through all of them', async ({ shown }) => {
    const page = await shown.open('drones, many');
    const list = panelOf(page).getByRole('grid');
    await expect(list).toHaveAttribute('aria-rowcount', '1000');
    expect(await panelOf(page).getByRole('row').count()).toBeLessThan(40);
    await expect(panelOf(page).getByText('12 drones were left out')).toBeVisible();
    await list.focus();
    await list.press('End');
    await expect(rowOf(page, 'drone-1000')).toBeInViewport({ ratio: 0.9 });
    await expect(rowOf(page, 'drone-1000')).toHaveAttribute('aria-selected', 'true');
    await list.press('ArrowUp');
    await expect(cardOf(page).getByRole('heading', { name: 'drone-999' })).toBeVisible();
    await list.press('Home');
    await expect(rowOf(page, 'drone-01')).toBeInViewport({ ratio: 0.9 });
    await list.press('Escape');
    await expect(cardOf(page)).toHaveCount(0);
  });

  test('what was read stays in sight when others come before it', async ({ shown }) => {
    const page = await shown.open('drones, many');
    const list = panelOf(page).getByRole('grid');
    await list.evaluate((element) => {
      element.scrollTop = 44 * 500;
    });
    await expect(rowOf(page, 'drone-501')).toBeInViewport({ ratio: 0.9 });
    const before = (await rowOf(page, 'drone-501').boundingBox())!.y;
    await panelOf(page).getByLabel('Order').selectOption('Longest silent');
    await expect(rowOf(page, 'drone-501')).toBeInViewport({ ratio: 0.9 });
    expect((await rowOf(page, 'drone-501').boundingBox())!.y).toBeCloseTo(before, 0);
  });

  test('a chosen one has its facts, without a unit that the service did not give', async ({ shown }) => {
    const page = await shown.open('drones, chosen');
    const card = cardOf(page);
    await expect(card.getByRole('heading', { name: 'drone-02' })).toBeVisible();
    await expect(card).toContainText('48.20467° N, 16.29017° E');
    await expect(card).toContainText('Altitude62unit not given');
    await expect(card).not.toContainText('Positions received');
    await expect(card).toContainText('9 items of evidence name it');
    await expect(card).toContainText('battery_percent71');
    await card.getByRole('button', { name: 'Close' }).click();
    await expect(card).toHaveCount(0);
    await shown.open('drones, silent one chosen');
    await expect(cardOf(page)).toContainText('No position has come for a minute or longer.');
  });

  test('its links lead to the mission, the incident and the evidence', async ({ shown }) => {
    const page = await shown.open('drones, chosen');
    await expect(cardOf(page).getByText('ms-not-here-1')).toBeVisible();
    await expect(cardOf(page).getByRole('button', { name: 'ms-not-here-1' })).toHaveCount(0);
    await cardOf(page)
      .getByRole('button', { name: /^bafkre/ })
      .nth(1)
      .click();
    await expect(page.getByRole('dialog', { name: 'Evidence viewer' })).toContainText('2 of');
    await page.keyboard.press('Escape');
    await cardOf(page)
      .getByRole('button', { name: /^[A-Z][a-z]+, / })
      .click();
    await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();
    await cardOf(page).getByRole('button', { name: 'Deliver medical supplies' }).click();
    const missions = page.getByRole('region', { name: 'Missions', exact: true });
    await expect(missions.getByRole('article')).toContainText('ms-gdp4eg-2');
  });

  test('a mission leads to the drone that it names, where that one is known', async ({ shown }) => {
    const page = await shown.open('drones, known');
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Missions/ })
      .click();
    const missions = page.getByRole('region', { name: 'Missions', exact: true });
    const options = missions.getByRole('option');
    await options.filter({ hasText: 'ms-1msnh4v-3' }).click();
    await expect(missions.getByRole('article')).toContainText('drone-02');
    await options.filter({ hasText: 'ms-gdp4eg-2' }).click();
    await expect(missions.getByRole('article')).toContainText('drone-24');
    await expect(
      missions.getByRole('button', { name: 'Show drone' }),
      'its position is not known',
    ).toHaveCount(0);
    await options.filter({ hasText: 'ms-1msnh4v-3' }).click();
    await missions.getByRole('button', { name: 'Show drone' }).click();
    await expect(cardOf(page).getByRole('heading', { name: 'drone-02' })).toBeVisible();
  });

  test('keys choose the next and follow it, and the map says which one it follows', async ({ shown }) => {
    const page = await shown.open('drones, known');
    const bar = page.getByRole('group', { name: 'Drone on the map' });
    await page.keyboard.press('f');
    await expect(bar, 'none is chosen').toHaveCount(0);
    await page.keyboard.press('d');
    await page.keyboard.press('d');
    await expect(cardOf(page).getByRole('heading', { name: 'drone-02' })).toBeVisible();
    await page.keyboard.press('f');
    await expect(bar).toContainText('Following drone-02');
    await expect(cardOf(page).getByRole('button', { name: 'Stop following' })).toBeVisible();
    await page.getByRole('navigation').getByRole('button', { name: 'Incidents' }).click();
    await expect(bar, 'whichever panel is shown').toContainText('Following drone-02');
    await bar.getByRole('button', { name: 'Stop following' }).click();
    await expect(bar).toHaveCount(0);
  });

  for (const [state, said] of [
    ['off', 'Positions are switched off.'],
    ['no-stream', 'There is no event stream.'],
    ['stream-away', 'Live events are disconnected.'],
    ['none-left', 'No drone sends positions.'],
  ] as const)
    test(`without drones it says why: ${state}`, async ({ shown }) => {
      const page = await shown.open(`drones, ${state}`);
      await expect(panelOf(page).getByText(said)).toBeVisible();
      await expect(panelOf(page).getByRole('row')).toHaveCount(0);
      await expect(page.getByRole('list', { name: 'Legend' })).not.toContainText('Drone');
    });

  test('an open stream without a position leads to its events', async ({ shown }) => {
    const page = await shown.open('drones');
    await expect(panelOf(page).getByText('No position has come yet.')).toBeVisible();
    await panelOf(page).getByRole('button', { name: 'Show live events' }).click();
    await expect(page.getByRole('complementary', { name: 'Live events' })).toBeVisible();
  });

  test('on a screen that has lost its console no position is of now', async ({ shown }) => {
    const page = await shown.open('drones, console lost');
    await expect(rowOf(page, 'drone-01')).toContainText('13:59:59 UTC');
    await expect(panelOf(page)).not.toContainText('now');
  });

  test('while live events are disconnected it says since when nothing is heard', async ({ shown }) => {
    const page = await shown.open('drones, live events away');
    await expect(panelOf(page).getByRole('status')).toHaveText(
      'No positions since 14:00 UTC: live events are disconnected.',
    );
  });

  test('positions are read one reading at a time, from the version that is known', async ({ shown }) => {
    const page = await shown.open('drones, known');
    await expect(rowOf(page, 'drone-01')).toBeVisible();
    const before = (await shown.calls('readDrones')).length;
    await shown.hold('readDrones');
    await shown.push({ drones: { version: 2 } });
    await expect.poll(async () => (await shown.calls('readDrones')).length).toBe(before + 1);
    for (const version of [3, 4, 5]) await shown.push({ drones: { version } });
    expect((await shown.calls('readDrones')).slice(before)).toEqual([{ since: 1 }]);
    // What the stand-in answers is of version 1: the page is behind, and asks again.
    await shown.letGo('readDrones');
    await expect.poll(async () => (await shown.calls('readDrones')).length).toBeGreaterThan(before + 1);
    expect(
      new Set((await shown.calls('readDrones')).slice(before).map((one) => JSON.stringify(one))),
    ).toEqual(new Set(['{"since":1}']));
  });

  test('long names are cut and not spilled, in every size of text', async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1024, height: 768 });
    for (const look of [{}, { language: 'ar' }, { language: 'fr', textSize: 'largest' }]) {
      const page = await shown.open('drones, long names', look);
      expect(await overflowingTexts(page)).toEqual([]);
    }
  });

  for (const theme of themeNames)
    // The theme that asks for the most contrast in every run.
    test(`axe finds nothing in ${theme}`, theme === 'sunlight' ? {} : slow, async ({ shown }) => {
      for (const name of ['drones', 'drones, followed', 'drones, live events away', 'drones, long names']) {
        const page = await shown.open(name, { theme });
        expect(await violations(page, theme), `${name}, ${theme}`).toEqual([]);
      }
    });
});

test('a switch beside the map hides the drones and brings them back', async ({ shown }) => {
  const page = await shown.open('drones, known');
  const legend = page.getByRole('list', { name: 'Legend' });
  await expect(legend).toContainText('Drone');
  await page.getByRole('button', { name: 'Map layers' }).click();
  const drones = page.getByRole('checkbox', { name: 'Drones' });
  await expect(drones).toBeChecked();
  await drones.click();
  await expect(legend).not.toContainText('Drone');
  await drones.click();
  await expect(legend).toContainText('Drone');
});

test('in a page from right to left the position begins where the other facts do', async ({ shown }) => {
  const page = await shown.open('drones, chosen', { language: 'ar' });
  const ends = await page.locator('.drone-card .facts__one > dd:first-of-type > bdi').evaluateAll((values) =>
    values.map((value) => {
      const texts = document.createRange();
      texts.selectNodeContents(value);
      return Math.round(Math.max(...Array.from(texts.getClientRects(), ({ right }) => right)));
    }),
  );
  expect(ends.length).toBeGreaterThan(3);
  expect(Math.max(...ends) - Math.min(...ends), ends.join(' ')).toBeLessThanOrEqual(1);
});
