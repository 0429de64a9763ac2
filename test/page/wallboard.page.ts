import type { Locator, Page } from '@playwright/test';
import { languages, type Alarm } from '../../src-preload/contract/index.ts';
import { expect, inLanguage, test } from './fixtures.ts';
import { recordedNow, workspaceSlices } from './states.ts';

const [recordedAlarm] = workspaceSlices.alarms!.active;
const minute = 60_000;
const alarmOf = (id: string, minutesAgo: number, change: Partial<Alarm> = {}): Alarm => ({
  ...recordedAlarm!,
  id,
  at: recordedNow - minutesAgo * minute,
  sentence: { text: `Sentence of ${id}.` },
  ...change,
});
const oldestOf = (page: Page): Locator => page.getByRole('region', { name: 'Oldest unacknowledged alarm' });
const headlineOf = (page: Page): Locator => page.getByRole('alert').filter({ hasText: 'Sentence of' });

test.describe('the alarms of a wallboard', () => {
  test('the alarm that waits longest stands below the worst, with its sentence and since when', async ({
    shown,
  }) => {
    const page = await shown.open('wallboard, alarm');
    const low = alarmOf('low', 45, { severity: 'medium', level: 1 });
    await shown.push({ alarms: { active: [alarmOf('critical', 12), low] } });
    await expect(headlineOf(page)).toContainText('Sentence of critical.');
    await expect(headlineOf(page)).toContainText(/Since \d\d:\d\d UTC, 12\smin\sago/);
    await expect(oldestOf(page)).toContainText('Sentence of low.');
    await expect(oldestOf(page)).toContainText(/Since \d\d:\d\d UTC, 45\smin\sago/);
    const [headline, older] = [await headlineOf(page).boundingBox(), await oldestOf(page).boundingBox()];
    expect(older!.y).toBeGreaterThanOrEqual(headline!.y + headline!.height - 1);
    // Acknowledged elsewhere.
    await shown.push({ alarms: { active: [alarmOf('critical', 12)] } });
    await expect(oldestOf(page)).toHaveCount(0);
    await expect(headlineOf(page)).toHaveCount(1);
  });

  test('a critical alarm stays after half an hour, and nothing that passed or was snoozed stands there', async ({
    shown,
  }) => {
    const page = await shown.open('wallboard, alarm');
    const passed = alarmOf('passed', 90, { level: 1, recoveredAt: recordedNow });
    const snoozed = alarmOf('snoozed', 80, { snoozedUntil: recordedNow + 60 * minute });
    await shown.push({ alarms: { active: [alarmOf('critical', 75), snoozed, passed] } });
    await expect(headlineOf(page)).toContainText('Sentence of critical.');
    await expect(headlineOf(page)).toHaveCount(1);
    await expect(page.getByText(/Sentence of (passed|snoozed)/)).toHaveCount(0);
    await expect(oldestOf(page)).toHaveCount(0);
  });
});

/** The two worst are whole, one below the other, in the side of the board. */
async function expectWorstWhole(page: Page): Promise<void> {
  const worst = page.locator('.list--worst').getByRole('listitem');
  await expect(worst).toHaveCount(2);
  const side = (await page.locator('.wall__side').boundingBox())!;
  const boxes = await Promise.all((await worst.all()).map((row) => row.boundingBox()));
  for (const box of boxes) {
    expect(box!.x).toBeGreaterThanOrEqual(side.x - 1);
    expect(box!.x + box!.width).toBeLessThanOrEqual(side.x + side.width + 1);
    expect(box!.y + box!.height).toBeLessThanOrEqual(side.y + side.height + 1);
  }
  expect(new Set(boxes.map((box) => Math.round(box!.y))).size).toBe(2);
}

for (const [width, height] of [
  [1920, 1080],
  [1440, 900],
  [1024, 768],
] as const) {
  test(`the two worst are whole beside two alarms, and no row is cut: ${String(width)} by ${String(height)}`, async ({
    shown,
  }) => {
    const page = await shown.open('wallboard, two alarms');
    await page.setViewportSize({ width, height });
    // Severity and status in one case, as in the list.
    await expect(page.getByRole('region', { name: 'Worst active' })).toContainText('Critical · Open');
    await expectWorstWhole(page);
  });
}

test('places have their number of active incidents, the worst first, and are read at 32 px', async ({
  shown,
}) => {
  await shown.page.setViewportSize({ width: 1920, height: 1080 });
  const page = await shown.open('wallboard');
  const places = page.getByRole('region', { name: 'By place, active incidents' }).getByRole('listitem');
  await expect(places.first()).toHaveText(/\p{L}.*\d/u);
  await expect(page.getByRole('region', { name: /newest/ })).toHaveCount(0);
  const size = await page
    .locator('.list__place')
    .first()
    .evaluate((place) => parseFloat(getComputedStyle(place).fontSize));
  expect(size).toBeGreaterThanOrEqual(32);
});

test('a board that saves data says so: what it shows comes later', async ({ shown }) => {
  const page = await shown.open('wallboard, data saved');
  await expect(page.getByText('Saving data')).toBeVisible();
});

test('the map says how many of the open incidents it lacks, and offers nothing to press', async ({
  shown,
}) => {
  const page = await shown.open('wallboard');
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await expect(map.getByText('2 not on the map')).toBeVisible();
  await expect(map.getByRole('button')).toHaveCount(0);
});

for (const language of ['en', 'ar'] as const) {
  test(`the map fills its part of the board in ${language}`, async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1440, height: 900 });
    const page = await shown.open('wallboard', { language });
    const sides = ['x', 'y', 'width', 'height'] as const;
    const boxOf = async (place: string) => (await page.locator(place).boundingBox())!;
    const apart = async (): Promise<number> => {
      const [part, canvas] = [await boxOf('.wall__map'), await boxOf('.map__canvas')];
      return Math.max(...sides.map((side) => Math.abs(canvas[side] - part[side])));
    };
    // The map takes its size in a frame after its part has it.
    await expect.poll(apart).toBeLessThan(2);
  });
}

test.describe('the change in the last hour', () => {
  const counts = (page: Page): Locator => page.getByRole('region', { name: 'Incidents by severity' });

  test('stands beside the counts, with what happened and nothing else', async ({ shown }) => {
    const page = await shown.open('wallboard, changes');
    await expect(counts(page)).toContainText('Last hour');
    await expect(
      counts(page)
        .getByRole('listitem')
        .filter({ hasText: /12 new|3 escalated|27 resolved/ }),
    ).toHaveCount(3);
    await shown.push({ lastHour: { came: 0, rose: 0, resolved: 0 } });
    await expect(counts(page)).toContainText('No change');
    await shown.push({ lastHour: { came: 1 } });
    await expect(counts(page)).toContainText('1 new');
    await expect(counts(page)).not.toContainText('No change');
  });

  test('says since when, of which incidents, and for how long nothing was read', async ({ shown }) => {
    const page = await shown.open('wallboard, changes since a start');
    await expect(counts(page)).toContainText(/Since \d\d:\d\d UTC, all incidents/);
    await expect(counts(page)).toContainText('No data for 25 min of this time');
  });

  test('takes a lost service for no quiet', async ({ shown }) => {
    const page = await shown.open('wallboard, offline');
    await shown.push({ lastHour: { since: recordedNow - 90 * minute } });
    await expect(counts(page)).toContainText(/Nothing read since \d\d:\d\d UTC/);
    await expect(counts(page)).not.toContainText('No change');
  });
});

test.describe('what stands large', () => {
  const names = (page: Page): Promise<string[]> => page.locator('.counts__name').allTextContents();

  test('critical and high do; what has no rank comes after them', async ({ shown }) => {
    const page = await shown.open('wallboard');
    expect(await names(page)).toEqual(['Critical', 'High', 'Unranked', 'Medium', 'Low']);
    const size = (at: number): Promise<number> =>
      page
        .locator('.counts__figure')
        .nth(at)
        .evaluate((figure) => parseFloat(getComputedStyle(figure).fontSize));
    expect(await size(1)).toBe(await size(0));
    expect(await size(1)).toBeGreaterThan(await size(2));
  });

  test('what has no rank is last where there is none', async ({ shown }) => {
    expect(await names(await shown.open('wallboard, changes since a start'))).toEqual([
      'Critical',
      'High',
      'Medium',
      'Low',
      'Unranked',
    ]);
  });
});

for (const language of languages) {
  test(
    `the two worst are whole below two alarms and a lost service in ${language}`,
    inLanguage(language),
    async ({ shown }) => {
      await shown.page.setViewportSize({ width: 1280, height: 720 });
      const page = await shown.open('wallboard, two alarms, offline', { language });
      await expectWorstWhole(page);
      // Critical and high are never what gives way, and no figure is cut.
      const counts = (await page.locator('.counts').boundingBox())!;
      const figures = await page
        .locator('.counts__one')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
      const seen = figures.filter(({ left }) => left >= counts.x - 1 && left < counts.x + counts.width);
      expect(seen.length).toBeGreaterThanOrEqual(2);
      for (const { top, bottom } of seen) {
        expect(top).toBeGreaterThanOrEqual(counts.y - 1);
        expect(bottom).toBeLessThanOrEqual(counts.y + counts.height + 1);
      }
    },
  );

  test(
    `the sentence of an alarm is whole on a narrow display in ${language}`,
    inLanguage(language),
    async ({ shown }) => {
      const page = await shown.open('wallboard, two alarms', { language });
      await page.setViewportSize({ width: 1024, height: 768 });
      const sentences = page.locator('.band__sentence, .oldest__sentence');
      await expect(sentences).toHaveCount(2);
      const cut = await sentences.evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      );
      expect(cut).toEqual([]);
    },
  );

  test(`no place is cut on a narrow display in ${language}`, inLanguage(language), async ({ shown }) => {
    const page = await shown.open('wallboard', { language });
    await page.setViewportSize({ width: 1024, height: 768 });
    const places = page.locator('.list__place');
    await expect(places.first()).toBeVisible();
    const cut = await places.evaluateAll((all) =>
      all
        .filter((place) => {
          const [own, line] = [place.getBoundingClientRect(), place.parentElement!.getBoundingClientRect()];
          return own.left < line.left - 1 || own.right > line.right + 1;
        })
        .map((place) => place.textContent),
    );
    expect(cut).toEqual([]);
  });
}

test('a row of two lines keeps clear of the border below its list', async ({ shown }) => {
  await shown.page.setViewportSize({ width: 1440, height: 900 });
  const page = await shown.open('wallboard, two alarms', { language: 'ar' });
  await expect(page.locator('.list__row').nth(2)).toBeVisible();
  const room = await page
    .locator('.list')
    .first()
    .evaluate((list) => {
      const last = list.querySelector('li:last-child .list__facts') as Element;
      return list.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom;
    });
  expect(room).toBeGreaterThan(2);
});
