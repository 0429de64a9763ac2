import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Check this deployment' });

/** Opens the dialog, and the check goes from its credentials to its report. */
async function check(
  page: Page,
  credentials: { readonly username: string; readonly password: string },
): Promise<Locator> {
  await page.getByRole('button', { name: 'Check this deployment' }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('textbox', { name: 'Username' }).fill(credentials.username);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(credentials.password);
  await dialog.getByRole('button', { name: 'Start the check' }).click();
  const report = dialog.getByRole('group', { name: 'Report of the check' });
  // It listens to the event stream for ten seconds.
  await expect(report).toBeVisible();
  return report;
}

test('signed in: what this deployment does is found out, read and saved, by one login', async ({
  operator,
  service,
}) => {
  const { page } = operator;
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Diagnostics', exact: true }).click();
  const before = service.counts.requests['POST /login'] ?? 0;
  const progress = page.getByText(/^Requests sent: \d+ of at most 60$/);
  const [report] = await Promise.all([check(page, service.credentials), expect(progress).toBeVisible()]);
  expect((service.counts.requests['POST /login'] ?? 0) - before).toBe(1);
  const row = (title: string): Locator => report.getByRole('listitem').filter({ hasText: title });
  await expect(row('Time filters and their unit')).toContainText('seconds');
  await expect(row('Event stream')).toContainText('/events');
  await expect(row('Uploads')).toContainText('Not tried');
  await expect(report.getByRole('row', { name: /eventsPath/ })).toContainText('Event stream');
  expect(await violations(page), 'the report').toEqual([]);

  const dialog = dialogOf(page);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save report' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^field-console-check-station-1-\d{8}-\d{4}\.json$/);
  const text = await readFile(await saved.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version: 1, logins: 1, mostRequests: 60, stopped: null });
  const page_ = await page.content();
  for (const secret of [service.credentials.password, ...service.issuedTokens()]) {
    expect(text.includes(secret), 'a secret in the report').toBe(false);
    expect(page_.includes(secret), 'a secret in the page').toBe(false);
  }
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
});

test('where a deployment is added: what follows is used once it was confirmed', async ({
  opened,
  service,
}) => {
  const { page } = opened;
  const { infrastructureUrl, coordinationUrl } = service;
  const added = { version: 1, id: 'quay', name: 'Quay', infrastructureUrl, coordinationUrl };
  await page.locator('input[type=file]').setInputFiles({
    name: 'quay.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(added)),
  });
  const question = page.getByRole('dialog', { name: 'Add this deployment?' });
  await expect(question).toBeVisible();
  const report = await check(page, service.credentials);
  await report.getByRole('button', { name: 'Use these values' }).click();
  await expect(dialogOf(page)).toBeHidden();
  // Nothing is known of it before somebody says so.
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: /^Add/ }).click();
  await expect(question).toBeHidden();
  await page.getByRole('button', { name: /^Quay/ }).click();
  await expect(page.getByRole('heading', { name: 'Quay' })).toBeVisible();
  await opened.operator.signIn(service.credentials);
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Diagnostics', exact: true }).click();
  await page.getByRole('button', { name: 'Check this deployment' }).click();
  await expect(dialogOf(page)).toContainText('Quay');
});

test('a wrong password is said, and a check that is cancelled shows what it saw', async ({
  opened,
  service,
}) => {
  const { page } = opened;
  await page.getByRole('button', { name: 'Diagnostics', exact: true }).click();
  const report = await check(page, { ...service.credentials, password: 'not this one' });
  const dialog = dialogOf(page);
  await expect(dialog.getByText('The sign-in failed, so little could be seen.')).toBeVisible();
  await expect(report.getByRole('listitem').filter({ hasText: 'Sign-in' }).first()).toContainText(
    'did not accept the username and password',
  );
  await dialog.getByRole('button', { name: 'Check again' }).click();
  await dialog.getByRole('textbox', { name: 'Username' }).fill(service.credentials.username);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(service.credentials.password);
  await dialog.getByRole('button', { name: 'Start the check' }).click();
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByText('The check was cancelled.')).toBeVisible();
});
