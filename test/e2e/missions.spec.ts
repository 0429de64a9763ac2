import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

// What must always hold holds the first time.
test.describe.configure({ retries: 0 });

const approvals = 'POST /admin/missions/approve';
const listed = { pendingPath: '/admin/missions/pending', rejectPath: '/admin/missions/reject' };

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Missions', exact: true });
const expectNone = async (page: Page, state: string): Promise<void> => {
  // A colour that is still on its way to another has no contrast of its own.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await violations(page), state).toEqual([]);
};

async function chooseMission(page: Page, id: string): Promise<void> {
  await panelOf(page).getByRole('option').filter({ hasText: id }).click();
}

/** Opens the question and holds its button until it has acted. */
async function holdToDecide(page: Page, name: 'Approve' | 'Reject'): Promise<void> {
  await panelOf(page).getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  const box = await dialog.getByRole('button', { name: /^Hold to/ }).boundingBox();
  if (box === null) throw new Error('Nothing to hold');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await expect(dialog).toBeHidden();
  await page.mouse.up();
}

test.describe('missions of a configured list', () => {
  test.use({ deployment: { missions: listed } });

  test(
    'one is approved by holding, written to the audit list and exported',
    { tag: '@journey' },
    async ({ operator, service }) => {
      const { page } = operator;
      const id = service.addMission({ title: 'Search the north shore' });
      await operator.openPanel('Missions');
      const missions = panelOf(page);
      await chooseMission(page, id);
      await expectNone(page, 'mission chosen');

      await missions.getByRole('button', { name: 'Approve', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText(id);
      await expect(dialog).toContainText('Search the north shore');
      await expectNone(page, 'confirmation');
      // Neither a click nor Enter decides.
      await dialog.getByRole('button', { name: 'Hold to approve' }).click();
      await dialog.getByRole('button', { name: 'Hold to approve' }).press('Enter');
      await expect(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(service.decisions()).toEqual([]);

      await holdToDecide(page, 'Approve');
      await expect(missions.getByText(/^\s*Approved\s+at/)).toBeVisible();
      expect(service.decisions()).toMatchObject([{ missionId: id, decision: 'approve' }]);
      expect(service.counts.requests[approvals]).toBe(1);
      await expect(missions.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);
      await expectNone(page, 'approved');

      await missions
        .getByRole('radio', { name: 'Audit list' })
        .or(missions.getByText('Audit list'))
        .first()
        .click();
      await expect(missions.getByText(/intact/).first()).toBeVisible();
      await expect(missions.getByRole('row').first()).toContainText(id);
      await expectNone(page, 'audit list');
      const download = page.waitForEvent('download');
      await missions.getByRole('button', { name: 'Export' }).click();
      const saved = await (await download).path();
      expect(await readFile(saved, 'utf8')).toContain(id);
    },
  );

  test('one is rejected by typing its id', async ({ operator, service }) => {
    const { page } = operator;
    const id = service.addMission();
    await operator.openPanel('Missions');
    await chooseMission(page, id);
    await panelOf(page).getByRole('button', { name: 'Reject', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const reject = dialog.getByRole('button', { name: 'Reject', exact: true });
    await expect(reject).toBeDisabled();
    await dialog.getByRole('textbox').fill(id.length <= 24 ? id : id.slice(-8));
    await dialog.getByRole('textbox').press('Enter');
    expect(service.decisions()).toEqual([]);
    await reject.click();
    await expect(panelOf(page).getByText(/^\s*Rejected\s+at/)).toBeVisible();
    expect(service.decisions()).toMatchObject([{ missionId: id, decision: 'reject' }]);
  });

  test('five double clicks send one request each', async ({ operator, service }) => {
    const { page } = operator;
    const ids = Array.from({ length: 5 }, () => service.addMission());
    await operator.openPanel('Missions');
    for (const id of ids) {
      await chooseMission(page, id);
      await panelOf(page).getByRole('button', { name: 'Approve', exact: true }).dblclick();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill(id.length <= 24 ? id : id.slice(-8));
      await dialog.getByRole('button', { name: 'Approve', exact: true }).dblclick();
      await expect(panelOf(page).getByText(/^\s*Approved\s+at/)).toBeVisible();
    }
    expect(service.decisions().map(({ missionId }) => missionId)).toEqual(ids);
    expect(service.counts.requests[approvals]).toBe(5);
  });

  test('one that is not granted is said with the service’s words, and not asked again', async ({
    operator,
    service,
  }) => {
    const { page } = operator;
    const id = service.addMission();
    await service.set({ missionScope: false });
    await operator.openPanel('Missions');
    await chooseMission(page, id);
    await holdToDecide(page, 'Approve');
    const missions = panelOf(page);
    await expect(missions.getByText(/You don’t have permission to decide/).first()).toBeVisible();
    await expect(missions.getByText(/Scope missions:approve has not been granted/)).toBeVisible();
    await expect(missions.getByText(/HTTP 403/)).toBeVisible();
    await expect(missions.getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
    await expectNone(page, 'not granted');
    expect(service.counts.requests[approvals]).toBe(1);
    expect(service.decisions()).toEqual([]);
  });

  test(
    'a lost answer stays unknown while the list lags, and is known by sending it again',
    { tag: '@packed' },
    async ({ operator, service }) => {
      const { page } = operator;
      const id = service.addMission();
      await operator.openPanel('Missions');
      await chooseMission(page, id);
      await service.set({ missionFault: 'answer-lost', missionListLagMs: 600_000 });
      await holdToDecide(page, 'Approve');
      const missions = panelOf(page);
      await expect(missions.getByText(/may or may not have taken effect/)).toBeVisible();
      await expect(missions.getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
      await expectNone(page, 'unknown');
      await service.set({ missionFault: 'none' });
      await missions.getByRole('button', { name: 'Check again' }).click();
      await expect(
        missions.getByText(/^Still listed as pending at \d\d:\d\d:\d\d UTC\. The list may lag\.$/),
      ).toBeVisible();
      await expect(missions.getByText(/may or may not have taken effect/)).toBeVisible();
      await expect(missions.getByText(/refused/)).toHaveCount(0);
      await expectNone(page, 'still listed');
      await missions.getByRole('button', { name: 'Send the same decision again' }).click();
      await expect(missions.getByText(/^\s*Approved\s+at/)).toBeVisible();
      await expect(missions.getByText(/Outcome unknown|Still listed/)).toHaveCount(0);
      expect(service.decisions()).toHaveLength(1);
      expect(service.counts.requests[approvals]).toBe(2);
      await missions.getByText('Audit list').first().click();
      await expect(
        missions.getByText(/^Pending list read at .* the mission is still listed\.$/),
      ).toBeVisible();
    },
  );

  test('one that somebody else decided on is read again', async ({ operator, service }) => {
    const { page } = operator;
    const id = service.addMission();
    await operator.openPanel('Missions');
    await chooseMission(page, id);
    await service.set({ missionFault: 'conflict' });
    await holdToDecide(page, 'Approve');
    await expect(
      panelOf(page).getByText(/Your approval had no effect: the mission had changed/),
    ).toBeVisible();
    await expectNone(page, 'conflict');
    expect(service.decisions()).toEqual([]);
  });

  test('decisions need a live connection', async ({ operator, service }) => {
    const { page } = operator;
    const id = service.addMission();
    await operator.openPanel('Missions');
    await chooseMission(page, id);
    await service.set({ fault: 'refuse' });
    await expect(panelOf(page).getByText('You can decide when it is back.')).toBeVisible();
    await expect(panelOf(page).getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
    await expectNone(page, 'offline');
  });
});

test.describe('missions without a list', () => {
  test('are typed, and an unknown outcome is sent again as the same decision', async ({
    operator,
    service,
  }) => {
    const { page } = operator;
    const id = service.addMission();
    await operator.openPanel('Missions');
    const missions = panelOf(page);
    await expect(missions.getByText(/has no list of missions/)).toBeVisible();
    await expectNone(page, 'no list');
    await expect(missions.getByRole('button', { name: 'Reject', exact: true })).toHaveCount(0);
    await missions.getByRole('textbox', { name: 'Mission id', exact: true }).fill(id);
    // The decision looks it up by itself; the button does so without deciding.
    await missions.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(missions.getByRole('option').filter({ hasText: id })).toBeVisible();
    const other = service.addMission();
    await missions.getByRole('textbox', { name: 'Mission id', exact: true }).fill(other);
    await missions.getByRole('button', { name: 'Look up' }).click();
    await expect(missions.getByRole('option').filter({ hasText: other })).toBeVisible();
    await chooseMission(page, id);

    await service.set({ missionFault: 'answer-lost' });
    await holdToDecide(page, 'Approve');
    const again = missions.getByRole('button', { name: 'Send the same decision again' });
    await expect(again).toBeVisible();
    await expect(missions.getByText(/Until .+, the service does not act twice/)).toBeVisible();
    await expectNone(page, 'unknown without a list');
    await service.set({ missionFault: 'none' });
    await again.dblclick();
    await expect(missions.getByText(/^\s*Approved\s+at/)).toBeVisible();
    expect(service.decisions()).toHaveLength(1);
    expect(service.counts.requests[approvals]).toBe(2);
  });
});

test.describe('live events', () => {
  // Polled so seldom that what changes is seen by its event only.
  test.use({
    deployment: { eventsPath: '/events', pollIntervals: { incidentsMs: 600_000, healthMs: 600_000 } },
  });

  test(
    'one refreshes its incident, another brings its mission',
    { tag: '@journey' },
    async ({ operator, service }) => {
      const { page } = operator;
      await operator.expectIncidents(1712);
      const mark = page.getByRole('button', { name: /^Live$/ });
      await expect(mark).toBeVisible();
      await operator.incidents.getByRole('option').first().click();
      await expect(operator.details).toBeVisible();
      const shown = await operator.details.getByRole('group', { name: 'Fields' }).textContent();
      const incident = [...service.incidents().values()].find(({ id }) => shown?.includes(id));
      if (incident === undefined) throw new Error('No incident is shown');
      service.changeIncident(incident.id, { status: 'contained-by-crews' });
      service.emitEvent({ kind: 'incident.updated', data: { incident_id: incident.id } });
      await expect(operator.details.getByText('contained-by-crews', { exact: true })).toBeVisible();

      await mark.click();
      const events = page.getByRole('complementary', { name: 'Live events' });
      await expect(events.getByText('Incident changed').first()).toBeVisible();
      await expectNone(page, 'live events');

      const id = service.addMission();
      service.emitEvent({ kind: 'mission.pending', data: { mission_id: id } });
      await events
        .getByRole('button', { name: /^Show the mission/ })
        .first()
        .click();
      await expect(panelOf(page).getByRole('option').filter({ hasText: id })).toBeVisible();
    },
  );
});
