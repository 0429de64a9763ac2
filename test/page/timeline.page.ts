import type { Locator, Page } from '@playwright/test';
import { expect, test, type Shown } from './fixtures.ts';
import { recorded, recordedNow } from './states.ts';

const hour = 3_600_000;

/** The timeline of the last 24 hours, and the two edges of its brush. */
async function openTimeline(shown: Shown): Promise<{ page: Page; from: Locator; until: Locator }> {
  const page = await shown.open('incidents');
  const query = { ...recorded.workspace.slices.incidents!.query, range: '24h' as const };
  await shown.push({ incidents: { query } });
  await page.getByRole('button', { name: 'Show the timeline' }).click();
  const timeline = page.getByRole('region', { name: 'Incidents over time' });
  return {
    page,
    from: timeline.getByRole('slider', { name: 'Shown from' }),
    until: timeline.getByRole('slider', { name: 'Shown until' }),
  };
}

/** Lets so many hours pass since the recording, and waits until the bins have followed. */
async function pass(shown: Shown, from: Locator, hours: number, first: number): Promise<void> {
  await shown.push({ time: { serverNow: recordedNow + hours * hour } });
  await expect(from).toHaveAttribute('aria-valuemin', String(first + hours * hour));
}

const valueOf = async (edge: Locator, name = 'aria-valuenow'): Promise<string> =>
  (await edge.getAttribute(name)) ?? '';

/** Drags an edge to the right, with something that happens while it is held. */
async function drag(page: Page, edge: Locator, meanwhile: () => Promise<void>): Promise<void> {
  const box = await edge.boundingBox();
  if (box === null) throw new Error('The edge is not there');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await meanwhile();
  await page.mouse.move(x + 60, y);
  await page.mouse.up();
}

test.describe('the brush, while the bins go on', () => {
  test('an edge stays at its time, also where the other one is dragged', async ({ shown }) => {
    const { page, from, until } = await openTimeline(shown);
    for (let press = 0; press < 3; press += 1) {
      await until.press('PageDown');
      await from.press('PageUp');
    }
    const begun = await valueOf(from);
    const first = Number(await valueOf(from, 'aria-valuemin'));
    expect(Number(begun)).toBeGreaterThan(first);
    await pass(shown, from, 1, first);
    await expect(from).toHaveAttribute('aria-valuenow', begun);

    const end = await valueOf(until);
    await drag(page, until, () => pass(shown, from, 2, first));
    await expect(until).not.toHaveAttribute('aria-valuenow', end);
    await expect(from).toHaveAttribute('aria-valuenow', begun);
  });

  test('an edge at the present stays there, also where the other one is dragged', async ({ shown }) => {
    const { page, from, until } = await openTimeline(shown);
    for (let press = 0; press < 3; press += 1) await from.press('PageUp');
    const begun = await valueOf(from);
    const first = Number(await valueOf(from, 'aria-valuemin'));
    await drag(page, from, () => pass(shown, from, 1, first));
    await expect(from).not.toHaveAttribute('aria-valuenow', begun);
    await expect(until).toHaveAttribute('aria-valuenow', await valueOf(until, 'aria-valuemax'));
  });

  test('no edge says a time outside of the range', async ({ shown }) => {
    const { from, until } = await openTimeline(shown);
    for (let press = 0; press < 3; press += 1) await until.press('PageDown');
    const first = Number(await valueOf(from, 'aria-valuemin'));
    await pass(shown, from, 30, first);
    await expect(from).toHaveAttribute('aria-valuenow', String(first + 30 * hour));
    await expect(until).toHaveAttribute('aria-valuenow', await valueOf(until, 'aria-valuemin'));
  });
});

test('the notice of an acknowledged alarm stands above the timeline', async ({ shown }) => {
  const { page } = await openTimeline(shown);
  await shown.push({ alarms: { undo: { count: 1, until: 0 } } });
  const notice = page.getByText('1 alarm acknowledged');
  const timeline = page.getByRole('region', { name: 'Incidents over time' });
  await expect(notice).toBeVisible();
  await expect
    .poll(async () => {
      const [over, under] = await Promise.all([notice.boundingBox(), timeline.boundingBox()]);
      return (under?.y ?? Number.NaN) - (over?.y ?? Number.NaN) - (over?.height ?? Number.NaN);
    })
    .toBeGreaterThan(0);
});

test('a part of the time that is chosen is said below the list, whose first row stays in its place', async ({
  shown,
}) => {
  const { page, from } = await openTimeline(shown);
  const list = page.getByRole('listbox', { name: 'Incident list' });
  const before = await list.boundingBox();
  await from.focus();
  await from.press('ArrowRight');
  const said = page.getByRole('region', { name: 'Incidents', exact: true }).getByText(/^Only .* UTC$/);
  await expect(said).toBeVisible();
  const [after, note] = await Promise.all([list.boundingBox(), said.boundingBox()]);
  expect(after?.y).toBe(before?.y);
  expect(note?.y).toBeGreaterThanOrEqual((after?.y ?? Number.NaN) + (after?.height ?? Number.NaN));
});
