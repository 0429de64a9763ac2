import type { Locator } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import type { Operator } from './support/operator.ts';

test.describe('the timeline', { tag: '@map' }, () => {
  test.use({ serviceOptions: { withoutLocation: 0 } });

  async function openTimeline({ page }: Operator): Promise<Locator> {
    await page.getByRole('button', { name: 'Show the timeline' }).click();
    return page.getByRole('region', { name: 'Incidents over time' });
  }
  const heading = (operator: Operator): Locator =>
    operator.incidents.getByText(/^[\d,]+ incidents?$/).first();
  const held = async (operator: Operator): Promise<number> =>
    Number((await heading(operator).innerText()).replaceAll(/\D/g, ''));

  interface Box {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  const boxesOf = (places: readonly Locator[]): Promise<Box[]> =>
    Promise.all(
      places.map((place) =>
        place.evaluate((element) => {
          const { left, top, right, bottom } = element.getBoundingClientRect();
          return { left, top, right, bottom };
        }),
      ),
    );
  const apart = (a: Box, b: Box): boolean =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

  test('a brush by keys and by pointer filters the list and the map, and is cleared', async ({
    operator,
  }) => {
    const { page, incidents, drawnMap } = operator;
    await operator.expectIncidents(1707);
    const timeline = await openTimeline(operator);
    await expect(timeline.getByText(/^Whole range: 1,707 incidents, .* UTC$/)).toBeVisible();
    await expect(timeline.getByRole('img', { name: /^Incidents over time in bars of/ })).toBeVisible();
    await expect(timeline.getByRole('row').nth(1)).toHaveText(/UTC/);

    const until = timeline.getByRole('slider', { name: 'Shown until' });
    const from = timeline.getByRole('slider', { name: 'Shown from' });
    await until.focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('PageDown');
    await page.keyboard.press('Shift+ArrowRight');
    await expect(incidents.getByText(/^Only .* UTC$/)).toBeVisible();
    await expect(heading(operator)).not.toHaveText('1,707 incidents');
    // The last key's filter may still be under way when the heading is read: list and map come to the same number.
    const onMap = async (): Promise<number> => Number(await drawnMap.getAttribute('data-drawn-incidents'));
    await expect.poll(async () => (await held(operator)) - (await onMap())).toBe(0);
    const byKeys = await held(operator);
    await expect(timeline.getByText(new RegExp(`^${byKeys.toLocaleString('en')} incidents, `))).toBeVisible();
    // Another zone is another text, and the same incidents.
    await page.getByRole('button', { name: 'Show local time' }).click();
    await expect(incidents.getByText(/^Only .* local$/)).toBeVisible();
    await page.getByRole('button', { name: 'Show UTC' }).click();
    await expect(incidents.getByText(/^Only .* UTC$/)).toBeVisible();
    await until.press('Escape');
    await operator.expectIncidents(1707);
    await expect(incidents.getByText(/^Only /)).toHaveCount(0);
    // Where there is nothing to clear, Escape is for what lies around.
    await page.evaluate(() => {
      document.addEventListener('keydown', ({ key, defaultPrevented }) => {
        if (!defaultPrevented) document.body.dataset['passed'] = key;
      });
    });
    await until.press('Escape');
    await expect(page.locator('body')).toHaveAttribute('data-passed', 'Escape');

    const box = await timeline.getByRole('group', { name: 'Shown time range' }).boundingBox();
    if (box === null) throw new Error('The bars are not there');
    const y = box.y + box.height / 2;
    const drag = async (begin: number, end: number): Promise<void> => {
      await page.mouse.move(box.x + box.width * begin, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * end, y, { steps: 6 });
      await page.mouse.up();
    };
    await drag(0.3, 0.5);
    const body = timeline.getByRole('slider', { name: 'Shown time range' });
    await expect(body).toBeVisible();
    const drawn = await body.getAttribute('aria-valuetext');
    await expect(incidents.getByText(`Only ${drawn ?? ''}`)).toBeVisible();
    await drag(0.4, 0.6);
    await expect(body).not.toHaveAttribute('aria-valuetext', drawn ?? '');
    const first = await from.getAttribute('aria-valuenow');
    const edge = await until.boundingBox();
    if (edge === null) throw new Error('The edge is not there');
    await page.mouse.move(edge.x + edge.width / 2, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, y, { steps: 6 });
    await page.mouse.up();
    await expect(from).toHaveAttribute('aria-valuenow', first ?? '');
    const byPointer = await held(operator);
    expect(byPointer).toBeGreaterThan(0);
    await expect(drawnMap).toHaveAttribute('data-drawn-incidents', String(byPointer));
    await incidents.getByRole('button', { name: 'Show all times' }).click();
    await operator.expectIncidents(1707);
    await expect(drawnMap).toHaveAttribute('data-drawn-incidents', '1707');
  });

  test('a replay runs, waits, is stepped and left, while new incidents still come', async ({
    operator,
    service,
  }) => {
    const { page, incidents } = operator;
    await operator.expectIncidents(1707);
    const timeline = await openTimeline(operator);
    const until = timeline.getByRole('slider', { name: 'Shown until' });
    await until.focus();
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowLeft');
    await expect(incidents.getByText(/^Only /)).toBeVisible();
    // The list follows the last of the four presses.
    let before = '1,707 incidents';
    const settled = async () => {
      const [last, shown] = [before, await heading(operator).innerText()];
      before = shown;
      return last === shown && shown !== '1,707 incidents';
    };
    await expect.poll(settled, { intervals: [500] }).toBe(true);

    const controls = timeline.getByRole('group', { name: 'Replay' });
    const beginReplay = async (): Promise<void> => {
      await timeline.getByRole('button', { name: 'Replay this period' }).click();
      await expect(controls.getByText(/New incidents and alarms still arrive/)).toBeVisible();
    };
    // A map that gave way to the bar would jump under the operator's eyes.
    const wide = page.viewportSize()!;
    for (const size of [{ width: 1024, height: 768 }, wide]) {
      await page.setViewportSize(size);
      let mapBox = await operator.drawnMap.boundingBox();
      // The rail takes its words with the room that it gets.
      const stands = async () => {
        const earlier = JSON.stringify(mapBox);
        mapBox = await operator.drawnMap.boundingBox();
        return JSON.stringify(mapBox) === earlier;
      };
      await expect.poll(stands, { intervals: [500] }).toBe(true);
      await beginReplay();
      expect(await operator.drawnMap.boundingBox()).toEqual(mapBox);
      const legend = operator.map.getByRole('list', { name: 'Severity legend' });
      const isAboveTheBar = async (): Promise<boolean> => {
        const [shown, bar] = await boxesOf([legend, controls]);
        return shown!.bottom < bar!.top;
      };
      await expect.poll(isAboveTheBar).toBe(true);
      await controls.getByRole('button', { name: 'Leave the replay' }).click();
      expect(await operator.drawnMap.boundingBox()).toEqual(mapBox);
    }
    await beginReplay();
    await expect(incidents.getByText('Showing a replay, not live data.')).toBeVisible();
    await controls.getByLabel('Speed').selectOption('1 d a second');
    const clock = controls.getByRole('timer', { name: 'Replay time' });
    await expect(clock).toHaveText(/UTC$/);
    const begun = await clock.innerText();
    await expect(clock).not.toHaveText(begun);
    await expect(controls.getByText('at its end')).toBeVisible();
    await expect(heading(operator)).toHaveText(before);

    // Slow enough that a stalled machine does not come to the end before the pause.
    await controls.getByLabel('Speed').selectOption('1 h a second');
    await controls.getByRole('button', { name: 'Replay from the beginning' }).click();
    await controls.getByRole('button', { name: 'Pause the replay' }).click();
    await expect(controls.getByText('paused')).toBeVisible();
    const there = await clock.innerText();
    await controls.getByRole('button', { name: 'Step forward' }).click();
    await expect(clock).not.toHaveText(there);
    await timeline.getByRole('slider', { name: 'Replayed so far' }).press('End');
    await expect(heading(operator)).toHaveText(before);
    await controls.getByLabel('Shows').selectOption('The last 5 min');
    await expect(heading(operator)).not.toHaveText(before);

    service.addIncident({ id: 'meanwhile', severity: 'critical' });
    await expect(controls.getByText('1 new incident arrived.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Map', exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(incidents.getByText('Showing a replay, not live data.')).toHaveCount(0);
    await expect(heading(operator)).toHaveText(before);
    await expect(incidents.getByText(/^Only /)).toBeVisible();

    // Another range is another question, and closing the timeline changes nothing of the answer.
    await incidents.getByRole('button', { name: /^Filter/ }).click();
    await page.getByLabel(/^7 d/).click();
    await page.keyboard.press('Escape');
    await expect(incidents.getByText(/^Only /)).toHaveCount(0);
    await timeline.getByRole('button', { name: 'Close the timeline' }).click();
    await expect(timeline).toHaveCount(0);
  });

  test.describe('with the largest text, for fingers', () => {
    test.use({ preferences: { tourDone: true, textSize: 'largest', touch: 'on' } });

    test('on the lowest map, under an alarm and with a replay, nothing covers a control', async ({
      operator,
      service,
    }) => {
      const { page, map } = operator;
      service.addIncident({ severity: 'critical' });
      await page.setViewportSize({ width: 1024, height: 768 });
      const timeline = await openTimeline(operator);
      await timeline.getByRole('button', { name: 'Replay this period' }).click();
      const banner = page.getByRole('region', { name: 'Alarm banner' });
      await expect(banner).toBeVisible();
      const parts = [
        banner,
        map.getByRole('combobox', { name: 'Go to a place' }),
        map.getByRole('group', { name: 'Measure and grids' }),
        map.getByRole('group', { name: 'Map controls' }),
        map.getByRole('list', { name: 'Severity legend' }),
        timeline.getByRole('group', { name: 'Replay' }),
        timeline.getByRole('img', { name: /^Incidents over time/ }),
      ];
      const covering = async (): Promise<string[]> => {
        const boxes = await boxesOf(parts);
        return parts.flatMap((part, first) =>
          parts
            .slice(first + 1)
            .flatMap((other, rest) =>
              apart(boxes[first]!, boxes[first + 1 + rest]!) ? [] : [`${String(part)} and ${String(other)}`],
            ),
        );
      };
      await expect.poll(covering).toEqual([]);
    });
  });
});
