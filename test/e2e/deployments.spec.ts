import { expect, test } from './support/fixtures.ts';
import { serveConsole } from './support/launch.ts';

const file = (text: string) => ({
  name: 'station.json',
  mimeType: 'application/json',
  buffer: Buffer.from(text),
});

const other = {
  version: 1,
  id: 'other',
  name: 'Other station',
  infrastructureUrl: 'https://infrastructure.example.org',
  coordinationUrl: 'https://coordination.example.org',
};

test.describe('deployment files', () => {
  test(
    'one added by hand shows both hosts and asks before it is believed',
    { tag: '@journey' },
    async ({ opened }) => {
      const { page } = opened;
      await page.locator('input[type=file]').setInputFiles(file(JSON.stringify(other)));
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText('infrastructure.example.org');
      await expect(dialog).toContainText('coordination.example.org');
      await dialog.getByRole('button', { name: /^Add/ }).click();
      await expect(page.getByText('Other station').first()).toBeVisible();
    },
  );

  for (const [what, text, sentence] of [
    ['a file that is no JSON', '{"version": 1,', /line 1|JSON/],
    [
      'credentials in a URL',
      JSON.stringify({ ...other, proxy: 'http://ann:canary@proxy.example.org' }),
      /proxy/,
    ],
    ['a key that is not known', JSON.stringify({ ...other, password: 'canary' }), /password/],
    [
      'http to a host that is not this machine',
      JSON.stringify({ ...other, infrastructureUrl: 'http://example.org' }),
      /infrastructureUrl/,
    ],
    ['a known id with another origin', JSON.stringify({ ...other, id: 'station-1' }), /station-1|removed?/i],
  ] as const) {
    test(`${what} is refused with a sentence that says why`, async ({ opened }) => {
      const { page } = opened;
      await page.locator('input[type=file]').setInputFiles(file(text));
      const alert = page.getByRole('alert').filter({ hasText: sentence }).first();
      await expect(alert).toContainText(/deployment-(invalid|conflict)/);
      await expect(page.getByText('canary')).toHaveCount(0);
    });
  }
});

test(
  'a second console on the same data folder leaves with status 3',
  { tag: '@smoke' },
  async ({ opened }) => {
    await expect(serveConsole(opened.dataDir, [])).rejects.toThrow(/status 3/);
    await expect(opened.page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  },
);
