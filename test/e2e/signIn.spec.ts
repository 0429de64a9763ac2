import { expect, test } from './support/fixtures.ts';

test.describe('signing in', () => {
  test(
    'opens the embedded training with its band, and its own credentials get in',
    { tag: ['@smoke', '@journey'] },
    async ({ open }) => {
      const { page, operator } = await open([]);
      const band = page.getByText('TRAINING, NOT REAL INCIDENTS').first();
      await expect(band).toBeVisible();
      await expect(page).toHaveTitle(/^TRAINING/);

      await page.getByRole('button', { name: 'Fill in' }).click();
      await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(/^trainee-/);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();

      await expect(operator.map).toBeVisible();
      await expect(operator.incidents).toBeVisible();
      await expect(operator.connection).toHaveText(/^\s*Online/);
      await operator.showAll();
      await expect(operator.map.getByText('6 not on the map')).toBeVisible();
      await expect(band).toBeVisible();
      await expect(page).toHaveTitle(/^TRAINING/);
    },
  );

  test('a deployment that was named shows its name and host, and no training band', async ({
    opened,
    service,
  }) => {
    const { page } = opened;
    await expect(page.getByText('Harbour station').first()).toBeVisible();
    await expect(page.getByText(new URL(service.infrastructureUrl).host).first()).toBeVisible();
    await expect(page.getByText('TRAINING')).toHaveCount(0);
  });

  test(
    'a wrong password is refused once, with a sentence, a code and the request id',
    { tag: '@packed' },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      await operator.tryToSignIn({ username: service.credentials.username, password: 'not-it' });
      const alert = page.getByRole('alert').first();
      await expect(alert).toContainText('bad-credentials');
      await expect(alert).toContainText(/[0-9a-f-]{8,}/);
      await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('');
      expect(service.counts.logins).toBe(1);

      await operator.signIn(service.credentials);
      await expect(operator.connection).toHaveText(/^\s*Online/);
    },
  );

  test(
    'a named deployment that cannot be read is an error, never training',
    { tag: '@packed' },
    async ({ open, folder }) => {
      const { page } = await open(['--deployment', `${folder}/missing.json`]);
      await expect(page.getByText('deployment-unreadable').first()).toBeVisible();
      await expect(page.getByText('TRAINING')).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toHaveCount(0);
    },
  );

  test('sign-out ends at the sign-in page and drops what was shown', async ({ operator }) => {
    const { page } = operator;
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await expect(operator.incidents).toHaveCount(0);
  });

  test(
    'locking empties the page; the right password opens it, a wrong one does not',
    { tag: ['@journey', '@stand-in'] },
    async ({ operator, service }) => {
      const { page } = operator;
      await page.getByRole('button', { name: 'Lock' }).click();
      await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
      await expect(operator.incidents).toHaveCount(0);
      const html = await page.content();
      expect(html).not.toContain('earthquake');

      await page.getByRole('textbox', { name: 'Password' }).fill('not-it');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await expect(page.getByText('wrong-password').first()).toBeVisible();
      await page.getByRole('textbox', { name: 'Password' }).fill(service.credentials.password);
      await page.getByRole('button', { name: 'Unlock' }).click();
      await operator.expectIncidents(1712);
      expect(service.counts.logins).toBe(1);
    },
  );
});
