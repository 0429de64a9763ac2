import { expect, test } from './support/fixtures.ts';

test.describe('integrations', () => {
  test(
    'shows each by its neutral name, and one that fails while watching',
    { tag: '@packed' },
    async ({ operator, service }) => {
      await operator.openPanel('Integrations');
      const { integrations } = operator;
      for (const name of ['AI analysis', 'IPFS pinning', 'Ledger']) {
        await expect(integrations.getByText(name, { exact: true }).first()).toBeVisible();
      }
      const row = integrations.getByRole('article').filter({ hasText: 'IPFS pinning' });
      await expect(row).toContainText(/ok/i);
      service.setIntegration('ipfs_pinning', false);
      await expect(row).toContainText(/down/i);
      service.setIntegration('ipfs_pinning', true);
      await expect(row).toContainText(/ok/i);
    },
  );

  test('unreachable is unreachable, not down', async ({ operator, service }) => {
    await operator.openPanel('Integrations');
    await expect(operator.integrations.getByText('Ledger', { exact: true }).first()).toBeVisible();
    await service.set({ fault: 'refuse' });
    await expect(operator.integrations.getByText(/can(’|')t reach|unreachable/i).first()).toBeVisible();
    await expect(operator.integrations.getByRole('article').filter({ hasText: /\bDown\b/ })).toHaveCount(0);
  });
});
