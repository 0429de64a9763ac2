import { expect, test } from './fixtures.ts';

const field = (name: string) => ({ name, exact: true });

test.describe('the check of a deployment', () => {
  test('sends user name and password once, and empties the password field', async ({ shown }) => {
    const page = await shown.open('check');
    const dialog = page.getByRole('dialog', { name: 'Check this deployment' });
    const [username, password] = [
      dialog.getByRole('textbox', field('Username')),
      dialog.getByRole('textbox', field('Password')),
    ];
    // Who is signed in is known, and the password is not.
    await expect(username).not.toHaveValue('');
    await expect(password).toBeFocused();
    await password.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText('Enter the password.');
    await username.fill('operator');
    await password.fill('correct horse');
    await password.press('Enter');
    await expect(password).toHaveValue('');
    const of = { kind: 'known', id: 'harbour' };
    expect(await shown.calls('startDeploymentCheck')).toEqual([
      { of, username: 'operator', password: 'correct horse' },
    ]);
  });

  test('in Arabic, addresses begin where the other values do', async ({ shown }) => {
    const page = await shown.open('check, report', { language: 'ar' });
    const values = page.getByRole('dialog').locator('.report-facts dd');
    await expect(values.first()).toBeVisible();
    const ends = await values.evaluateAll((all) =>
      all.map((one) => Math.round(one.querySelector('bdi')!.getBoundingClientRect().right)),
    );
    expect(ends).toHaveLength(5);
    expect(new Set(ends).size).toBe(1);
  });

  test('says how far it is and can be cancelled', async ({ shown }) => {
    const page = await shown.open('check, running');
    const dialog = page.getByRole('dialog', { name: 'Check this deployment' });
    await expect(dialog.getByRole('status')).toHaveText('Requests sent: 17 of at most 60');
    await expect(dialog.getByRole('progressbar')).toHaveAttribute('value', '17');
    await dialog.getByRole('button', field('Cancel')).click();
    expect(await shown.calls('cancelDeploymentCheck')).toHaveLength(1);
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect(await shown.calls('dismissDeploymentCheck')).toHaveLength(1);
  });

  test('reports each finding with how it was seen, why not, and what was not tried', async ({ shown }) => {
    const page = await shown.open('check, report');
    const report = page.getByRole('group', field('Report of the check'));
    const row = (title: string) => report.getByRole('listitem').filter({ hasText: title });
    await expect(row('Filter by severity')).toContainText('Honouredno');
    await expect(row('Filter by severity')).toContainText('By asking for one value that the page had.');
    await expect(row('Time filters and their unit')).toContainText('milliseconds');
    await expect(row('Time filters and their unit')).toContainText('Requests: 2');
    await expect(row('Clock')).toContainText('This computer is behind by42 s');
    await expect(row('Certificate, Coordination')).toContainText('It failed: SELF_SIGNED_CERT_IN_CHAIN.');
    await expect(row('Pending missions')).toContainText('You don’t have permission for this.');
    // What was not looked at was not looked at in any way.
    await expect(report).not.toContainText('By following the cursor');
    await expect(row('Uploads')).toContainText('Not tried');
    await expect(row('Uploads')).toContainText('An upload would store a file at the service.');
    // Every name and value has words: none is shown as its key.
    await expect(report).not.toContainText('deploymentCheck.');
    const keys = report.getByRole('table');
    await expect(keys.getByRole('row', { name: /timestampUnit/ })).toContainText('set by this check');
    await expect(keys.getByRole('row', { name: /timestampUnit/ })).toContainText(
      'Time filters and their unit',
    );
    await expect(keys.getByRole('row', { name: /loginPath/ })).toContainText('as the file has it');
    // Somebody is signed in: what is known cannot be replaced from here.
    await expect(page.getByRole('button', field('Use these values'))).toHaveCount(0);
  });

  test('proposes the file that follows where a deployment is added, and stores nothing itself', async ({
    shown,
  }) => {
    const page = await shown.open('deployment, check, report');
    await page.getByRole('button', field('Use these values')).click();
    await expect(page.getByRole('dialog', { name: 'Check this deployment' })).toHaveCount(0);
    const [proposed] = (await shown.calls('proposeDeployment')) as { text: string }[];
    expect(JSON.parse(proposed?.text ?? '{}')).toMatchObject({
      id: 'harbour',
      timestampUnit: 'milliseconds',
    });
    expect(await shown.calls('confirmDeployment')).toEqual([]);
    await expect(page.getByRole('dialog', { name: 'Add this deployment?' })).toBeVisible();
  });

  test('is not there to be made or saved where the policy says so', async ({ shown }) => {
    const page = await shown.open('check, fixed by policy');
    await expect(page.getByRole('button', field('Check this deployment'))).toBeDisabled();
    await expect(page.getByText('The computer policy sets the deployments')).toBeVisible();
    const forbidden = await shown.open('check, report, nothing may be saved');
    for (const name of ['Save report', 'Save file']) {
      await expect(forbidden.getByRole('button', field(name))).toBeDisabled();
    }
  });
});
