import type { Locator, Page } from '@playwright/test';
import { languages, type Alarm, type IncidentQuery } from '../../src-preload/contract/index.ts';
import { stateNamed } from './allStates.ts';
import { expect, inLanguage, test } from './fixtures.ts';
import { makeFailure } from '../../src-main/core/base/failure.ts';
import { recordedNow } from './states.ts';
import { alikeCount, firstId, stackedIds } from './states/panels.ts';

/** What the console is asked for by who wants to see all. */
const everything: IncidentQuery = {
  range: 'all',
  severities: [],
  statuses: [],
  types: [],
  openOnly: false,
};

/** One that calls, about these incidents. */
const alarmAbout = (id: string, ...incidentIds: string[]): Alarm => ({
  ...{ id, incidentIds, count: incidentIds.length, listed: incidentIds.length },
  kind: 'incident',
  level: 2,
  severity: 'high',
  at: 1,
  sentence: { text: 'New' },
  acknowledgedAt: null,
  note: null,
  snoozedUntil: null,
  escalatedAt: null,
  recoveredAt: null,
});

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Incidents', exact: true });

test.describe('incidents', () => {
  test('a refusal for want of permission says what may not be seen, beside what is known', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    const failure = makeFailure({ code: 'not-granted', status: 403, at: recordedNow + 60_000 });
    await shown.push({ incidents: { failure, freshness: 'stale' } });
    await expect(panelOf(page)).toContainText(
      'You don’t have permission to view incidents. Ask an administrator for it, then check again.',
    );
    await shown.push({ incidents: { lastReadAt: null } });
    await expect(panelOf(page).getByText('permission to view incidents')).toHaveCount(1);
    await expect(panelOf(page).getByText('permission for this')).toHaveCount(0);
  });

  test('begins with what is open, the worst first, and holds the rest on one press', async ({ shown }) => {
    const page = await shown.open('incidents, open first');
    const list = panelOf(page);
    await expect(list.getByRole('button', { name: 'Active', exact: true })).toBeVisible();
    // Two are worst: what has no rank stands beside critical.
    const worst = list.getByRole('option').filter({ hasText: /critical|catastrophic/i });
    const count = await worst.count();
    for (let at = 0; at < count; at += 1)
      await expect(worst.nth(at)).toHaveAttribute('aria-posinset', String(at + 1));
    expect(count).toBeGreaterThan(1);
    await expect(list.getByRole('option').filter({ hasText: 'resolved' })).toHaveCount(0);
    await list.getByRole('button', { name: 'Active', exact: true }).click();
    await page.getByRole('button', { name: 'All incidents', exact: true }).click();
    expect(await shown.calls('setIncidentQuery')).toMatchObject([{ openOnly: false }]);
    await shown.push({ incidents: { query: everything } });
    await expect(list.getByText(/^122 incidents$/)).toBeVisible();
    await expect(list.getByText('Active:', { exact: true })).toBeVisible();
    await expect(list.getByRole('option').filter({ hasText: 'resolved' }).first()).toBeVisible();
  });

  const holders = {
    nothing: (page: Page) =>
      page.evaluate(() => {
        (document.activeElement as HTMLElement).blur();
      }),
    'the status bar': (page: Page) => page.getByRole('button', { name: 'Data status', exact: true }).focus(),
    'a row': (page: Page) => panelOf(page).getByRole('listbox').focus(),
    'the rail': (page: Page) => page.getByRole('navigation').getByRole('button').first().focus(),
  };
  for (const [holder, focus] of Object.entries(holders))
    test(`Escape closes the drawer, then the details, while ${holder} has the focus`, async ({ shown }) => {
      const page = await shown.open('details');
      await page.getByRole('button', { name: 'Data status', exact: true }).click();
      const drawer = page.locator('aside.drawer');
      await expect(drawer).toBeVisible();
      const details = page.getByRole('region', { name: 'Incident details' });
      await focus(page);
      await page.keyboard.press('Escape');
      await expect(drawer).toHaveCount(0);
      await expect(details).toBeVisible();
      await focus(page);
      await page.keyboard.press('Escape');
      await expect(details).toHaveCount(0);
    });

  test('Escape clears the search alone, then leaves it for the list', async ({ shown }) => {
    const page = await shown.open('details');
    const box = page.locator('[data-search]');
    await page.keyboard.press('/');
    await page.keyboard.type('bridge');
    await page.keyboard.press('Escape');
    await expect(box).toHaveValue('');
    await expect(box).toBeFocused();
    await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panelOf(page).getByRole('listbox', { name: 'Incident list' })).toBeFocused();
  });

  test('Escape in a menu closes the menu alone', async ({ shown }) => {
    const page = await shown.open('details');
    const menu = page.getByRole('menu');
    await page.getByRole('option').first().click({ button: 'right' });
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();
  });

  test('says that nothing is open, and shows the rest on one press', async ({ shown }) => {
    const page = await shown.open('incidents, none open');
    await expect(panelOf(page).getByText('No active incidents.')).toBeVisible();
    await panelOf(page).getByRole('button', { name: 'Show all incidents' }).click();
    expect(await shown.calls('setIncidentQuery')).toMatchObject([{ openOnly: false }]);
  });

  test('a status that is over shows what is over', async ({ shown }) => {
    const page = await shown.open('incidents, open first');
    await panelOf(page).getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('checkbox', { name: /^Resolved/ }).click();
    expect(await shown.calls('setIncidentQuery')).toMatchObject([
      { statuses: ['resolved'], openOnly: false },
    ]);
  });

  test('opens the worst that is open, then the next, by its key', async ({ shown }) => {
    const page = await shown.open('incidents');
    const details = page.getByRole('region', { name: 'Incident details' });
    await page.keyboard.press('w');
    await expect(details).toContainText('syn-7-nowhere');
    const worst = await details.innerText();
    await page.keyboard.press('w');
    await expect(details).not.toHaveText(worst);
    await expect(details).toContainText('syn-7-');
  });

  test('the worst that is open has its key in the list of changes, and while an alarm is shown', async ({
    shown,
  }) => {
    const page = await shown.open('incidents, changed');
    const details = page.getByRole('region', { name: 'Incident details' });
    await panelOf(page).getByRole('button', { name: 'Changed 3' }).click();
    await expect(panelOf(page).getByRole('heading', { name: 'Changed', exact: true })).toBeVisible();
    await page.keyboard.press('w');
    await expect(details).toContainText('syn-7-nowhere');
    await shown.open('alarm');
    await page
      .getByRole('region', { name: 'Alarms', exact: true })
      .getByRole('button', { name: 'Show incidents' })
      .click();
    await expect(
      panelOf(page).getByRole('group', { name: 'Showing the 2 incidents of this alarm' }),
    ).toBeVisible();
    await page.keyboard.press('w');
    await expect(details).toContainText('syn-7-nowhere');
  });

  test('lists what is nearest to the station first, and the worst first again, by its key', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    const sorted = (order: string) => panelOf(page).getByRole('button', { name: `Sort by: ${order}` });
    await page.keyboard.press('s');
    await expect(sorted('Distance, nearest first')).toBeVisible();
    await expect(page.getByRole('listbox', { name: 'Incident list' })).toBeFocused();
    await page.keyboard.press('s');
    await expect(sorted('Severity, worst first')).toBeVisible();
  });

  test('offers no order by distance while the station has no position', async ({ shown }) => {
    const page = await shown.open('incidents');
    const distance = page.getByRole('dialog').getByRole('button', { name: 'Distance' });
    await panelOf(page)
      .getByRole('button', { name: /^Sort by/ })
      .click();
    await expect(distance).toBeVisible();
    await shown.push({ workspace: { station: null } });
    await expect(distance).toHaveCount(0);
  });

  test('the order turns in its own menu, which stays', async ({ shown }) => {
    const page = await shown.open('incidents');
    await panelOf(page)
      .getByRole('button', { name: /^Sort by/ })
      .click();
    await page.getByRole('button', { name: /^oldest first$/i }).click();
    await expect(panelOf(page).getByRole('button', { name: 'Sort by: Time, oldest first' })).toBeVisible();
    await page.getByRole('button', { name: /^newest first$/i }).click();
    await expect(panelOf(page).getByRole('button', { name: 'Sort by: Time, newest first' })).toBeVisible();
  });

  test('one filter has the time, statuses and types, and says how many are chosen', async ({ shown }) => {
    const page = await shown.open('incidents');
    await panelOf(page).getByRole('button', { name: 'Filter', exact: true }).click();
    const menu = page.getByRole('dialog', { name: 'Filter' });
    await menu.getByLabel('1 h: last hour').click();
    await menu.getByRole('group', { name: 'Type' }).getByRole('checkbox').first().click();
    const calls = await shown.calls('setIncidentQuery');
    expect(calls).toMatchObject([{ range: '1h' }, { types: [expect.any(String)] }]);
    await shown.push({ incidents: { query: { ...everything, range: '1h', types: ['flood'] } } });
    await expect(panelOf(page).getByRole('button', { name: 'Filter 2', exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await panelOf(page).getByRole('button', { name: 'Clear filters' }).click();
    expect((await shown.calls('setIncidentQuery')).at(-1)).toMatchObject({ range: 'all', types: [] });
  });

  for (const [state, width, height, rowsInSight, most] of [
    ['incidents, open first', 1440, 900, 16, 140],
    ['incidents', 1440, 900, 16, 140],
    ['incidents, open first', 1180, 820, 10, 274],
    ['incidents', 1180, 820, 10, 274],
  ] as const)
    test(`the head of “${state}” is four lines, ${String(rowsInSight)} rows below it, at ${String(width)}`, async ({
      shown,
    }) => {
      const touch = width === 1180;
      const page = await shown.open(state);
      await shown.push({ preferences: { touch: touch ? 'on' : 'off' } });
      await page.setViewportSize({ width, height });
      const list = panelOf(page).getByRole('listbox');
      const box = (await list.boundingBox())!;
      const panel = (await panelOf(page).boundingBox())!;
      expect(box.y - panel.y).toBeLessThanOrEqual(most);
      const row = (await list.getByRole('option').first().boundingBox())!;
      expect(Math.floor(box.height / row.height)).toBeGreaterThanOrEqual(rowsInSight);
    });

  test('a row is heard with its severity first and without its age, and its details as they open', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    const row = panelOf(page).getByRole('option').first();
    await expect(row).toMatchAriaSnapshot(`- option /^(Critical|High|Medium|Low|Unranked)[^]*$/`);
    await expect(row.locator('.row__age')).toHaveAttribute('aria-hidden', 'true');
    const details = page.getByRole('status').filter({ hasText: 'Details open' });
    await expect(details).toHaveCount(0);
    await row.click();
    await expect(details).toHaveCount(1);
  });

  test('the alarms that wait, and how live the incidents are, have a key each', async ({ shown }) => {
    const page = await shown.open('incidents, alarm');
    await page.keyboard.press('u');
    await expect(page.getByRole('region', { name: 'Alarms', exact: true })).toBeVisible();
    await page.keyboard.press('l');
    await expect(page.getByRole('button', { name: 'Data status', exact: true })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
  });

  test('of what may not be all, what is open may not be all either', async ({ shown }) => {
    const page = await shown.open('incidents, perhaps more');
    await expect(panelOf(page)).toContainText(/At least \d+ incidents\s*·\s*at least \d+ active/);
  });

  test('says how many are active in a wide list; of a narrow one the chips do', async ({ shown }) => {
    const page = await shown.open('incidents');
    const active = panelOf(page)
      .locator('p')
      .getByText(/^\d+ active$/);
    await expect(active).toBeHidden();
    await expect(panelOf(page).getByRole('group', { name: 'Active incidents by severity' })).toBeVisible();
    await shown.push({ preferences: { listWidth: 880 } });
    await expect(active).toBeVisible();
  });

  for (const language of ['fr', 'ar'] as const)
    test(
      `no time of the table is cut in its middle: ${language}`,
      inLanguage(language),
      async ({ shown }) => {
        const page = await shown.open('table', { language });
        await page.setViewportSize({ width: 1920, height: 1080 });
        const times = page.locator('.grid__cell--created > [title]');
        await expect(times.first()).toBeVisible();
        const cut = await times.evaluateAll((cells) =>
          cells
            .flatMap((cell) => [cell, ...cell.children])
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
            .map((cell) => cell.textContent),
        );
        expect(cut).toEqual([]);
      },
    );

  test('says that a severity counts only what is active where all are listed', async ({ shown }) => {
    const page = await shown.open('incidents');
    const chips = panelOf(page).getByRole('group', { name: 'Active incidents by severity' });
    await expect(chips.getByText('Active:')).toBeVisible();
    await shown.push({ incidents: { query: { ...everything, openOnly: true } } });
    await expect(panelOf(page).getByRole('button', { name: 'Active', exact: true })).toBeVisible();
    await expect(chips.getByText('Active:')).toHaveCount(0);
    await expect(chips.getByRole('button', { name: /^Critical \d+$/ })).toBeVisible();
  });

  test('counts what is open by severity, and filters by one press', async ({ shown }) => {
    const page = await shown.open('incidents');
    await panelOf(page)
      .getByRole('button', { name: /^Critical \d+$/ })
      .click();
    expect(await shown.calls('setIncidentQuery')).toMatchObject([{ severities: ['critical'] }]);
    await shown.push({ incidents: { query: { ...everything, severities: ['critical'] } } });
    const chip = panelOf(page).getByRole('button', { name: /^Critical \d+$/, pressed: true });
    await expect(chip).toBeVisible();
    await chip.click();
    expect(await shown.calls('setIncidentQuery')).toMatchObject([{}, { severities: [] }]);
  });

  test('a chip keeps a chosen severity that has no chip', async ({ shown }) => {
    const page = await shown.open('incidents');
    const severities = ['critical', 'high', 'medium', 'low', 'odd 1', 'odd 2', 'odd 3', 'minor'];
    await shown.push({ incidents: { severities, query: { ...everything, severities: ['low'] } } });
    await panelOf(page)
      .getByRole('button', { name: /^Critical/ })
      .click();
    expect(await shown.calls('setIncidentQuery')).toMatchObject([{ severities: ['low', 'critical'] }]);
  });

  test('holds every incident, and lists on one press those that the map lacks', async ({ shown }) => {
    const page = await shown.open('incidents');
    await expect(panelOf(page).getByText('122 incidents')).toBeVisible();
    const map = page.getByRole('region', { name: 'Map', exact: true });
    await map.getByRole('button', { name: '2 not on the map' }).click();
    await expect(panelOf(page).getByRole('option')).toHaveCount(2);
    await expect(panelOf(page).getByRole('option').first()).toContainText('No location');
    await panelOf(page).getByRole('button', { name: 'Back' }).first().click();
    await expect(panelOf(page).getByText('122 incidents')).toBeVisible();
    await page.locator('[data-search]').fill('id:syn-7-nowhere-1');
    await expect(panelOf(page).getByRole('option')).toHaveCount(1);
    await panelOf(page).getByRole('option').click();
    await expect(page.getByRole('region', { name: 'Incident details' })).toContainText('No location');
  });

  test('a Latin town in an Arabic row is cut at its own end', async ({ shown }) => {
    const page = await shown.open('incidents', { language: 'ar' });
    // Where an incident is pinned, its marks leave a town no room at all.
    const rows = page.locator('.panel').getByRole('option').filter({ hasNotText: 'مثبّت' });
    await expect(rows.first()).toContainText('كم');
    const towns = await rows.evaluateAll((all) =>
      all.flatMap((row) => {
        const texts: Text[] = [];
        const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) texts.push(walker.currentNode as Text);
        const town = texts.find(({ data }) => /[A-Za-z]{2,}, [A-Z]{2}$/.test(data));
        const line = town?.parentElement?.closest('.truncate');
        if (town === undefined || !line) return [];
        const letters = document.createRange();
        letters.setStart(town, town.data.search(/[A-Za-z]{2,}, [A-Z]{2}$/));
        letters.setEnd(town, letters.startOffset + 1);
        const [letter, edge] = [letters.getBoundingClientRect(), line.getBoundingClientRect()];
        const box = town.parentElement ?? line;
        return [
          {
            town: town.data,
            begins: letter.left >= edge.left - 0.5 && letter.right <= edge.right + 0.5,
            cut: box.scrollWidth > box.clientWidth,
          },
        ];
      }),
    );
    // Without one that has no room nothing would be shown.
    expect(towns.some(({ cut }) => cut)).toBe(true);
    expect(towns.filter(({ begins }) => !begins)).toEqual([]);
  });

  test('shows incidents that read alike as one row, and all of them once one is chosen', async ({
    shown,
  }) => {
    const page = await shown.open('incidents, alike');
    const rows = panelOf(page).getByRole('option');
    await expect(rows.first()).toContainText(`×${String(alikeCount)}`);
    await expect(rows.first()).toContainText(`${String(alikeCount)} alike`);
    await expect(rows.first(), 'of one of them').not.toContainText('evidence');
    const all = Number(await rows.first().getAttribute('aria-setsize'));
    await rows.nth(1).click();
    await expect(rows.first(), 'another was chosen').toContainText('alike');
    await rows.first().click();
    await expect(rows.first()).not.toContainText('alike');
    await expect(rows.first()).toContainText('evidence');
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(all + alikeCount - 1));
    await rows.nth(alikeCount).click();
    await expect(rows.first(), 'what was opened stays').not.toContainText('alike');
  });

  test('a stretch of rows has those that are alike in it', async ({ shown }) => {
    const page = await shown.open('incidents, alike');
    const rows = panelOf(page).getByRole('option');
    await expect(rows.first()).toContainText('alike');
    await rows.nth(1).click();
    await rows.first().click({ modifiers: ['Shift'] });
    await expect(panelOf(page)).toContainText(`${String(alikeCount + 1)} selected`);
  });

  test('opens every incident of one place from the map, by button and by key', async ({ shown }) => {
    const page = await shown.open('incidents, one place');
    const details = page.getByRole('region', { name: 'Incident details' });
    const stack = page
      .getByRole('region', { name: 'Map', exact: true })
      .getByRole('group', { name: 'Incidents of one place' });
    const position = stack.getByRole('status');
    const [first = ''] = stackedIds;
    await page.locator('[data-search]').fill(`id:${first}`);
    await expect(panelOf(page).getByRole('option')).toHaveCount(1);
    await panelOf(page).getByRole('option').click();
    await expect(details).toContainText(first);
    await expect(stack, 'one of those that are shown').toHaveCount(0);
    await page.locator('[data-search]').fill('');
    await expect(position).toHaveText(/^\d of 6 here$/);
    const begun = Number.parseInt(await position.innerText(), 10);
    const shownId = async (): Promise<string | undefined> => {
      const text = await details.innerText();
      return stackedIds.find((id) => text.includes(id));
    };
    const seen = new Set<string | undefined>();
    await stack.getByRole('button', { name: 'Next incident here' }).click();
    for (let step = 1; step <= stackedIds.length; step += 1) {
      await expect(position).toHaveText(`${String(((begun - 1 + step) % 6) + 1)} of 6 here`);
      await expect.poll(async () => seen.has(await shownId())).toBe(false);
      seen.add(await shownId());
      await page.keyboard.press('Enter');
    }
    expect([...seen].sort()).toEqual([...stackedIds].sort());
    await stack.getByRole('button', { name: 'Previous incident here' }).click();
    await expect(position).toHaveText(`${String(begun)} of 6 here`);
  });

  test('of what the map says of a place and of what it lacks, neither moves the other', async ({ shown }) => {
    const page = await shown.open('incidents, one place');
    const map = page.getByRole('region', { name: 'Map', exact: true });
    const stack = map.getByRole('group', { name: 'Incidents of one place' });
    const lacks = map.getByRole('button', { name: '2 not on the map' });
    const list = panelOf(page).getByRole('listbox');
    await expect(lacks).toBeVisible();
    const before = await lacks.boundingBox();
    await page.locator('[data-search]').fill(`id:${stackedIds[0] ?? ''}`);
    await expect(panelOf(page).getByRole('option')).toHaveCount(1);
    await panelOf(page).getByRole('option').click();
    await page.locator('[data-search]').fill('');
    await expect(stack).toBeVisible();
    await expect(lacks).toBeVisible();
    expect(await lacks.boundingBox()).toEqual(before);
    const at = await stack.boundingBox();
    // What has no location has no distance from the station.
    await page.locator('[data-search]').fill('within:20100km');
    await expect(lacks).toHaveCount(0);
    await expect(list).toBeVisible();
    expect(await stack.boundingBox()).toEqual(at);
    await page.locator('[data-search]').fill('');
    await expect(lacks).toBeVisible();
    expect(await stack.boundingBox()).toEqual(at);
  });

  test('a row says how old its incident is, and counts evidence and blockchain records', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    const rowOf = async (id: string): Promise<Locator> => {
      await page.locator('[data-search]').fill(`id:${id}`);
      const row = panelOf(page).getByRole('option');
      await expect(row).toHaveCount(1);
      return row;
    };
    const row = await rowOf('syn-7-00018');
    await expect(row).toContainText('12 h');
    await expect(row).toContainText(/15\s*15 evidence items\s*1\s*1 blockchain record$/);
    await expect(row).not.toContainText(/pinned|has notes/);
    const marked = await rowOf('syn-7-0002e');
    await expect(marked).toContainText(/1\s*1 evidence item\s*2\s*2 blockchain records$/);
    await expect(marked).toContainText(/pinned\s*has notes/);
  });

  test('a row says that the service no longer returns its incident', async ({ shown }) => {
    const page = await shown.open('incidents, no longer returned');
    await expect(panelOf(page).getByText('122 incidents')).toBeVisible();
    const gone = panelOf(page).getByRole('option').filter({ hasText: 'no longer returned' });
    await page.locator('[data-search]').fill(`id:${firstId}`);
    await expect(panelOf(page).getByRole('option')).toHaveCount(1);
    await expect(gone).toHaveCount(1);
    await page.locator('[data-search]').fill('id:syn-7-nowhere-2');
    await expect(panelOf(page).getByRole('option')).toContainText('No location');
    await expect(gone).toHaveCount(0);
  });

  test('a row that has just arrived has its mark, and no other has', async ({ shown }) => {
    const page = await shown.open('incidents, just arrived');
    await page.locator('[data-search]').fill(`id:${firstId}`);
    await expect(panelOf(page).getByRole('option')).toHaveCount(1);
    await expect(page.locator('.row__pulse')).toBeVisible();
    await page.locator('[data-search]').fill('');
    await expect(panelOf(page).getByText('122 incidents')).toBeVisible();
    await expect.poll(() => panelOf(page).getByRole('option').count()).toBeGreaterThan(1);
    await expect(page.locator('.row__pulse')).toHaveCount(1);
  });

  test('a wide row says in the place’s column that there is no location', async ({ shown }) => {
    await shown.page.setViewportSize({ width: 2560, height: 1440 });
    const page = await shown.open('incidents');
    await page.locator('[data-search]').fill('id:syn-7-nowhere-1');
    await expect(panelOf(page).getByRole('option')).toHaveCount(1);
    await expect(panelOf(page).getByRole('option')).toContainText('No location');
  });

  test('a search leaves the rows that hold it, and says when nothing does', async ({ shown }) => {
    const page = await shown.open('incidents');
    const search = page.locator('[data-search]');
    await search.fill('syn-7-0002e');
    await expect(panelOf(page).getByRole('option')).toHaveCount(1);
    await search.fill('quux');
    await expect(panelOf(page).getByText('No incident contains quux.')).toBeVisible();
    await search.fill('');
    await expect(panelOf(page).getByRole('option').first()).toBeVisible();
  });

  test('with nothing to show it names the filters and offers to clear them', async ({ shown }) => {
    const page = await shown.open('no match');
    await expect(panelOf(page).getByText('No incident matches')).toBeVisible();
    await panelOf(page).getByRole('button', { name: 'Clear the filters', exact: true }).click();
    expect(await shown.calls('setIncidentQuery')).toMatchObject([
      { range: 'all', severities: [], statuses: [] },
    ]);
  });

  test('marks several rows with Ctrl, Shift and Space, and does one thing to all of them', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    const options = panelOf(page).getByRole('option');
    const chosen = panelOf(page).getByRole('option', { selected: true });
    const bar = panelOf(page).getByRole('group', { name: 'Selected incidents' });
    await options.nth(2).click({ modifiers: ['Control'] });
    await options.nth(5).click({ modifiers: ['Shift'] });
    await expect(bar.getByText('4 selected')).toBeVisible();
    await expect(chosen).toHaveCount(4);
    await options.nth(3).click({ modifiers: ['Control'] });
    await expect(bar.getByText('3 selected')).toBeVisible();
    await panelOf(page).getByRole('listbox').focus();
    await page.keyboard.press(' ');
    await expect(bar.getByText('4 selected')).toBeVisible();
    await page.keyboard.press('Shift+ArrowDown');
    await expect(chosen).toHaveCount(2);
    await expect(page.getByRole('region', { name: 'Incident details' })).toHaveCount(0);

    await bar.getByRole('button', { name: 'Pin' }).click();
    await expect.poll(() => shown.calls('pinIncident')).toHaveLength(2);
    await bar.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('dialog')).toContainText('2 incidents');
    await expect(page.getByRole('dialog')).toContainText('the 2 selected incidents');
    await page.keyboard.press('Escape');
    await panelOf(page).getByRole('listbox').focus();
    await page.keyboard.press('Escape');
    await expect(bar).toHaveCount(0);
  });

  test('a menu on a row opens, marks, pins and copies it', async ({ shown }) => {
    const page = await shown.open('incidents');
    const row = panelOf(page).getByRole('option').nth(1);
    await row.click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions for this incident' });
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Open',
      'Select',
      /^(Pin|Unpin)$/,
      'Copy as message',
      'Copy link',
      'Export',
    ]);
    await menu.getByRole('menuitem', { name: 'Open' }).click();
    await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();
    await row.click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Copy as message' }).click();
    await expect(
      panelOf(page)
        .getByRole('status')
        .getByText(/^(Copied|Not copied)/),
    ).toBeVisible();
  });

  test('rows and details name places, in the units that are chosen', async ({ shown }) => {
    const page = await shown.open('incidents');
    const row = panelOf(page).getByRole('option').filter({ hasText: / km / }).first();
    await expect(row).toHaveText(/\d km (N|NE|E|SE|S|SW|W|NW) of .+, [A-Z]{2}/);
    await expect(row.locator('.row__facts')).toHaveAttribute('title', /^\d.* km .+, [A-Z]{2}\n.*\d\.\d+/);
    await row.click();
    const details = page.getByRole('region', { name: 'Incident details' });
    await expect(details.getByText(/^\d+ km (N|NE|E|SE|S|SW|W|NW) of /)).toBeVisible();
    // The coordinates stay below the name.
    await expect(details.getByText(/\d° [NS], /)).toBeVisible();
    await shown.push({ preferences: { units: 'nautical' } });
    await expect(details.getByText(/^\d+ NM (N|NE|E|SE|S|SW|W|NW) of /)).toBeVisible();
  });

  test('an incident that a link names is opened, once', async ({ shown }) => {
    const page = await shown.open('incidents');
    const details = page.getByRole('region', { name: 'Incident details' });
    await shown.push({ workspace: { linked: { incidentId: 'syn-7-nowhere-1', times: 1 } } });
    await expect(details).toContainText('syn-7-nowhere-1');
    await page.keyboard.press('Escape');
    await shown.push({ workspace: { linked: { incidentId: 'syn-7-nowhere-1', times: 1 } } });
    await expect(details).toHaveCount(0);
  });

  test('the alarms of selected incidents, and of no others, are acknowledged together', async ({ shown }) => {
    const page = await shown.open('incidents');
    const [first, second] = [
      panelOf(page).getByRole('option').nth(0),
      panelOf(page).getByRole('option').nth(1),
    ];
    await first.click();
    const details = page.getByRole('region', { name: 'Incident details' });
    const own = await details.locator('dd code bdi').first().innerText();
    await second.click({ modifiers: ['ControlOrMeta'] });
    const bar = page.getByRole('group', { name: 'Selected incidents' });
    await expect(bar.getByRole('button', { name: 'Pin' })).toBeVisible();
    await expect(bar.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
    await shown.push({
      alarms: { active: [alarmAbout('own', own), alarmAbout('wide', own, 'another')] },
    });
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    expect(await shown.calls('acknowledgeAlarms')).toEqual([{ ids: ['own'] }]);
  });

  test('the menu of a row acknowledges the alarms of its incident, or of all that are selected', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    const rows = panelOf(page).getByRole('option');
    const details = page.getByRole('region', { name: 'Incident details' });
    const idOf = async (row: Locator): Promise<string> => {
      await row.click();
      await expect(row).toHaveAttribute('aria-selected', 'true');
      return details.locator('dd code bdi').first().innerText();
    };
    const [first, second] = [await idOf(rows.nth(0)), await idOf(rows.nth(1))];
    const item = page.getByRole('menu').getByRole('menuitem', { name: 'Acknowledge' });
    await rows.nth(0).click({ button: 'right' });
    await expect(page.getByRole('menu').getByRole('menuitem').first()).toBeVisible();
    await expect(item).toHaveCount(0);
    await page.keyboard.press('Escape');
    await shown.push({
      alarms: {
        active: [
          alarmAbout('first', first),
          alarmAbout('second', second),
          alarmAbout('wide', first, second, 'another'),
        ],
      },
    });
    await rows.nth(0).click({ button: 'right' });
    await item.click();
    await rows.nth(0).click();
    await rows.nth(1).click({ modifiers: ['ControlOrMeta'] });
    await rows.nth(1).click({ button: 'right' });
    await item.click();
    expect(await shown.calls('acknowledgeAlarms')).toEqual([
      { ids: ['first'] },
      { ids: ['first', 'second'] },
    ]);
  });

  test('what changed since somebody looked is listed, marked and said until it is seen', async ({
    shown,
  }) => {
    const page = await shown.open('incidents, changed');
    const list = panelOf(page);
    const details = page.getByRole('region', { name: 'Incident details' });
    await list.getByRole('button', { name: 'Changed 3' }).click();
    await expect(list.getByRole('heading', { name: 'Changed', exact: true })).toBeVisible();
    await expect(list.getByText(/^3 incidents$/)).toBeVisible();
    await expect(list.getByRole('option').filter({ hasText: /High to Critical, \d\d:\d\d/ })).toHaveCount(2);
    await expect(list.getByRole('option').filter({ hasText: /New/ })).toHaveCount(1);
    await list
      .getByRole('option')
      .filter({ hasText: /High to Critical, \d\d:\d\d/ })
      .first()
      .click();
    const said = details.getByRole('region', { name: 'Since you last looked' });
    await expect(said).toContainText('Severity: High to Critical');
    await expect(said).toContainText('Evidence: 2 to 5');
    expect(await shown.calls('seeChanges')).toHaveLength(1);
    // The console says that it is seen: the row stays where it is, the mark goes, the details still say it.
    const [{ incidentId }] = (await shown.calls('seeChanges')) as [{ incidentId: string }];
    const changedNow = stateNamed('incidents, changed')?.slices.changes?.changed ?? [];
    await shown.push({
      changes: { changed: changedNow.filter(({ id }) => id !== incidentId) },
    });
    await expect(list.getByRole('option')).toHaveCount(3);
    await expect(list.getByRole('option').filter({ hasText: /High to Critical, \d\d:\d\d/ })).toHaveCount(1);
    await expect(said).toContainText('Status: Open to Resolved');
    await list.getByRole('button', { name: 'Mark all seen' }).click();
    expect(await shown.calls('seeAllChanges')).toEqual([{ last: 3 }]);
    // The key leads back to the list before.
    await page.keyboard.press('c');
    await expect(list.getByText(/^122 incidents$/)).toBeVisible();
    await expect(list.getByRole('button', { name: 'Changed 2' })).toBeVisible();
  });

  test('what was meanwhile has a line with its time, and one alone where all is as it was', async ({
    shown,
  }) => {
    const page = await shown.open('incidents, was meanwhile');
    const said = page.getByRole('region', { name: 'Since you last looked' });
    const lines = said.getByRole('listitem');
    await expect(lines).toHaveText([
      /^Severity meanwhile: Critical · \d\d:\d\d to \d\d:\d\d UTC, 4\smin\sago$/,
      /^Status: Open to Assigned · \d\d:\d\d UTC, 1\smin\sago$/,
      /^Status meanwhile: Resolved · \d\d:\d\d to \d\d:\d\d UTC, 2\smin\sago$/,
    ]);
  });

  test('a row opens its details, and Escape closes them', async ({ shown }) => {
    const page = await shown.open('incidents');
    await panelOf(page).getByRole('option').first().click();
    await expect(page.getByText('syn-7-0002e')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.locator('.details__fields')).toHaveCount(0);
  });

  test('details say what, where, when, what changed, evidence, then notes', async ({ shown }) => {
    const page = await shown.open('details');
    const details = page.getByRole('region', { name: 'Incident details' });
    const inOrder = [
      details.getByText('Severity', { exact: true }),
      details.getByText('Location', { exact: true }),
      details.getByText('Created', { exact: true }),
      details.getByRole('button', { name: /^Show evidence/ }),
      details.getByRole('heading', { name: 'Notes' }),
      details.getByText('Incident id', { exact: true }),
      details.getByText('Last confirmed', { exact: true }),
    ];
    const tops = await Promise.all(inOrder.map(async (one) => (await one.boundingBox())?.y ?? NaN));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  });

  test('what a reading confirmed is asked for, though it changed nothing', async ({ shown }) => {
    await shown.open('details');
    const before = (await shown.calls('readIncident')).length;
    const lastReadAt = (stateNamed('details')?.slices.incidents?.lastReadAt ?? 0) + 15_000;
    await shown.push({ incidents: { lastReadAt } });
    await expect.poll(async () => (await shown.calls('readIncident')).length).toBe(before + 1);
  });

  test('a time stands once, and has its other forms on a press of a key', async ({ shown }) => {
    const page = await shown.open('details');
    const details = page.getByRole('region', { name: 'Incident details' });
    const created = details.getByText('Created', { exact: true }).locator('..').getByRole('button');
    await expect(created).toHaveText(/\sago, .*\d\d:\d\d UTC$/);
    await created.press('Enter');
    const forms = page.getByRole('dialog', { name: /: other formats$/ });
    for (const form of ['UTC', 'Local time', 'As the service sent it'])
      await expect(forms.getByText(form, { exact: true })).toBeVisible();
    await expect(forms.getByText(/^\d{4}-\d\d-\d\dT/)).toBeVisible();
    await expect(forms.getByRole('button', { name: /^Copy/ })).toHaveCount(3);
  });

  test('a severity has no number of open incidents before anything was read', async ({ shown }) => {
    const page = await shown.open('incidents, loading');
    const chips = panelOf(page)
      .getByRole('group', { name: 'Active incidents by severity' })
      .getByRole('button');
    await expect(chips.first()).toHaveText('Critical');
    for (const chip of await chips.all()) await expect(chip).not.toHaveText(/\d/);
  });

  test('how old the data is stands in one place', async ({ shown }) => {
    const page = await shown.open('details');
    await expect(page.getByText(/\b(Fresh|Delayed|Stale), .+ old/)).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Data status', exact: true })).toContainText(
      /Fresh, \d+\ss old/,
    );
  });

  test('groups have their counts, the worst open first inside, and open and close by keys', async ({
    shown,
  }) => {
    const page = await shown.open('incidents by type');
    const tree = panelOf(page).getByRole('tree', { name: 'Incident list' });
    const headers = tree.locator('[role="treeitem"][aria-level="1"]');
    await expect(headers.first()).toHaveAccessibleName(/\d+ active of \d+/);
    await expect(headers.first()).toHaveAttribute('aria-expanded', 'true');
    await tree.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect(headers.first()).toHaveAttribute('aria-expanded', 'false');
    await expect(tree).toHaveAttribute('aria-activedescendant', /^incident-group-/);
    await page.keyboard.press('Enter');
    await expect(headers.first()).toHaveAttribute('aria-expanded', 'true');
    // From a row the key leads to its header.
    await page.keyboard.press('ArrowDown');
    await expect(tree).toHaveAttribute('aria-activedescendant', /^incident-\d+$/);
    await page.keyboard.press('ArrowLeft');
    await expect(tree).toHaveAttribute('aria-activedescendant', /^incident-group-/);
    await panelOf(page)
      .getByRole('button', { name: /^Sort by: .*, by type$/ })
      .click();
    const none = page.getByRole('button', { name: 'no groups' });
    // An entry of a menu begins with a capital, whatever it is in a line.
    const first = (word: Element): string => getComputedStyle(word, '::first-letter').textTransform;
    expect(await none.getByText('no groups').evaluate(first)).toBe('uppercase');
    await none.click();
    await expect(panelOf(page).getByRole('listbox', { name: 'Incident list' })).toBeVisible();
  });

  test('the table has the same groups as the list, which open and close by press and by keys', async ({
    shown,
  }) => {
    const page = await shown.open('table');
    await panelOf(page)
      .getByRole('button', { name: /^Sort by/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'by type' }).click();
    const table = panelOf(page).getByRole('treegrid', { name: 'Incident table' });
    const headers = table.locator('[role="row"][aria-level="1"]');
    const rows = table.locator('[role="row"][aria-level="2"]');
    await expect(headers.first()).toHaveAccessibleName(/\d+ active of \d+/);
    await expect(headers.first()).toHaveAttribute('aria-expanded', 'true');
    await expect(rows.first()).toBeVisible();
    const groups = Number(await headers.first().getAttribute('aria-setsize'));
    await headers.first().click();
    await expect(headers.first()).toHaveAttribute('aria-expanded', 'false');
    await table.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect(headers.first()).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('ArrowDown');
    await expect(table).toHaveAttribute('aria-activedescendant', /^incident-\d+$/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();
    expect(groups).toBeGreaterThan(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Do not group');
    await page.keyboard.press('Enter');
    await expect(panelOf(page).getByRole('grid', { name: 'Incident table' })).toBeVisible();
  });

  test('a group by place is the nearest town, and its name is found by search', async ({ shown }) => {
    const page = await shown.open('incidents by town');
    const headers = panelOf(page).locator('[role="treeitem"][aria-level="1"]');
    await expect(headers.filter({ hasText: 'Montana, US' })).toBeVisible();
    await page.locator('[data-search]').fill('Montana');
    await expect(headers).toHaveCount(1);
    await expect(headers).toContainText('Montana, US');
  });

  for (const language of languages)
    test(
      `a group is named by its town as its rows are: ${language}`,
      inLanguage(language),
      async ({ shown }) => {
        const page = await shown.open('incidents by town', { language });
        const headers = page.locator('[role="treeitem"][aria-level="1"]');
        await expect(headers.filter({ hasText: 'Montana, US' })).toBeVisible();
      },
    );

  test('“Refresh” asks the console once', async ({ shown }) => {
    const page = await shown.open('incidents');
    await panelOf(page).getByRole('button', { name: 'Refresh' }).click();
    expect(await shown.calls('refreshIncidents')).toEqual([{}]);
  });
});

test.describe('notes of an incident', () => {
  const notesOf = (page: Page): Locator => page.getByRole('region', { name: 'Notes' });

  test('says where notes stay, and shows the one that is there', async ({ shown }) => {
    const page = await shown.open('details');
    await expect(notesOf(page)).toContainText('Not sent to the service.');
    await expect(notesOf(page).getByRole('listitem')).toContainText('The bridge is closed since noon.');
  });

  test('pins and unpins the incident that is shown', async ({ shown }) => {
    const page = await shown.open('details');
    await notesOf(page).getByRole('button', { name: 'Unpin' }).click();
    expect(await shown.calls('pinIncident')).toEqual([{ incidentId: 'syn-7-0002e', pinned: false }]);
    await shown.push({ watch: { pins: [], revision: 99 } });
    await notesOf(page).getByRole('button', { name: 'Pin', exact: true }).click();
    expect(await shown.calls('pinIncident')).toHaveLength(2);
  });

  test('a new note has a field that says so, and is sent for the incident that is shown', async ({
    shown,
  }) => {
    const page = await shown.open('details');
    const field = notesOf(page).getByRole('textbox', { name: 'New note' });
    await field.fill('Water is rising.');
    await field.press('Control+Enter');
    expect(await shown.calls('addNote')).toEqual([{ incidentId: 'syn-7-0002e', text: 'Water is rising.' }]);
    await expect(field).toHaveValue('');
  });

  test('what is typed on while a note is being saved stays', async ({ shown }) => {
    const page = await shown.open('details');
    const field = notesOf(page).getByRole('textbox', { name: 'New note' });
    await shown.hold('addNote');
    await field.fill('Water is rising.');
    await field.press('Control+Enter');
    await expect.poll(() => shown.calls('addNote')).toHaveLength(1);
    await field.fill('Water is rising. Send a boat.');
    await shown.letGo('addNote');
    await expect(notesOf(page).getByRole('status')).toHaveText('Note added');
    await expect(field).toHaveValue('Water is rising. Send a boat.');
  });

  test('says how many notes there are beside those that are listed', async ({ shown }) => {
    const page = await shown.open('details, many notes');
    await expect(notesOf(page).getByRole('listitem')).toHaveCount(1);
    await expect(notesOf(page).getByText('57 earlier notes are in the log.')).toBeVisible();
  });

  test('asks before a note is removed', async ({ shown }) => {
    const page = await shown.open('details');
    await notesOf(page).getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('dialog')).toContainText('The bridge is closed since noon.');
    expect(await shown.calls('removeNote')).toEqual([]);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Remove/ })
      .click();
    expect(await shown.calls('removeNote')).toHaveLength(1);
  });
});

test.describe('the timeline', () => {
  test('says how many are open and how many are resolved, in all and in each row of its table', async ({
    shown,
  }) => {
    const page = await shown.open('timeline');
    await shown.push({ incidents: { query: everything } });
    const timeline = page.getByRole('region', { name: 'Incidents over time' });
    const said = /: ([\d,]+) active, ([\d,]+) resolved\. The most in one bar: /;
    const picture = timeline.getByRole('img', { name: said });
    await expect(picture).toBeVisible();
    const [, open, resolved] = said.exec((await picture.getAttribute('aria-label'))!)!.map(Number);
    const rows = await timeline
      .getByRole('row')
      .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent.trim())));
    expect(rows[0]!.slice(1, 4)).toEqual(['All', 'Active', 'Resolved']);
    const sumOf = (column: number): number =>
      rows.slice(1).reduce((sum, row) => sum + Number(row[column]), 0);
    expect(resolved).toBeGreaterThan(0);
    expect([sumOf(1), sumOf(2), sumOf(3)]).toEqual([open! + resolved!, open, resolved]);
  });

  test('tells the severities of what is resolved apart where there is one hue', async ({ shown }) => {
    const page = await shown.open('timeline', { theme: 'red' });
    const outlines = page.locator('.bars__over');
    await expect(outlines).toHaveCount(5);
    const dashes = await outlines.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).strokeDasharray),
    );
    expect(new Set(dashes).size).toBe(5);
  });
});

for (const language of languages)
  test(`the count stands between its set and the order, in ${language}`, async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1280, height: 800 });
    const page = await shown.open('incidents', { language });
    const parts = await page.locator('.sum > *').all();
    expect(parts).toHaveLength(3);
    const middles = await Promise.all(
      [...parts, page.locator('.sum__count').getByRole('button')].map(async (part) => {
        const { y, height } = (await part.boundingBox())!;
        return y + height / 2;
      }),
    );
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6);
  });

for (const language of languages)
  test(
    `no button of the details has its words cut at any width: ${language}`,
    inLanguage(language),
    async ({ shown }) => {
      const page = await shown.open('details', { language });
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      const details = page.locator('.details');
      await expect(details.locator('.place__more')).toBeVisible();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      for (const width of [1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const cut = await details.getByRole('button').evaluateAll((all) =>
          all
            .filter((one) => {
              const range = document.createRange();
              range.selectNodeContents(one);
              const [words, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
              const outside = words.left < box.left - 1.5 || words.right > box.right + 1.5;
              return outside || one.scrollWidth > one.clientWidth + 1 || one.textContent.includes('…');
            })
            .map((one) => one.getAttribute('aria-label') ?? one.textContent),
        );
        expect.soft(cut, String(width)).toEqual([]);
      }
    },
  );

test('in Arabic the extent of a map stays in the order in which it is written', async ({ shown }) => {
  const page = await shown.open('maps, packages', { language: 'ar' });
  const edges = await page
    .getByText(/^44\.40° N/)
    .first()
    .evaluate((line) => {
      const [text] = line.childNodes;
      if (!(text instanceof Text)) throw new Error('The extent is one text');
      const left = (at: number): number => {
        const sign = document.createRange();
        sign.setStart(text, at);
        sign.setEnd(text, at + 1);
        return sign.getBoundingClientRect().left;
      };
      return { first: left(0), last: left(text.length - 1) };
    });
  expect(edges.first).toBeLessThan(edges.last);
});

test('in Arabic a long type in Latin letters is cut at its end, at the edge where reading begins', async ({
  shown,
}) => {
  const page = await shown.open('incidents', { language: 'ar' });
  const type = page.locator('.row__type > bdi').first();
  const [start, end] = await type.evaluate((own) => {
    const box = own.getBoundingClientRect();
    const at = (text: string): DOMRect => {
      own.textContent = text;
      const range = document.createRange();
      range.selectNodeContents(own);
      return range.getBoundingClientRect();
    };
    const short = at('Flood');
    const long = at('Structural collapse of a building with several floors '.repeat(4));
    return [
      { left: long.left - box.left, over: long.width > box.width },
      { right: box.right - short.right },
    ] as const;
  });
  expect(start.over).toBe(true);
  expect(start.left).toBeCloseTo(0, 0);
  expect(end.right).toBeCloseTo(0, 0);
});

test('a row that is cut before “No location” says so in its title', async ({ shown }) => {
  const page = await shown.open('incidents, what changed');
  const facts = page.locator('.row__facts').filter({ hasText: 'No location' });
  await expect(facts.first()).toBeVisible();
  for (const one of await facts.all()) await expect(one).toHaveAttribute('title', 'No location');
});
