import { syntheticIncidents } from '../support/dataset.ts';
import { expect, test as base } from '../e2e/support/fixtures.ts';
import { ScreenReader, sessionHome } from './screenReader.ts';

/** A console whose every word Orca reads. */
const test = base.extend<{ reader: ScreenReader }>({
  reader: async ({}, use) => {
    const reader = await ScreenReader.start(sessionHome());
    await use(reader);
    await reader.stop();
  },
});

test.describe('what Orca says', () => {
  test.use({ serviceOptions: { dataset: syntheticIncidents(2_000, 5) } });

  test('of the sign-in, a row, its details, and a new critical among 2,000 incidents until it is acknowledged', async ({
    reader,
    opened: { page, operator },
    service,
  }) => {
    const username = page.getByRole('textbox', { name: 'Username' });
    await reader.expectSpoken(/Username entry/, async () => {
      await username.blur();
      await username.focus();
    });
    await operator.signInToOpen(service.credentials);
    await reader.expectSpoken(/\bOnline\b/);

    await operator.incidents.getByRole('listbox', { name: 'Incident list' }).focus();
    await reader.mark();
    await page.keyboard.press('ArrowDown');
    // What is worst is said first.
    await reader.expectSpoken(/\b(?:Critical|High|Medium|Low) Earthquake/, () =>
      page.keyboard.press('ArrowDown'),
    );
    await reader.mark();
    await page.keyboard.press('Enter');
    await reader.expectSpoken(/Details open/);

    await reader.mark();
    service.addIncident({
      id: 'spoken-1',
      severity: 'critical',
      incident_type: 'flood',
      location: { latitude: 50.47, longitude: 17.33, altitude: null },
    });
    // What is critical is said twice.
    await reader.expectSpoken(/Critical: flood.*1 alarm to acknowledge/);

    await reader.mark();
    await page.keyboard.press('u');
    await reader.expectSpoken(/flood/i);

    service.addIncident({
      id: 'spoken-2',
      severity: 'critical',
      incident_type: 'wildfire',
      location: { latitude: 50.44, longitude: 16.65, altitude: null },
    });
    await reader.expectSpoken(/Critical: wildfire/);
    await reader.mark();
    await page.keyboard.press('Delete');
    await reader.expectSpoken(/1 alarm acknowledged/);
    // The other alarm takes its place, and is said.
    await reader.expectSpoken(/Critical: wildfire/);
  });

  test('of a service that is lost', async ({ reader, operator, service }) => {
    await expect(operator.incidents).toBeVisible();
    await reader.mark();
    await service.set({ fault: 'refuse' });
    await reader.expectSpoken(/Offline/);
  });
});

test.describe('of a mission, Orca says', () => {
  test.use({
    serviceOptions: { dataset: [] },
    deployment: {
      missions: { pendingPath: '/admin/missions/pending', rejectPath: '/admin/missions/reject' },
    },
  });

  test('what it is for, when it is chosen and when its approval is asked for', async ({
    reader,
    opened: { page, operator },
    service,
  }) => {
    service.addMission({ purpose: 'Deliver insulin to Nysa' });
    await operator.signInToOpen(service.credentials);
    await operator.openPanel('Missions');
    const missions = page.getByRole('region', { name: 'Missions', exact: true });
    await reader.mark();
    await missions.getByRole('option').filter({ hasText: 'Deliver insulin' }).click();
    await reader.expectSpoken(/Deliver insulin to Nysa/);
    await reader.mark();
    await missions.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
    await reader.expectSpoken(/Approve .Deliver insulin to Nysa/);
  });
});
