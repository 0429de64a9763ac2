import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { Hands } from './support/hands.ts';

/** A row of an incident with several pieces of evidence. */
const several = /[2-9] evidence items/;
/** The most steps that any of the tasks of a shift may take, by pointer or by keys. */
const most = 3;

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const at = (latitude: number, longitude: number) => ({ latitude, longitude, altitude: 0 });
const flood = (id: string, severity: string) => ({
  id,
  severity,
  incident_type: 'flood',
  created_at: new Date().toISOString(),
  location: at(20, 10),
});

test.use({
  deployment: async ({ service }, use) => {
    await use({
      gateways: [service.gatewayUrl],
      missions: { pendingPath: '/admin/missions/pending', rejectPath: '/admin/missions/reject' },
    });
  },
});

test(
  'no task of a shift takes more than three steps',
  { tag: '@map' },
  async ({ open, service }, testInfo) => {
    service.addMission({ purpose: 'Deliver insulin' });
    const { page, operator } = await open();
    const { incidents, details } = operator;
    const banner = region(page, 'Alarm banner');
    const hands = new Hands(page);

    await page.getByRole('textbox', { name: 'Username' }).fill(service.credentials.username);
    hands.begin('sign in');
    await page.getByRole('textbox', { name: 'Password' }).focus();
    await hands.type(service.credentials.password);
    await hands.press('Enter');
    await expect(incidents.getByText(/\d incidents?\b/).first()).toBeVisible();
    for (const id of ['first', 'second']) {
      service.addIncident(flood(id, 'critical'));
      // Of the newest incident.
      for (let piece = 0; piece < 2; piece += 1) service.addEvidence();
    }
    await expect(banner).toBeVisible();

    hands.begin('the worst open incident');
    await hands.press('w');
    await expect(details).toBeVisible();

    hands.begin('pin it');
    await hands.press('b');
    await expect(details.getByRole('button', { name: 'Unpin', exact: true })).toBeVisible();

    hands.begin('note on it');
    await hands.press('a');
    await expect(details.getByRole('textbox', { name: 'New note' })).toBeFocused();
    await hands.type('Crew 4 is on its way.');
    await hands.press('Control+Enter');
    await expect(details.getByRole('listitem').filter({ hasText: 'Crew 4' })).toBeVisible();
    await page.keyboard.press('Escape');

    hands.begin('what an alarm is about, and back');
    await hands.click('Show', banner.getByRole('button', { name: 'Show', exact: true }));
    await expect(incidents.getByText(/incidents? of this alarm/)).toBeVisible();
    await hands.click('Show all again', incidents.getByRole('button', { name: 'Show all again' }));

    hands.begin('acknowledge one alarm');
    await hands.press('u');
    const alarms = region(page, 'Alarms');
    await expect(alarms.getByRole('list').first()).toBeVisible();
    const before = await alarms.getByRole('listitem').count();
    await hands.press('Delete');
    await expect(alarms.getByText(/acknowledged/).first()).toBeVisible();
    expect(before).toBeGreaterThan(0);

    service.addIncident({ ...flood('third', 'critical'), location: at(50.48, 17.33) });
    await expect(banner).toBeVisible();
    hands.begin('acknowledge all alarms');
    await hands.press('u');
    const all = alarms.getByRole('button', { name: /^Acknowledge( all)?$/ });
    await hands.click('Acknowledge', all.first());
    await expect(banner).toBeHidden();

    await operator.openPanel('Incidents');
    hands.begin('critical of the last hour');
    await hands.click('Critical', incidents.getByRole('button', { name: /^Critical \d/ }));
    await hands.click('Filter', incidents.getByRole('button', { name: /^Filter/ }));
    await hands.click('1 h', page.getByLabel(/^1 h/));
    await operator.expectIncidents(3);
    await page.keyboard.press('Escape');
    await operator.clearFilters();

    hands.begin('go to coordinates');
    const goTo = page.getByRole('combobox', { name: 'Go to a place' });
    await hands.click('Go to a place', goTo);
    await hands.type('20.5, 10.5');
    await hands.press('Enter');
    await expect(operator.drawnMap).toHaveAttribute('data-camera', /^10\.500 20\.500 /);

    hands.begin('incidents near a named town');
    await hands.press('/');
    await hands.type('place:Nysa');
    await operator.expectIncidents(1);

    hands.begin('export the filtered list');
    await hands.press('Enter');
    await hands.press('e');
    const exporting = page.getByRole('dialog', { name: 'Export incidents' });
    await expect(exporting).toBeVisible();
    const exported = page.waitForEvent('download');
    await hands.press('Enter');
    await exported;
    await page.keyboard.press('Escape');
    await expect(exporting).toBeHidden();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');

    hands.begin('four incidents as a radio message');
    const rows = incidents.getByRole('option');
    await hands.click('the first', rows.first());
    await hands.click('the fourth with Shift', rows.nth(3), 'Shift');
    const bar = incidents.getByRole('group', { name: 'Selected incidents' });
    await hands.click('Copy as message', bar.getByRole('button', { name: 'Copy as message' }));
    await expect(bar.getByRole('status')).toHaveText('Copied');
    await page.keyboard.press('Escape');

    hands.begin('all pictures of an incident, verified');
    await hands.click('row', rows.filter({ hasText: several }).first());
    await hands.click('Load and verify all', details.getByRole('button', { name: /^Load and verify all/ }));
    const pictures = details.getByRole('list', { name: 'Evidence of this incident' }).getByRole('button');
    await expect(pictures.filter({ hasText: 'Load' })).toHaveCount(0);
    await page.keyboard.press('Escape');

    hands.begin('a picture of an incident');
    await hands.click('row', rows.filter({ hasText: several }).nth(1));
    await hands.click('picture', pictures.first());
    // It says so above the picture too, for as long as that is new.
    const viewer = page.getByRole('dialog', { name: 'Evidence viewer' });
    await expect(viewer.locator('figcaption').getByText('verified')).toBeVisible();
    await page.keyboard.press('Escape');

    hands.begin('approve a mission');
    const rail = page.getByRole('navigation');
    await hands.click('Missions', rail.getByRole('button', { name: /^Missions/ }));
    const missions = region(page, 'Missions');
    await hands.pressTwice('row', missions.getByRole('option').filter({ hasText: 'Deliver insulin' }));
    const question = page.getByRole('dialog', { name: /Deliver insulin/ });
    await hands.hold('Hold to approve', question.getByRole('button', { name: 'Hold to approve' }), () =>
      expect(question).toBeHidden(),
    );
    await expect(missions.getByText(/^\s*Approved\s+at/)).toBeVisible();

    hands.begin('hand over');
    await hands.press('h');
    const handover = page.getByRole('dialog', { name: 'Hand over this shift?' });
    await expect(handover).toBeVisible();
    await hands.press('Control+Enter');
    await expect(handover).toBeHidden();

    hands.begin('lock');
    await hands.click('Lock', page.getByRole('button', { name: 'Lock', exact: true }));
    await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible();

    await testInfo.attach('steps', { body: hands.report(), contentType: 'text/plain' });
    for (const task of hands.tasks) expect(hands.count(task), hands.report()).toBeLessThanOrEqual(most);
  },
);
