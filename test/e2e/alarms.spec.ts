import type { Page } from '@playwright/test';
import { expect, test, type OpenedConsole } from './support/fixtures.ts';
import { forgetSound, listen, loudestSample, probeSound } from './support/soundProbe.ts';
import { violations } from './support/violations.ts';

const panelOf = (page: Page) => page.getByRole('region', { name: 'Alarms', exact: true });
const bannerOf = (page: Page) => page.getByRole('region', { name: 'Alarm banner' });
const signOf = (page: Page) =>
  page.getByRole('button', { name: 'Sound is off: click to enable', exact: true });
const expectNone = async (page: Page, state: string): Promise<void> => {
  // A colour that is still on its way to another has no contrast of its own.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await violations(page), state).toEqual([]);
};
const critical = (id: string) => ({
  id,
  severity: 'critical',
  incident_type: 'flood',
  location: { latitude: 3, longitude: 4, altitude: null },
});

/** What sounded last is over, and nothing follows it at once. */
const expectFaded = (page: Page): Promise<void> =>
  expect
    .poll(async () => {
      await forgetSound(page);
      await listen(page, 20);
      return loudestSample(page);
    })
    .toBe(0);

/** Signs in with no alarm waiting, and the sound probed. */
async function signedIn(
  { page, operator }: OpenedConsole,
  credentials: { readonly username: string; readonly password: string },
): Promise<void> {
  await probeSound(page.context());
  await page.reload();
  await operator.signIn(credentials);
  await operator.expectIncidents(1712);
  // What is high or critical in the first reading is closed, and so does not alarm.
  await expect(bannerOf(page)).toBeHidden();
  await expectFaded(page);
}

test.describe('alarms', () => {
  test(
    'a critical incident is shown, heard and acknowledged',
    { tag: '@journey' },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      await signedIn(opened, service.credentials);

      service.addIncident(critical('raised-1'));
      await expect(bannerOf(page)).toContainText(/Critical: flood/);
      await expect(page.getByRole('alert').filter({ hasText: /Critical: flood/ })).toHaveCount(1);
      await expect.poll(() => loudestSample(page)).toBeGreaterThan(0.1);
      expect(await loudestSample(page)).toBeLessThan(0.6);
      await expectNone(page, 'banner');

      await bannerOf(page).getByRole('button', { name: 'Show', exact: true }).click();
      await expect(operator.incidents.getByText('Showing the incident of this alarm')).toBeVisible();
      await expect(operator.incidents.getByRole('option')).toHaveCount(1);
      await expectNone(page, 'the incidents of an alarm');
      await operator.openPanel('Alarms');
      const alarms = panelOf(page);
      await expect(alarms.getByText('1 alarm to acknowledge')).toBeVisible();
      await expectNone(page, 'alarms');
      await alarms.getByRole('button', { name: 'Acknowledge', exact: true }).click();
      await expect(bannerOf(page)).toBeHidden();
      await expect(alarms.getByRole('list', { name: 'Past alarms' })).toContainText(/Critical: flood/);

      await alarms.getByText('Settings', { exact: true }).click();
      await expectNone(page, 'alarm settings');
      await expectFaded(page);
      await alarms.getByRole('button', { name: 'Test sound: notice' }).click();
      await expect.poll(() => loudestSample(page)).toBeGreaterThan(0.05);
      await expect(operator.incidents).toBeHidden();
    },
  );

  test('a service that is lost for the time that was set alarms, and the alarm is past once it answers', async ({
    opened,
    service,
  }) => {
    const { page, operator } = opened;
    await signedIn(opened, service.credentials);
    await operator.openPanel('Alarms');
    const alarms = panelOf(page);
    await alarms.getByText('Settings', { exact: true }).click();
    const delay = alarms.getByLabel('No contact with the service for');
    await expect(delay).toHaveValue('60000');
    await delay.selectOption('15 s');

    await service.set({ fault: 'refuse' });
    await expect(page.getByText(/^Offline, data as of/)).toBeVisible();
    await expect(bannerOf(page)).toBeHidden();
    await expect(bannerOf(page)).toContainText(/^No contact with .+ since \d\d:\d\d UTC/);
    await expectNone(page, 'a lost service');
    await alarms.getByText('Alarms', { exact: true }).last().click();
    await expect(alarms.getByText(/^No contact with the service since/)).toHaveCount(1);

    await service.set({ fault: 'none' });
    await expect(alarms.getByText(/^The service answered again at/)).toBeVisible();
    const past = alarms.getByRole('list', { name: 'Past alarms' });
    await expect(past).toContainText(/The service answered again at/);
  });

  test('muted, an alarm is shown and not heard, and the mute is always visible', async ({
    opened,
    service,
  }) => {
    const { page, operator } = opened;
    await signedIn(opened, service.credentials);
    await operator.openPanel('Alarms');
    await panelOf(page).getByRole('button', { name: 'Mute for 5 minutes' }).click();
    const muted = page.getByRole('contentinfo').getByText(/^Muted until \d\d:\d\d UTC$/);
    await expect(muted).toBeVisible();
    await operator.openPanel('Incidents');
    service.addIncident(critical('raised-2'));
    await expect(bannerOf(page)).toContainText(/Critical: flood/);
    await expect(muted).toBeVisible();
    await expectNone(page, 'muted');
    await listen(page, 100);
    expect(await loudestSample(page)).toBe(0);

    // Ended early, what still waits is heard.
    await operator.openPanel('Alarms');
    await panelOf(page).getByRole('button', { name: 'Unmute' }).click();
    await expect.poll(() => loudestSample(page)).toBeGreaterThan(0.1);
    await expect(muted).toBeHidden();
  });

  test('of two windows one sounds, and when it closes the other takes over', async ({ opened, service }) => {
    const { page } = opened;
    await signedIn(opened, service.credentials);
    const [second] = await Promise.all([
      page.context().waitForEvent('page'),
      opened.operator.command('Open a second window with the list'),
    ]);
    // The browser lets it sound after a gesture in it; then it waits in line behind the first.
    await second.getByRole('switch', { name: 'Linked to the other windows' }).click();
    const line = () =>
      second.evaluate(async () => {
        const { held = [], pending = [] } = await navigator.locks.query();
        return { held: held.length, pending: pending.length };
      });
    await expect.poll(line).toEqual({ held: 1, pending: 1 });

    service.addIncident(critical('raised-5'));
    await expect.poll(() => loudestSample(page)).toBeGreaterThan(0.1);
    await expect(second.getByRole('option', { name: /flood/i })).toBeVisible();
    // Nobody acknowledges it, so it sounds again: long enough for the second window to have joined in.
    await expectFaded(page);
    await expect.poll(() => loudestSample(page)).toBeGreaterThan(0.1);
    expect(await loudestSample(second), 'the second window').toBe(0);

    await page.close();
    await expect.poll(() => loudestSample(second)).toBeGreaterThan(0.1);
    expect(await line()).toEqual({ held: 1, pending: 0 });
    await expectFaded(second);
    await expect.poll(() => loudestSample(second)).toBeGreaterThan(0.1);
  });

  test('while the browser keeps the page silent a sign says so, and a click ends it', async ({
    opened,
    service,
  }) => {
    const { page, operator } = opened;
    await probeSound(page);
    // As a browser does it that wants a gesture first: the context is there, and does not run.
    await page.addInitScript(() => {
      window.AudioContext = class extends AudioContext {
        constructor(options?: AudioContextOptions) {
          super(options);
          void this.suspend();
        }
      };
    });
    await page.reload();
    // A click after the sign-in would be the gesture that the browser wants.
    await operator.signInToOpen(service.credentials);
    await expect(signOf(page)).toBeVisible();
    service.addIncident(critical('raised-3'));
    await expect(bannerOf(page)).toContainText(/Critical: flood/);
    expect(await loudestSample(page)).toBe(0);
    await expect(signOf(page)).toBeVisible();
    await expectNone(page, 'blocked');
    await signOf(page).click();
    await expect(signOf(page)).toBeHidden();
    await expect.poll(() => loudestSample(page)).toBeGreaterThan(0.1);
  });

  test(
    'the area is taken from the map or drawn on it, also without a mouse',
    { tag: '@map' },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      await signedIn(opened, service.credentials);
      await operator.openPanel('Alarms');
      const alarms = panelOf(page);
      await alarms.getByText('Settings', { exact: true }).click();
      await alarms.getByRole('button', { name: 'This map view' }).click();
      await expect(alarms.getByText('A view of the map')).toBeVisible();

      await alarms.getByRole('button', { name: 'Draw on the map' }).click();
      const drawing = page.getByRole('group', { name: 'Drawing the alarm area' });
      await expect(drawing).toBeVisible();
      await expectNone(page, 'drawing');
      const canvas = operator.map.getByRole('application');
      const box = await canvas.boundingBox();
      if (box === null) throw new Error('No map');
      for (const [x, y] of [
        [0.3, 0.3],
        [0.6, 0.3],
      ] as const) {
        await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
      }
      await expect(drawing).toContainText('Corners: 2.');
      // The third by the keyboard, where the cross is.
      await canvas.press('Space');
      await expect(drawing).toContainText('Corners: 3.');
      await canvas.press('Enter');
      await expect(drawing).toBeHidden();
      await expect(alarms.getByText('A drawn area')).toBeVisible();

      // Outside of it nothing alarms.
      service.addIncident({
        ...critical('far-away'),
        location: { latitude: -60, longitude: -170, altitude: null },
      });
      await operator.openPanel('Incidents');
      await operator.expectIncidents(1713);
      await expect(bannerOf(page)).toBeHidden();
    },
  );

  test('a locked console counts them, and names nothing', async ({ opened, service }) => {
    const { page } = opened;
    await signedIn(opened, service.credentials);
    service.addIncident({ ...critical('raised-4'), incident_type: 'mudslide' });
    await expect(bannerOf(page)).toBeVisible();
    await page.getByRole('button', { name: 'Lock' }).click();
    await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
    await expect(page.getByText('1 alarm, critical')).toBeVisible();
    await expect(page.getByText('mudslide')).toHaveCount(0);
    await expectNone(page, 'locked with an alarm');
  });
});
