import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { TrainingServer } from '../support/training/index.ts';
import { expect, test } from './support/fixtures.ts';
import { writeDeployment } from './support/launch.ts';
import { violations } from './support/violations.ts';

async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('region', { name: 'Settings', exact: true });
  await expect(settings).toBeVisible();
  return settings;
}

const deploymentOf = (
  folder: string,
  { infrastructureUrl, coordinationUrl }: TrainingServer,
): Promise<string> =>
  writeDeployment(folder, { id: 'north', name: 'North Ridge', infrastructureUrl, coordinationUrl });

/** A start's own policy, beside the deployment that every other test opens. */
async function policyFile(folder: string, policy: object): Promise<string> {
  const path = join(folder, 'policy.json');
  await writeFile(path, JSON.stringify({ version: 1, ...policy }));
  return path;
}

test('theme and times change at once, hold after a reload, and follow the system when that is chosen', async ({
  operator,
}) => {
  const { page } = operator;
  await page.emulateMedia({ colorScheme: 'dark' });
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  const settings = await openSettings(page);
  await expect(settings.getByRole('button', { name: 'System' })).toHaveAttribute('aria-pressed', 'true');
  await settings.getByRole('button', { name: 'Day' }).click();
  await expect.poll(theme).toBe('day');
  await settings.getByRole('button', { name: 'System' }).click();
  await expect.poll(theme).toBe('night');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(theme).toBe('day');
  await settings.getByRole('button', { name: 'Night' }).click();
  await settings.getByRole('button', { name: 'Local' }).click();
  await expect(page.getByRole('contentinfo').getByText('local').first()).toBeVisible();

  // By a schedule of which it is always the night, and then always the day.
  await settings.getByRole('button', { name: 'Schedule' }).click();
  await settings.getByLabel('Theme by day').selectOption('Sunlight');
  await settings.getByLabel('Theme by night').selectOption('Red');
  const minute = (offset: number) => {
    const at = new Date(Date.UTC(2026, 0, 1) + (new Date().getTime() % 86_400_000) + offset * 60_000);
    return at.toISOString().slice(11, 16);
  };
  await settings.getByLabel('Day begins at').fill(minute(120));
  await settings.getByLabel('Day begins at').blur();
  await settings.getByLabel('Night begins at').fill(minute(-120));
  await settings.getByLabel('Night begins at').blur();
  await expect.poll(theme).toBe('red');
  await settings.getByLabel('Day begins at').fill(minute(-180));
  await settings.getByLabel('Day begins at').blur();
  await settings.getByLabel('Night begins at').fill(minute(180));
  await settings.getByLabel('Night begins at').blur();
  await expect.poll(theme).toBe('sunlight');
  const textSize = settings.getByRole('combobox', { name: 'Text size' });
  for (const [size, pixels] of [
    ['Small', '12px'],
    ['Normal', '13px'],
    ['Large', '15px'],
    ['Largest', '17px'],
  ] as const) {
    await textSize.selectOption(size);
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).fontSize), size).toBe(pixels);
  }
  await settings.getByRole('combobox', { name: 'Motion' }).selectOption('Reduced');
  await expect(page.locator('html[data-motion="reduced"]')).toBeAttached();
  await settings.getByRole('button', { name: 'Night', exact: true }).click();

  await page.reload();
  const again = await openSettings(page);
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('17px');
  await expect(again.getByRole('button', { name: 'Night' })).toHaveAttribute('aria-pressed', 'true');
  await expect(again.getByRole('button', { name: 'Local' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(theme).toBe('night');
});

test('the time to the lock is kept, and a browser has neither size, login nor tray to set', async ({
  operator,
}) => {
  const { page } = operator;
  const settings = await openSettings(page);
  const idle = settings.getByRole('combobox', { name: 'Lock automatically' });
  await expect(idle).toHaveValue('never');
  await idle.selectOption({ label: 'After 10 min' });
  await page.reload();
  const again = await openSettings(page);
  await expect(again.getByRole('combobox', { name: 'Lock automatically' })).toHaveValue('10');
  await expect(again.getByText('This computer has no policy')).toBeVisible();
  for (const name of ['Page zoom', 'Start at login', 'Show in the tray'])
    await expect(again.getByLabel(name)).toHaveCount(0);
});

test('what the policy fixes is shown as fixed, with where from, and cannot be changed', async ({
  open,
  folder,
  service,
}) => {
  const policy = await policyFile(folder, {
    kiosk: { mode: 'off', idleLockMinutes: 7, drop: false },
    exports: false,
    updates: { allowed: false },
  });
  const { page, operator } = await open([
    '--policy',
    policy,
    '--deployment',
    await deploymentOf(folder, service),
  ]);
  await operator.signIn(service.credentials);
  const settings = await openSettings(page);
  const idle = settings.getByRole('combobox', { name: 'Lock automatically' });
  await expect(idle).toBeDisabled();
  await expect(idle).toHaveText('After 7 min');
  await expect(idle).toHaveAccessibleDescription(/Fixed by the computer policy/);
  await expect(settings.getByText(policy)).toBeVisible();
  const fixed = settings.getByRole('region', { name: 'Policy' });
  for (const words of ['Saving to files', 'Updates', 'Dropping files', 'Not allowed', 'After 7 min'])
    await expect(fixed.getByText(words).first()).toBeVisible();
  // A theme is nobody’s but the operator’s.
  await expect(settings.getByRole('button', { name: 'Day' })).toBeEnabled();
  expect(await violations(page)).toEqual([]);
});

test('About names the version, shows every licence, and leads to the data and to diagnostics', async ({
  operator,
}) => {
  const { page } = operator;
  const settings = await openSettings(page);
  await expect(settings.getByText('Apache License 2.0')).toBeVisible();
  await expect(settings.getByText(/^\d+\.\d+\.\d+/)).toBeVisible();
  await settings.getByRole('button', { name: 'Third-party licences' }).click();
  const dialog = page.getByRole('dialog', { name: 'Third-party licences' });
  const notices = dialog.getByRole('region', { name: 'Licence texts' });
  await expect(notices).toContainText('maplibre-gl');
  await expect(notices).toContainText('Permission is hereby granted');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await settings.getByRole('button', { name: 'Data on this computer' }).click();
  await expect(page.getByRole('complementary', { name: 'Data on this computer' })).toBeVisible();
  await settings.getByRole('button', { name: 'Diagnostics' }).click();
  await expect(page.getByRole('region', { name: 'Diagnostics', exact: true })).toBeVisible();
});

test('a build without the list of licences says so', async ({ operator }) => {
  const { page } = operator;
  await page.route('**/third-party-notices.txt', (route) => route.fulfill({ status: 404 }));
  const settings = await openSettings(page);
  await settings.getByRole('button', { name: 'Third-party licences' }).click();
  await expect(settings.getByRole('status')).toContainText('not part of this build');
});
