import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { chooseFiles, type GivenFile } from './support/files.ts';
import { violations } from './support/violations.ts';

const evidenceOf = (page: Page): Locator => page.getByRole('region', { name: 'Evidence', exact: true });
const rowOf = (page: Page, text: string): Locator =>
  evidenceOf(page).getByRole('row').filter({ hasText: text });
const refresh = (page: Page): Promise<void> =>
  evidenceOf(page).getByRole('button', { name: 'Refresh evidence' }).click();

const expectNone = async (page: Page, state: string): Promise<void> => {
  // A colour that is still on its way to another has no contrast of its own.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await violations(page), state).toEqual([]);
};

test(
  'evidence is listed newest first, whole, and leads to its incident and back',
  { tag: '@packed' },
  async ({ operator, service }) => {
    const { page } = operator;
    service.addEvidence({ file_name: 'newest.jpg', note: '<b>as it came</b>', gimbal: { pitch: -12.5 } });
    await operator.openPanel('Evidence');
    await refresh(page);
    const first = evidenceOf(page).getByRole('row').first();
    await expect(first).toContainText('newest.jpg');
    await expect(
      evidenceOf(page).getByText(`${service.evidence().length} items`, { exact: true }),
    ).toBeVisible();
    await expectNone(page, 'listed');

    await first.click();
    await expect(first).toContainText('<b>as it came</b>');
    await expect(first).toContainText('{"pitch":-12.5}');
    await expectNone(page, 'opened');
    await first.getByRole('button', { name: 'Show incident' }).click();
    await expect(operator.details).toBeVisible();
    const named = String(service.evidence().at(-1)?.['incident_id']);
    await expect(operator.details).toContainText(named);
    const ofOne = service.evidence().filter((item) => item['incident_id'] === named).length;
    await expect(operator.details).toContainText(
      new RegExp(`Evidence: (${ofOne}|\\d+ according to the service, ${ofOne} listed)`),
    );
    await operator.details.getByRole('button', { name: 'Show evidence' }).click();
    await expect(evidenceOf(page).getByText(`Evidence of incident ${named}`)).toBeVisible();
    await expect(evidenceOf(page).getByRole('row')).toHaveCount(ofOne);
    await expectNone(page, 'of one incident');
    await evidenceOf(page).getByRole('button', { name: 'Show all evidence' }).click();
    await expect.poll(() => evidenceOf(page).getByRole('row').count()).toBeGreaterThan(ofOne);
  },
);

test('an item whose incident is not known says so, and one without a CID is listed all the same', async ({
  operator,
  service,
}) => {
  const { page } = operator;
  service.addEvidence({ file_name: 'stray.jpg', incident_id: 'nobody-knows-it', cid: 'not a cid' });
  await operator.openPanel('Evidence');
  await refresh(page);
  await expect(evidenceOf(page).getByText('1 item has no valid CID.')).toBeVisible();
  await rowOf(page, 'stray.jpg').click();
  await expect(rowOf(page, 'stray.jpg').getByRole('button', { name: 'Verify a file' })).toHaveCount(0);
  await rowOf(page, 'stray.jpg').getByRole('button', { name: 'Show incident' }).click();
  await expect(evidenceOf(page).getByText(/does not know incident nobody-knows-it/)).toBeVisible();
  await expectNone(page, 'incident not known');
});

test.describe('with an incident’s field and a gateway', () => {
  test.use({
    deployment: {
      upload: { incidentField: 'incident_id' },
      gateways: ['https://gateway.example/ipfs/'],
    },
  });

  test(
    'a file is sent as evidence of an incident, verified, and opened only after asking',
    { tag: '@journey' },
    async ({ operator, service }) => {
      const { page } = operator;
      const file: GivenFile = { name: 'levee.jpg', buffer: randomBytes(700_000) };
      await operator.incidents.getByRole('option').first().click();
      await operator.details.getByRole('button', { name: 'Send evidence' }).click();
      const outbox = page.getByRole('region', { name: 'Outbox', exact: true });
      await expect(outbox.getByText(/become evidence of this incident/)).toBeVisible();
      await chooseFiles(outbox.getByRole('button', { name: 'Add files' }), [file]);
      await expect(outbox.getByRole('row').getByText('Sent', { exact: true })).toBeVisible();
      await expectNone(page, 'attached');

      await operator.details.getByRole('button', { name: /^Show evidence/ }).click();
      await refresh(page);
      const row = rowOf(page, 'levee.jpg');
      await row.click();
      const sent = service.uploads()[0];
      const cid = sent?.cid ?? 'no CID';
      await expect(row).toContainText(cid);
      await expect(operator.details).toContainText(sent?.fields['incident_id'] ?? 'no incident');

      await chooseFiles(row.getByRole('button', { name: 'Verify a file' }), [file]);
      const tray = evidenceOf(page).getByRole('region', { name: 'Checked files' });
      await expect(tray.getByText('matches', { exact: true })).toBeVisible();
      await expect(tray).toContainText('CIDv1, raw leaves, 256 KiB chunks');
      await chooseFiles(row.getByRole('button', { name: 'Verify a file' }), [
        { name: 'other.jpg', buffer: randomBytes(700_000) },
      ]);
      await expect(tray.getByText(/^(differs|not verifiable)$/)).toBeVisible();
      await expectNone(page, 'verified');
      await tray.getByRole('button', { name: 'Dismiss levee.jpg' }).click();
      await tray.getByRole('button', { name: 'Dismiss other.jpg' }).click();
      await expect(tray).toHaveCount(0);

      await row.getByRole('button', { name: 'Open in gateway' }).click();
      const dialog = page.getByRole('dialog', { name: 'Open in a gateway?' });
      await expect(dialog).toContainText('gateway.example');
      await expect(dialog).toContainText(cid);
      await expectNone(page, 'asking before a gateway');
      await dialog.getByRole('button', { name: 'Stay here' }).click();
      await expect(dialog).toBeHidden();
    },
  );
});

test.describe('without the scope', () => {
  test.use({ serviceOptions: { switches: { evidenceScope: false } } });

  test('evidence is said to be not granted, in the service’s words, until it is', async ({
    operator,
    service,
  }) => {
    const { page } = operator;
    await operator.openPanel('Evidence');
    await expect(evidenceOf(page).getByText(/You don’t have permission to view evidence/)).toBeVisible();
    await expect(evidenceOf(page).getByText(/The service says/)).toBeVisible();
    await expectNone(page, 'not granted');
    await service.set({ evidenceScope: true });
    await evidenceOf(page).getByRole('button', { name: 'Check again' }).click();
    await expect(evidenceOf(page).getByRole('row').first()).toBeVisible();
    await expect(evidenceOf(page).getByText(/don’t have permission/)).toHaveCount(0);
  });
});
