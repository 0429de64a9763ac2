import { expect, test } from './support/fixtures.ts';

test.describe('incidents', () => {
  test.use({ serviceOptions: { withoutLocation: 5 } });

  test(
    'lists every incident, and those that the map lacks on one press',
    { tag: '@smoke' },
    async ({ operator }) => {
      await operator.expectIncidents(1712);
      await operator.map.getByRole('button', { name: '5 not on the map' }).click();
      await operator.expectIncidents(5);
      await expect(operator.incidents.getByRole('option').first()).toContainText('No location');
    },
  );

  test('filters by severity, status and time, and clears', async ({ operator }) => {
    const { page, incidents } = operator;
    await operator.expectIncidents(1712);
    await operator.filter('Severity', 'critical');
    await operator.expectIncidents(5);
    await operator.clearFilters();
    await operator.expectIncidents(1712);

    await operator.filter('Status', 'open');
    await operator.expectIncidents(494);
    await operator.clearFilters();

    await incidents.getByRole('button', { name: /^Filter/ }).click();
    await page.getByLabel(/^24 h/).click();
    await expect(incidents.getByText('1,712 incidents')).toHaveCount(0);
    await page.getByLabel(/^1 h/).click();
    await page.keyboard.press('Escape');
    await operator.filter('Severity', 'critical');
    await expect(incidents.getByText('No incident matches.')).toBeVisible();
    await incidents.getByRole('button', { name: 'Clear the filters' }).click();
    await operator.expectIncidents(1712);
  });

  test(
    'selecting in the list selects on the map and opens the details',
    { tag: ['@packed', '@map'] },
    async ({ operator }) => {
      const { page, incidents, details } = operator;
      await operator.expectIncidents(1712);
      await incidents.getByRole('option').first().click();
      await expect(details).toBeVisible();
      await expect(details.getByText('earthquake').first()).toBeVisible();
      await expect(incidents.getByRole('option', { selected: true })).toHaveCount(1);
      await expect(operator.drawnMap).toHaveAttribute('data-selected-incident', /^\d+$/);

      const before = await details.innerText();
      await incidents.getByRole('listbox').focus();
      await page.keyboard.press('ArrowDown');
      await expect(details).not.toHaveText(before);
      await page.keyboard.press('Escape');
      await expect(details).toHaveCount(0);
    },
  );

  test('Home is not undone by rows that change before the browser has said that it scrolled', async ({
    operator,
    service,
  }) => {
    const { page, incidents } = operator;
    await operator.expectIncidents(1712);
    const list = incidents.getByRole('listbox');
    await list.focus();
    await page.keyboard.press('End');
    await expect(incidents.locator('[aria-posinset="1712"]')).toBeVisible();
    // A frame that comes late, made certain: the page is not told of scrolling any more.
    await page.evaluate(() => {
      window.addEventListener('scroll', (event) => event.stopImmediatePropagation(), { capture: true });
    });
    await page.keyboard.press('Home');
    service.addIncident();
    await operator.expectIncidents(1713);
    // What the first change of rows would have undone is undone when the second is drawn.
    service.addIncident();
    await operator.expectIncidents(1714);
    expect(await list.evaluate((element) => element.scrollTop)).toBe(0);
  });

  test('an incident that arrives while watching appears without a word from the operator', async ({
    operator,
    service,
  }) => {
    await operator.expectIncidents(1712);
    service.addIncident({
      id: 'arrival-1',
      incident_type: 'flood',
      severity: 'critical',
      location: { latitude: 10, longitude: 20, altitude: null },
    });
    await operator.expectIncidents(1713);
    await expect(operator.incidents.getByRole('option').first()).toContainText(/flood/i);
  });

  test('an unknown severity and status are shown as they come and can be filtered', async ({
    operator,
    service,
  }) => {
    await operator.expectIncidents(1712);
    service.addIncident({
      id: 'odd-1',
      severity: 'purple alert',
      status: 'under <b>review</b>',
      location: { latitude: 1, longitude: 2, altitude: null },
    });
    await operator.expectIncidents(1713);
    const row = operator.incidents.getByRole('option').first();
    await expect(row).toContainText('purple alert');
    await row.click();
    await expect(operator.details.getByText('under <b>review</b>').first()).toBeVisible();
    await operator.filter('Severity', 'purple alert');
    await operator.expectIncidents(1);
  });

  test('the keyboard alone walks and sorts the list', async ({ operator }) => {
    const { page, incidents } = operator;
    await operator.expectIncidents(1712);
    await incidents.getByRole('listbox').focus();
    await page.keyboard.press('End');
    await expect(incidents.locator('[aria-posinset="1712"]')).toBeVisible();
    await page.keyboard.press('Home');
    await expect(incidents.locator('[aria-posinset="1"]')).toBeVisible();
  });
});

test(
  'a console begins with what is open, the worst first, and one key goes from the worst to the next',
  { tag: '@journey' },
  async ({ opened, service }) => {
    const { page, operator } = opened;
    const { incidents, details } = operator;
    service.addIncident({ id: 'nowhere', severity: 'critical', incident_type: 'flood', location: null });
    service.addIncident({ id: 'second', severity: 'high', incident_type: 'landslide' });
    service.addIncident({ id: 'over', severity: 'critical', status: 'Closed' });
    await operator.signInToOpen(service.credentials);
    await operator.expectIncidents(496);
    await expect(incidents.getByRole('option').first()).toContainText(/Flood.*Critical.*No location/);
    await expect(incidents.getByRole('option').nth(1)).toContainText('High');
    await page.keyboard.press('w');
    await expect(details.getByText('nowhere', { exact: true })).toBeVisible();
    await page.keyboard.press('w');
    await expect(details.getByText('second', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');

    await incidents.getByRole('button', { name: 'Critical 1' }).click();
    await operator.expectIncidents(1);
    await operator.showAll();
    await expect(incidents.getByText('7 incidents')).toBeVisible();
    await incidents.getByRole('button', { name: 'Critical 1' }).click();
    await operator.expectIncidents(1715);
  },
);

test.describe('a deployment with words of its own for closed', () => {
  test.use({ deployment: { closedStatuses: ['stood down'] } });

  test('counts and lists none of them as open', async ({ opened, service }) => {
    const { operator } = opened;
    service.addIncident({ id: 'stood-down', severity: 'critical', status: 'Stood_Down' });
    await operator.signInToOpen(service.credentials);
    await operator.expectIncidents(494);
    await expect(operator.incidents.getByRole('button', { name: 'Critical 0' })).toBeVisible();
    await operator.showAll();
    await operator.expectIncidents(1713);
  });
});

test.describe('answers that are cut', () => {
  test.use({ serviceOptions: { switches: { pageLimit: 200, pageLimitEnforced: true } } });

  test(
    'every incident is won from them, and the panel of the sync says how',
    { tag: '@journey' },
    async ({ operator }) => {
      const { page } = operator;
      await operator.expectIncidents(1712);
      const status = page.getByRole('button', { name: 'Data status', exact: true });
      await expect(status).toContainText(/complete as of/);
      await status.click();
      const drawer = page.getByRole('complementary', { name: 'Data status' });
      await expect(drawer.getByText('Complete: 1,712 incidents')).toBeVisible();
      await expect(drawer.getByText('200 incidents', { exact: true })).toBeVisible();
      await expect(drawer.getByText('No window is uncertain')).toBeVisible();
    },
  );
});
