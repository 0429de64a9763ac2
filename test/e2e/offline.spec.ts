import { readdir } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test as base, type OpenedConsole } from './support/fixtures.ts';
import { writeDeployment } from './support/launch.ts';
import { switchFor, type NetworkSwitch } from './support/networkSwitch.ts';
import { violations } from './support/violations.ts';

interface RunningApp {
  readonly infrastructure: NetworkSwitch;
  readonly coordination: NetworkSwitch;
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Starts a console on this test's data folder; the one before must have been stopped. */
  start(): Promise<OpenedConsole>;
}

// Every sign-in derives a key at full cost, and most tests start the console twice or three times.

/** A station whose two cables can be pulled. */
const test = base.extend<{ station: RunningApp }>({
  station: async ({ service, folder, open }, use) => {
    const infrastructure = await switchFor(service.infrastructureUrl);
    const coordination = await switchFor(service.coordinationUrl);
    const deployment = await writeDeployment(folder, {
      id: 'cut-off',
      name: 'Harbour station',
      infrastructureUrl: infrastructure.url,
      coordinationUrl: coordination.url,
      timestampUnit: service.switches().timestampUnit,
      pollIntervals: { incidentsMs: 2_000, healthMs: 2_000 },
    });
    const both = async (act: (one: NetworkSwitch) => Promise<void>): Promise<void> => {
      await Promise.all([act(infrastructure), act(coordination)]);
    };
    await use({
      infrastructure,
      coordination,
      cut: () => both((one) => one.cut()),
      restore: () => both((one) => one.restore()),
      start: () => open(['--deployment', deployment]),
    });
    await both((one) => one.close());
  },
});

/** Which incidents the list holds, by what a row says of them but their age. */
async function firstRows(page: Page): Promise<string[]> {
  const facts = page.getByRole('region', { name: 'Incidents', exact: true }).locator('.row__facts');
  // Names of places come after the rows.
  await expect(facts.filter({ hasNotText: /, [A-Z]{2}$|No location/ })).toHaveCount(0);
  return (await facts.allInnerTexts()).slice(0, 12);
}

const complete = (page: Page) =>
  page.getByRole('button', { name: 'Data status', exact: true }).getByText(/complete/);
const kept = (page: Page) => page.getByRole('region', { name: 'Saved on this computer' });
const banner = (page: Page) =>
  page.getByRole('region', { name: 'Session notices' }).getByText(/^Offline, data as of/);

/** Signs in, waits until everything is known and kept, and stops the console. */
async function leaveKept(station: RunningApp, credentials: { username: string; password: string }) {
  const { page, operator, stop } = await station.start();
  await operator.signIn(credentials);
  await operator.expectIncidents(1712);
  await expect(complete(page)).toBeVisible();
  await expectKept(page, '1,712');
  const rows = await firstRows(page);
  await stop();
  return rows;
}

/** What is on the disk, as the console's own page of it says. */
async function expectKept(page: Page, incidents: string): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Data on this computer' }).click();
  const drawer = page.getByRole('complementary', { name: 'Data on this computer' });
  await expect(drawer.getByRole('definition').first()).toHaveText(incidents);
  await drawer.getByRole('button', { name: /^Close/ }).click();
}

test.describe('without the network', () => {
  test(
    'the password opens after a restart what was known, with its age',
    { tag: '@journey' },
    async ({ station, service }) => {
      const rows = await leaveKept(station, service.credentials);
      await station.cut();

      const { page, operator } = await station.start();
      await expect(kept(page)).toContainText(service.credentials.username);
      await expect(kept(page)).toContainText(/data as of \d\d:\d\d UTC/);
      await expect(
        page.getByText(/Your password opens the data stored on this computer, read-only/),
      ).toBeVisible();

      await kept(page).getByRole('button', { name: service.credentials.username }).first().click();
      await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(service.credentials.username);

      await operator.tryToSignIn({ username: service.credentials.username, password: 'not-it' });
      await expect(page.getByRole('alert').first()).toContainText('wrong-password');
      await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('');
      await expect(operator.incidents).toHaveCount(0);

      await operator.signIn(service.credentials);
      await operator.expectIncidents(1712);
      expect(await firstRows(page)).toEqual(rows);
      await expect(banner(page)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Data status', exact: true })).toContainText(
        /Offline, as of .+ UTC/,
      );
      await operator.incidents.getByRole('option').first().click();
      await expect(operator.details.getByText('earthquake').first()).toBeVisible();
      await expect(
        operator.incidents.getByRole('button', { name: /Refresh incidents: not possible offline/ }),
      ).toBeVisible();
      expect(service.counts.logins, 'only the first start reached the service').toBe(1);
    },
  );

  test(
    'back online it goes live on the same screen: selection, filter and camera',
    { tag: '@map' },
    async ({ station, service }) => {
      await leaveKept(station, service.credentials);
      await station.cut();
      const { page, operator } = await station.start();
      await operator.signIn(service.credentials);
      await expect(banner(page)).toBeVisible();

      await operator.filter('Severity', 'critical');
      await operator.expectIncidents(5);
      await expect(operator.drawnMap).toHaveAttribute('data-map-state', 'ready');
      await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', '5');
      await operator.incidents.getByRole('option').nth(2).click();
      await operator.page.getByRole('button', { name: /Show on map/ }).click();
      // Where the incident lies: a flight that is disturbed on its way comes to rest before that, too.
      await expect(operator.drawnMap).toHaveAttribute('data-camera', '-175.635 -65.811 5.0000');
      const id = await operator.details.getByText('Incident id').locator('..').innerText();
      const camera = await operator.drawnMap.getAttribute('data-camera');
      const canvas = await operator.map.locator('canvas').first().elementHandle();

      service.addIncident({
        id: 'while-away',
        severity: 'critical',
        location: { latitude: 3, longitude: 4, altitude: null },
      });
      await station.restore();
      await expect(operator.connection).toHaveText(/^\s*Online/);
      await expect(banner(page)).toHaveCount(0);
      await operator.expectIncidents(6);

      expect(await operator.details.getByText('Incident id').locator('..').innerText()).toBe(id);
      await expect(operator.incidents.getByRole('option', { selected: true })).toHaveCount(1);
      expect(camera).toMatch(/\d/);
      await expect(operator.drawnMap).toHaveAttribute('data-camera', camera ?? '');
      expect(await canvas?.evaluate((element) => element.isConnected), 'the map was not made anew').toBe(
        true,
      );
    },
  );

  test('a cut while signed in is said, and the screen stays', async ({ station, service }) => {
    const { page, operator } = await station.start();
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1712);
    await station.cut();
    await expect(operator.connection).toHaveText(/^\s*Offline/);
    await expect(page.getByRole('button', { name: 'Data status', exact: true })).toContainText(
      /Offline, as of .+ UTC/,
    );
    await operator.expectIncidents(1712);
    await station.restore();
    await expect(operator.connection).toHaveText(/^\s*Online/);
    await expect(page.getByRole('button', { name: 'Data status', exact: true })).toContainText(
      /Fresh, .+ old/,
    );
    await expect(complete(page)).toBeVisible();
    expect(service.counts.logins).toBe(1);
  });

  test('nothing kept, nothing opened: the page says that signing in needs the service', async ({
    station,
    service,
  }) => {
    await station.cut();
    const { page, operator } = await station.start();
    await operator.tryToSignIn(service.credentials);
    await expect(page.getByText(/Signing in needs the service/)).toBeVisible();
    await expect(operator.incidents).toHaveCount(0);
  });
});

test.describe('a password changed on the service', () => {
  test(
    'the previous one is asked for once; a wrong one is refused, the right one opens',
    { tag: '@packed' },
    async ({ station, service }) => {
      await leaveKept(station, service.credentials);
      const previous = service.credentials.password;
      service.changePassword();

      const first = await station.start();
      await first.operator.tryToSignIn(service.credentials);
      const { page } = first;
      await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
      await expect(page.getByText(/locked with your previous password/)).toBeVisible();
      await expect(first.operator.incidents).toHaveCount(0);

      const field = page.getByRole('textbox', { name: 'Previous password' });
      await field.fill('not-it');
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await expect(page.getByRole('alert').first()).toContainText(/wrong-password|Too many/);
      await expect(field).toHaveValue('');

      const open = page.getByRole('button', { name: 'Open', exact: true });
      await expect(open).toHaveAttribute('aria-disabled', 'false');
      await field.fill(previous);
      await open.click();
      await first.operator.expectIncidents(1712);
      await first.stop();

      // The old password opens nothing any more, and the new one does so without the network.
      await station.cut();
      const second = await station.start();
      await second.operator.tryToSignIn({ username: service.credentials.username, password: previous });
      await expect(second.page.getByRole('alert').first()).toContainText('wrong-password');
      await second.operator.signIn(service.credentials);
      await second.operator.expectIncidents(1712);
    },
  );

  test('going on without it keeps the old vault, sealed and listed, and begins anew', async ({
    station,
    service,
  }) => {
    await leaveKept(station, service.credentials);
    service.changePassword();
    const { page, operator, stop } = await station.start();
    await operator.tryToSignIn(service.credentials);
    await page.getByRole('button', { name: 'Continue without it' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(/stays on this computer, locked with your previous password/);
    await dialog.getByRole('button', { name: 'Continue without it' }).click();
    await operator.showAll();
    await operator.expectIncidents(1712);
    await expect(complete(page)).toBeVisible();
    await stop();

    const again = await station.start();
    await expect(kept(again.page).getByText('sealed with a previous password')).toBeVisible();
    await expect(kept(again.page).getByRole('listitem')).toHaveCount(2);
  });
});

test('erasing a vault says what is lost, and leaves nothing to open', async ({ station, service }) => {
  await leaveKept(station, service.credentials);
  await station.cut();
  const { page, operator, dataDir } = await station.start();
  const vaultFiles = () => readdir(`${dataDir}/vaults`, { recursive: true });
  expect(await vaultFiles()).not.toEqual([]);
  await kept(page)
    .getByRole('button', { name: `Actions for saved data of ${service.credentials.username}` })
    .click();
  await page.getByRole('button', { name: /^Erase/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/data as of \d\d:\d\d UTC/);
  await expect(dialog).toContainText('It has no unsent or unproven items.');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(kept(page)).toBeVisible();

  await kept(page)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('button', { name: /^Erase/ }).click();
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click();
  await expect(kept(page)).toHaveCount(0);
  await expect.poll(vaultFiles).toEqual([]);
  await operator.tryToSignIn(service.credentials);
  await expect(page.getByText(/Signing in needs the service/)).toBeVisible();
  await expect(operator.incidents).toHaveCount(0);
});

test('axe finds nothing in the states without the network', async ({ station, service }) => {
  const expectNone = async (page: Page, state: string) => {
    expect(await violations(page), state).toEqual([]);
  };
  await leaveKept(station, service.credentials);
  service.changePassword();
  const sealed = await station.start();
  await sealed.page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(kept(sealed.page)).toBeVisible();
  await expectNone(sealed.page, 'sign-in with vaults');
  await sealed.operator.tryToSignIn(service.credentials);
  await expect(sealed.page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
  await expectNone(sealed.page, 'sealed');
  await sealed.page.getByRole('button', { name: 'Continue without it' }).click();
  await expectNone(sealed.page, 'going on without');
  await sealed.page.getByRole('dialog').getByRole('button', { name: 'Continue without it' }).click();
  await sealed.operator.showAll();
  await sealed.operator.expectIncidents(1712);
  await expect(complete(sealed.page)).toBeVisible();
  await sealed.page.getByRole('button', { name: 'Data status', exact: true }).click();
  await expectNone(sealed.page, 'sync');
  await expectKept(sealed.page, '1,712');
  await sealed.stop();

  await station.cut();
  const { page, operator } = await station.start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(page.getByText(/Your password opens the data stored/)).toBeVisible();
  await expectNone(page, 'sign-in offline');
  await kept(page)
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Erase/ }).click();
  await expectNone(page, 'erasing');
  await page.getByRole('button', { name: 'Keep it' }).click();
  await operator.signIn(service.credentials);
  await expect(banner(page)).toBeVisible();
  await expectNone(page, 'offline');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Data on this computer' }).click();
  await expectNone(page, 'data on this computer');
});
