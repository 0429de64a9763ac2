import { createHash, randomBytes } from 'node:crypto';
import process from 'node:process';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { chooseFiles, dropFiles, type GivenFile } from './support/files.ts';
import { writeDeployment } from './support/launch.ts';
import { switchFor } from './support/networkSwitch.ts';
import { violations } from './support/violations.ts';

// What must always hold holds the first time.
test.describe.configure({ retries: 0 });

const outboxOf = (page: Page): Locator => page.getByRole('region', { name: 'Outbox', exact: true });
const rowOf = (page: Page, name: string): Locator =>
  outboxOf(page).getByRole('row').filter({ hasText: name });
const addButton = (page: Page): Locator => outboxOf(page).getByRole('button', { name: 'Add files' });

const given = (name: string, bytes = 40_000): GivenFile => ({ name, buffer: randomBytes(bytes) });
const digest = ({ buffer }: GivenFile): string => createHash('sha256').update(buffer).digest('hex');

const expectNone = async (page: Page, state: string): Promise<void> => {
  // A colour that is still on its way to another has no contrast of its own.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await violations(page), state).toEqual([]);
};
/** The state word of a row, which stands in its text as it is. */
const expectState = (page: Page, name: string, state: string): Promise<void> =>
  expect(
    rowOf(page, name)
      .locator('.upload__state')
      .filter({ hasText: new RegExp(`^${state}$`) }),
  ).toBeVisible();

test.describe('a station without a network', () => {
  // The console starts twice, and each start derives a key at full cost.

  test(
    'three files dropped offline outlive a restart and are sent once, with matching CIDs',
    { tag: ['@smoke', '@journey'] },
    async ({ service, folder, open }) => {
      const cables = [await switchFor(service.infrastructureUrl), await switchFor(service.coordinationUrl)];
      const [infrastructure, coordination] = cables;
      const deployment = await writeDeployment(folder, {
        id: 'cut-off',
        name: 'Harbour station',
        infrastructureUrl: infrastructure?.url ?? '',
        coordinationUrl: coordination?.url ?? '',
        timestampUnit: service.switches().timestampUnit,
        pollIntervals: { incidentsMs: 2_000, healthMs: 2_000 },
      });
      const files = [
        given('levee.jpg'),
        given('صورة.jpg', 1),
        given('survey of the north shore.mp4', 3_000_000),
      ];

      const first = await open(['--deployment', deployment]);
      await first.operator.signIn(service.credentials);
      await first.operator.openPanel('Outbox');
      await expect(outboxOf(first.page).getByText('Nothing to send')).toBeVisible();
      await expectNone(first.page, 'empty');
      await Promise.all(cables.map((cable) => cable.cut()));
      await expect(first.operator.connection).toHaveText(/^\s*Offline/);
      await dropFiles(first.page, first.operator.map, files, async () => {
        await expect(first.page.getByText('Drop files to add them to the outbox')).toBeVisible();
      });
      for (const { name } of files) await expectState(first.page, name, 'Waiting');
      await expect(outboxOf(first.page).getByText('Sending resumes when the link is back.')).toBeVisible();
      await expectNone(first.page, 'waiting');
      await first.stop();
      expect(service.uploads()).toEqual([]);

      const second = await open(['--deployment', deployment]);
      await second.operator.tryToSignIn(service.credentials);
      await second.operator.openPanel('Outbox');
      for (const { name } of files) await expectState(second.page, name, 'Waiting');
      await Promise.all(cables.map((cable) => cable.restore()));
      for (const file of files) {
        await expectState(second.page, file.name, 'Sent');
        await expect(rowOf(second.page, file.name)).toContainText('matches');
      }
      const uploads = service.uploads();
      expect(uploads.map(({ sha256 }) => sha256).sort()).toEqual(files.map(digest).sort());
      expect(new Set(uploads.map(({ key }) => key)).size).toBe(3);

      await rowOf(second.page, 'levee.jpg').getByText('levee.jpg').click();
      const sent = uploads.find(({ fileName }) => fileName === 'levee.jpg');
      await expect(rowOf(second.page, 'levee.jpg')).toContainText(sent?.cid ?? 'no CID');
      await expectNone(second.page, 'sent, opened');
      await Promise.all(cables.map((cable) => cable.close()));
    },
  );
});

test.describe('a console that is killed', () => {
  // It starts twice, and each start derives a key at full cost.

  test(
    'leaves a row on top for each file whose copying was cut off, which chooses the file again',
    { tag: '@journey' },
    async ({ service, open }) => {
      const first = await open();
      await first.operator.signIn(service.credentials);
      await first.operator.openPanel('Outbox');
      await chooseFiles(addButton(first.page), [given('before.jpg')]);
      await expectState(first.page, 'before.jpg', 'Sent');
      // Nothing of the five reaches the console but their names: no moment of copying is earlier.
      await first.page.route('**/spool/*', () => undefined);
      const files = [1, 2, 3, 4, 5].map((at) => given(`cut-${String(at)}.jpg`));
      await chooseFiles(addButton(first.page), files);
      for (const { name } of files) await expectState(first.page, name, 'Copying');
      process.kill(first.pid, 'SIGKILL');

      const second = await open();
      await second.operator.tryToSignIn(service.credentials);
      await second.operator.openPanel('Outbox');
      const rows = outboxOf(second.page).getByRole('row');
      await expect(rows).toHaveCount(6);
      for (const [at, { name }] of files.entries()) {
        await expect(rows.nth(at)).toContainText(name);
        await expect(rows.nth(at)).toContainText('The console stopped before the file was copied.');
        await expect(rows.nth(at)).toContainText('copy-cut-off');
      }
      await expectNone(second.page, 'copying cut off');
      const again = rows.nth(0).locator('.upload__asked').getByRole('button').first();
      await expect(again).toHaveAccessibleName('Choose cut-1.jpg again');
      await chooseFiles(again, files.slice(0, 1));
      await expectState(second.page, 'cut-1.jpg', 'Sent');
      await expect(rows).toHaveCount(6);
      await expect(rows.nth(0)).toContainText('cut-2.jpg');
      expect(service.uploads().map(({ fileName }) => fileName)).toEqual(['before.jpg', 'cut-1.jpg']);
    },
  );
});

test('what the service refuses fails with its reason, and is retried or discarded', async ({
  operator,
  service,
}) => {
  const { page } = operator;
  await operator.openPanel('Outbox');
  await service.set({ uploadFault: 'too-large' });
  await chooseFiles(addButton(page), [given('again.jpg'), given('left.jpg')]);
  await expectState(page, 'again.jpg', 'Failed');
  await expectState(page, 'left.jpg', 'Failed');
  await expect(rowOf(page, 'again.jpg')).toContainText('HTTP 413');
  await expectNone(page, 'failed');

  await service.set({ uploadFault: 'none' });
  await rowOf(page, 'left.jpg').getByRole('button', { name: 'Discard' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard left.jpg?' });
  await expect(dialog).toContainText('The copy on this computer (40.0 kB) is deleted.');
  await expectNone(page, 'asking to discard');
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expectState(page, 'left.jpg', 'Failed');
  await rowOf(page, 'left.jpg').getByRole('button', { name: 'Discard' }).click();
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(rowOf(page, 'left.jpg')).toHaveCount(0);

  await rowOf(page, 'again.jpg').getByRole('button', { name: 'Retry' }).click();
  await expectState(page, 'again.jpg', 'Sent');
  expect(service.uploads().map(({ fileName }) => fileName)).toEqual(['again.jpg']);
});

test('an answer that was lost costs no second copy', { tag: '@packed' }, async ({ operator, service }) => {
  const { page } = operator;
  await operator.openPanel('Outbox');
  await service.set({ uploadFault: 'answer-lost' });
  await chooseFiles(addButton(page), [given('lost.jpg')]);
  await expect.poll(() => service.uploads().length).toBe(1);
  await service.set({ uploadFault: 'none' });
  await expectState(page, 'lost.jpg', 'Sent');
  expect(service.uploads()).toHaveLength(1);
});

test('files wait while the outbox is paused, and leave in the order they are given', async ({
  operator,
  service,
}) => {
  const { page } = operator;
  await operator.openPanel('Outbox');
  await chooseFiles(addButton(page), [given('before.jpg')]);
  await expectState(page, 'before.jpg', 'Sent');
  await outboxOf(page).getByRole('button', { name: 'Pause all' }).click();
  await expect(outboxOf(page).getByText('Nothing is sent until you resume.')).toBeVisible();
  for (const name of ['one.jpg', 'two.jpg', 'three.jpg']) {
    await chooseFiles(addButton(page), [given(name)]);
    await expectState(page, name, 'Queued');
  }
  await rowOf(page, 'three.jpg').getByRole('button', { name: 'More for three.jpg' }).click();
  await expectNone(page, 'menu');
  await page.getByRole('menuitem', { name: 'Move to top' }).click();
  await expect(outboxOf(page).getByRole('row').first()).toContainText('three.jpg');
  // By keys, none of which leaves the page.
  const url = page.url();
  await rowOf(page, 'three.jpg').click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(outboxOf(page).getByRole('row').first()).not.toContainText('three.jpg');
  await page.keyboard.press('Alt+PageUp');
  await expect(outboxOf(page).getByRole('row').first()).toContainText('three.jpg');
  expect(page.url()).toBe(url);
  await rowOf(page, 'two.jpg').getByRole('button', { name: 'More for two.jpg' }).click();
  await page.getByRole('menuitem', { name: 'Cancel' }).click();
  await expectState(page, 'two.jpg', 'Failed');
  await outboxOf(page).getByRole('button', { name: 'Resume', exact: true }).click();
  for (const name of ['one.jpg', 'three.jpg']) await expectState(page, name, 'Sent');
  const sent = service.uploads().map(({ fileName }) => fileName);
  expect([...sent].sort()).toEqual(['before.jpg', 'one.jpg', 'three.jpg']);
});

test('the same bytes twice are said, and nothing is doubled without the operator', async ({
  operator,
  service,
}) => {
  const { page } = operator;
  await operator.openPanel('Outbox');
  const file = given('first.jpg');
  await chooseFiles(addButton(page), [file]);
  await expectState(page, 'first.jpg', 'Sent');
  await chooseFiles(addButton(page), [{ name: 'copy.jpg', buffer: file.buffer }]);
  const copy = outboxOf(page).getByRole('row').last();
  await expect(copy).toContainText('copy.jpg');
  await expect(copy.getByText('Needs decision', { exact: true })).toBeVisible();
  await expect(copy).toContainText('first.jpg');
  await expectNone(page, 'needs decision');
  await copy.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(outboxOf(page).getByRole('row')).toHaveCount(1);
  expect(service.uploads()).toHaveLength(1);
});

test.describe('with a service token of its own', () => {
  test.use({ deployment: { upload: { separateSignIn: true } } });

  test('files wait for the token, which is taken in the outbox and leaves its field', async ({
    opened,
    service,
  }) => {
    const { page, operator } = opened;
    const onPage = page.getByRole('textbox', { name: 'Upload token' });
    await expect(onPage).toBeVisible();
    await expectNone(page, 'sign-in with a token');
    await operator.signIn(service.credentials);
    await operator.openPanel('Outbox');
    await expect(onPage).toBeVisible();
    await chooseFiles(addButton(page), [given('guarded.jpg')]);
    await expectState(page, 'guarded.jpg', 'Waiting');
    await expectNone(page, 'token missing');
    await onPage.fill('not the token');
    await page.getByRole('button', { name: 'Use this token' }).click();
    await expect(outboxOf(page).getByText('The service refused the upload token.')).toBeVisible();
    await expect(onPage).toHaveValue('');
    await onPage.fill(service.uploadToken);
    await page.getByRole('button', { name: 'Use this token' }).click();
    await expectState(page, 'guarded.jpg', 'Sent');
    await expect(onPage).toHaveCount(0);
    expect(await page.content()).not.toContain(service.uploadToken);
  });
});
