import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { expect, test } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Diagnostics', exact: true });

async function openFromWorkspace(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Diagnostics', exact: true }).click();
  const panel = panelOf(page);
  await expect(panel.getByRole('heading', { name: 'Versions' })).toBeVisible();
  return panel;
}

async function openFromSignIn(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Diagnostics', exact: true }).click();
  const panel = panelOf(page);
  await expect(panel.getByRole('heading', { name: 'Versions' })).toBeVisible();
  return panel;
}

async function runSelfTest(panel: Locator): Promise<Locator> {
  await panel.getByRole('button', { name: 'Self-test', exact: true }).click();
  await panel.getByRole('button', { name: 'Run', exact: true }).click();
  const results = panel.getByRole('group', { name: 'Self-test results' });
  await expect(panel.getByRole('button', { name: 'Run again' })).toBeVisible();
  return results;
}

/** Saves a bundle by its button and reads the files in it. */
async function saveBundle(page: Page, panel: Locator): Promise<Map<string, string>> {
  await panel.getByRole('button', { name: 'Make a bundle' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this bundle?' });
  const listed = dialog.getByRole('list', { name: 'Contents' }).locator('code');
  await expect(listed.first()).toBeVisible();
  const names = await listed.allTextContents();
  expect(await violations(page), 'the list of the bundle').toEqual([]);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^field-console-diagnostics-\d{8}-\d{4}\.zip$/);
  await expect(dialog.getByText(/^Saved as/)).toBeVisible();
  const files = unzipSync(await readFile(await saved.path()));
  expect(Object.keys(files)).toEqual(names);
  await dialog.getByRole('button', { name: 'Close' }).click();
  return new Map(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')] as const),
  );
}

test.beforeEach(({ opened }) => opened.page.emulateMedia({ reducedMotion: 'reduce' }));

test('signed out: everything is shown, tested and saved before anybody signs in', async ({
  opened,
  service,
}) => {
  const { page } = opened;
  const panel = await openFromSignIn(page);
  await expect(panel).toContainText(new URL(service.infrastructureUrl).host);
  expect(await violations(page), 'overview').toEqual([]);
  const results = await runSelfTest(panel);
  await expect(results.getByRole('listitem').filter({ hasText: 'SQLite in its thread' })).toContainText(
    'Passed',
  );
  await expect(results.getByRole('listitem').filter({ hasText: 'Infrastructure answers' })).toContainText(
    'Passed',
  );
  await expect(results.getByRole('listitem').filter({ hasText: 'Live events' })).toContainText('Not run');
  expect(await violations(page), 'self-test').toEqual([]);
  const files = await saveBundle(page, panel);
  expect(files.get('self-test.json')).toContain('"id": "data-folder"');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
});

test('signed in: requests with their ids, and a bundle without a secret or an incident', async ({
  operator,
  service,
}) => {
  const { page } = operator;
  service.failNext(1, 'error-500', '/incidents');
  const strange = service.addIncident({ id: 'INC-canary-e2e', incident_type: 'canarywildfire' });
  await expect(operator.incidents.getByText(/incidents/).first()).toBeVisible();
  const panel = await openFromWorkspace(page);
  await panel.getByRole('button', { name: 'Requests', exact: true }).click();
  const requests = panel.getByRole('grid', { name: 'Requests, latest first' });
  // The grid holds the rows in view, and what was read since stands above: the older ones are walked to.
  const health = requests.getByText('GET /health').first();
  let step = 0;
  await expect(async () => {
    if (await health.isVisible()) return;
    await requests.press((step += 1) % 30 === 0 ? 'Home' : 'PageDown');
    await expect(health).toBeVisible({ timeout: 200 });
  }).toPass();
  await expect(requests.getByRole('button', { name: /^Copy request id trn-/ }).first()).toBeVisible();
  expect(await violations(page), 'requests').toEqual([]);
  await panel.getByRole('button', { name: 'Connection', exact: true }).click();
  await expect(panel.getByText('Online').first()).toBeVisible();
  expect(await violations(page), 'connection').toEqual([]);
  await runSelfTest(panel);
  const files = await saveBundle(page, panel);
  expect(files.get('requests.jsonl')).toContain('"path":"/login"');
  const { username, password } = service.credentials;
  const canaries = [username, password, ...service.issuedTokens(), strange.id, strange.incident_type];
  for (const [name, text] of files) {
    for (const canary of canaries) expect(text.includes(canary), `a canary in ${name}`).toBe(false);
  }
  for (const id of [...service.incidents().keys()].slice(0, 200)) {
    for (const [name, text] of files) expect(text.includes(id), `an incident in ${name}`).toBe(false);
  }
});

test('a console that went away is said, and the page goes on', async ({ opened }) => {
  const { page } = opened;
  const panel = await openFromSignIn(page);
  await page.route('**/export/*', (route) => route.abort());
  await panel.getByRole('button', { name: 'Make a bundle' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this bundle?' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByText('Can’t get the bundle from the console.')).toBeVisible();
  await expect(dialog).toBeHidden();
});
