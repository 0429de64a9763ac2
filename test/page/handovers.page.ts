import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Handover from a.lindqvist' });
const none = { pending: null, unseen: false };

test('a line of the log says in the language of the page what an alarm said, and the words beside it as typed', async ({
  shown,
}) => {
  const page = await shown.open('log, alarm acknowledged', { language: 'es' });
  const line = page.locator('.line').first();
  await expect(line).toContainText(/La sesión caducó y volvió a estar activa a las .*14:00.*UTC\./);
  await expect(line.getByText('Crew 4 goes', { exact: true })).toBeVisible();
});

test('a line of the log says what and where of an incident that is known, and the id of another', async ({
  shown,
}) => {
  const page = await shown.open('log');
  const line = page.locator('.line').filter({ hasText: 'File sent' });
  const link = line.getByRole('button', { name: /^Medium Earthquake ?· ?Knik-Fairview, US$/ });
  await expect(link).toBeVisible();
  await link.click();
  await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();

  const other = await shown.open('log, alarm acknowledged');
  await expect(other.getByRole('button', { name: 'Show incident gone-0001' })).toHaveText('gone-0001');
});

test('what is resolved is drawn back among the pinned incidents and in a line of the log', async ({
  shown,
}) => {
  const page = await shown.open('log, pinned');
  const pins = page.getByRole('list', { name: 'Pinned incidents' }).getByRole('listitem');
  const [resolved, open] = [pins.filter({ hasText: 'resolved' }), pins.filter({ hasText: 'open' })];
  await expect(resolved).toHaveCount(1);
  await expect(open).toHaveCount(1);
  await expect(resolved.locator('.glyph__over')).not.toHaveCount(0);
  await expect(open.locator('.glyph__over')).toHaveCount(0);

  await shown.open('log');
  const line = page.locator('.line').filter({ hasText: 'File sent' });
  await expect(line.locator('.glyph')).toBeVisible();
  await expect(line.locator('.glyph__over')).not.toHaveCount(0);
});

test.describe('a handover at sign-in', () => {
  test('says from whom, when, what is open and who takes over; Show goes to an incident', async ({
    shown,
  }) => {
    const page = await shown.open('taking over');
    const dialog = dialogOf(page);
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
    await expect(dialog).toContainText('6 h 12 min ago');
    await expect(dialog.getByText('Night shift, b.okafor')).toBeVisible();
    for (const text of [
      '1 decision with an unknown outcome',
      '14 alarms not acknowledged',
      '12 more are not listed.',
      '1 mission to decide on',
      '1 file not sent or not proven',
      '2 pinned incidents',
      'levee-north-shore-0007.jpg',
    ])
      await expect(dialog.getByText(text, { exact: true }), text).toBeVisible();
    // One of them is not known on this computer.
    await expect(dialog.getByText('Not known here', { exact: true })).toHaveCount(1);
    await dialog
      .getByRole('button', { name: /^Show incident/ })
      .first()
      .click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();
    expect(await shown.calls('seeHandover')).toEqual([{ id: 'e'.repeat(32) }]);
  });

  test('what the dialog asks is in sight where an error makes it higher than the window', async ({
    shown,
  }) => {
    await shown.page.setViewportSize({ width: 1024, height: 768 });
    const page = await shown.open('handover, not stored');
    const dialog = page.getByRole('dialog');
    const scrolled = await dialog.evaluate((element) => element.scrollHeight - element.clientHeight);
    expect(scrolled).toBeGreaterThan(0);
    await dialog.evaluate((element) => (element.scrollTop = 0));
    const room = (await dialog.boundingBox())!;
    for (const part of [
      dialog.getByRole('button', { name: 'Hand over', exact: true }),
      dialog.getByText('Disk full.'),
    ]) {
      const box = (await part.boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(room.y + room.height);
    }
  });

  test('says where each incident is, and shows all of them on the map without taking over', async ({
    shown,
  }) => {
    const page = await shown.open('taking over');
    const dialog = dialogOf(page);
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Wildfire' })).toContainText(
      /^\s*Wildfire\s*\d+ km (N|NE|E|SE|S|SW|W|NW) of .+, [A-Z]{2}\s*Show$/,
    );
    // The alarm says it itself, and of an incident that is not known no place is.
    await expect(dialog.locator('.taking__place')).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Show where they are' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await shown.calls('seeHandover')).toHaveLength(1);
    expect(await shown.calls('takeOver')).toEqual([]);
  });

  test('has no such button where no incident of it is known', async ({ shown }) => {
    const page = await shown.open('taking over, nothing left');
    await expect(dialogOf(page)).toBeVisible();
    await expect(dialogOf(page)).toContainText('No open work.');
    await expect(dialogOf(page).getByRole('button', { name: 'Show where they are' })).toHaveCount(0);
  });

  test('closes with Escape, counts as seen, and stays in the log until someone takes over', async ({
    shown,
  }) => {
    const page = await shown.open('taking over');
    await expect(dialogOf(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toHaveCount(0);
    expect(await shown.calls('seeHandover')).toHaveLength(1);
    await shown.push({ handovers: { unseen: false } });
    await page.getByRole('navigation').getByRole('button', { name: /^Log/ }).click();
    const log = page.getByRole('region', { name: 'Log', exact: true });
    await expect(log).toContainText('No one has taken over yet.');
    await log.getByRole('button', { name: 'Show', exact: true }).click();
    await dialogOf(page).getByRole('button', { name: 'Take over' }).click();
    await expect(dialogOf(page)).toHaveCount(0);
    expect(await shown.calls('takeOver')).toEqual([{ id: 'e'.repeat(32) }]);
    await shown.push({ handovers: none });
    await expect(log).not.toContainText('No one has taken over yet.');
  });

  test('opens once by itself, whatever the console still tells', async ({ shown }) => {
    const page = await shown.open('taking over');
    await expect(dialogOf(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toHaveCount(0);
    await shown.push({ handovers: { unseen: true } });
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('is not on a wallboard', async ({ shown }) => {
    const page = await shown.open('taking over');
    await shown.push({ policy: { kiosk: 'wallboard' } });
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('says by whom a handover was taken over, until that is read', async ({ shown }) => {
    const page = await shown.open('handover taken');
    const notice = page.getByText(/^b\.okafor took over your handover of /);
    await expect(notice).toBeVisible();
    await page
      .getByRole('region', { name: 'Session notices' })
      .getByRole('button', { name: 'Close' })
      .click();
    expect(await shown.calls('seeHandover')).toEqual([{ id: 'e'.repeat(32) }]);
    await shown.push({ handovers: { taken: null } });
    await expect(notice).toHaveCount(0);
  });
});

test.describe('handing over', () => {
  test('sends what was typed; what is typed outlasts the closed dialog', async ({ shown }) => {
    const page = await shown.open('handover');
    const dialog = page.getByRole('dialog', { name: 'Hand over this shift?' });
    await expect(dialog).toContainText('Operators who sign in on this console can read it.');
    await expect(dialog).toContainText('2 pinned incidents');
    await dialog.getByRole('textbox', { name: 'Summary' }).fill('The levee holds.');
    await dialog.getByRole('textbox', { name: 'Who takes over' }).fill('b.okafor');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('h');
    await expect(dialog.getByRole('textbox', { name: 'Summary' })).toHaveValue('The levee holds.');
    // The browsers of these tests draw no map.
    await expect(page.getByText('This computer can’t draw the map.')).toBeVisible();
    await expect(dialog).toContainText('active critical and high incidents');
    await expect(dialog).not.toContainText('the map as it is on screen');
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    expect(await shown.calls('handOver')).toMatchObject([
      { summary: 'The levee holds.', successor: 'b.okafor' },
    ]);
  });

  test('goes by Ctrl+Enter from the summary, which a line end does not', async ({ shown }) => {
    const page = await shown.open('handover');
    const summary = page.getByRole('dialog').getByRole('textbox', { name: 'Summary' });
    await summary.fill('The levee holds.');
    await summary.press('Enter');
    await summary.pressSequentially('Until noon.');
    expect(await shown.calls('handOver')).toEqual([]);
    await expect(page.getByRole('dialog')).toContainText('Ctrl+Enter hands over.');
    await summary.press('Control+Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await shown.calls('handOver')).toMatchObject([{ summary: 'The levee holds.\nUntil noon.' }]);
  });

  test('goes by Ctrl+Enter from every control of the dialog', async ({ shown }) => {
    const page = await shown.open('handover');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Summary' }).fill('The levee holds.');
    await dialog.getByRole('textbox', { name: 'Who takes over' }).press('Control+Enter');
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('h');
    await dialog.getByRole('button', { name: 'Cancel' }).press('Control+Enter');
    await expect(dialog).toHaveCount(0);
    expect(await shown.calls('handOver')).toMatchObject([{ summary: 'The levee holds.' }, { summary: '' }]);
  });

  test('begins with the critical ones that are active, by the towns that the list groups them by', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    await shown.hold('readTowns');
    await expect(page.getByRole('button', { name: 'Critical 1', exact: true })).toBeVisible();
    await page.keyboard.press('h');
    const line = page.getByRole('dialog').getByText(/^Active critical: /);
    // The console has not said where yet.
    await expect(line).toHaveText('Active critical: 1');
    await shown.letGo('readTowns');
    await expect(line).toHaveText('Active critical: 1 · no location 1');
  });

  test('hides nothing behind its buttons at 900 px', async ({ shown }) => {
    const page = await shown.open('handover');
    const dialog = page.getByRole('dialog');
    const last = (await dialog.getByText('1 note in all').boundingBox())!;
    const buttons = (await dialog.getByRole('button', { name: 'Cancel' }).boundingBox())!;
    expect(last.y + last.height).toBeLessThanOrEqual(buttons.y);
  });

  test('has the warning about the file above what has to be scrolled', async ({ shown }) => {
    const page = await shown.open('handover');
    await page.setViewportSize({ width: 1280, height: 800 });
    const dialog = page.getByRole('dialog');
    const warning = (await dialog.getByText('The file is not encrypted').boundingBox())!;
    const buttons = (await dialog.getByRole('button', { name: 'Cancel' }).boundingBox())!;
    expect(warning.y + warning.height).toBeLessThan(buttons.y - 8);
  });

  test('says what could not be stored, and keeps what was typed', async ({ shown }) => {
    const page = await shown.open('handover, not stored');
    await expect(page.getByRole('dialog')).toContainText('Disk full');
  });

  test('needs no report where the policy allows no exports', async ({ shown }) => {
    const page = await shown.open('handover, no exports');
    const dialog = page.getByRole('dialog', { name: 'Hand over this shift?' });
    await expect(dialog).toContainText(
      'The computer policy does not allow exports, so no report can be made.',
    );
    await expect(dialog).toContainText('Nothing is open.');
    await expect(dialog.getByRole('button', { name: 'Hand over' })).toBeEnabled();
  });
});

test('a line of the log begins at one edge, whatever its subject is written in', async ({ shown }) => {
  const page = await shown.open('log', { language: 'ar' });
  const line = page.locator('.line').filter({ hasText: 'levee.jpg' }).first();
  await expect(line).toBeVisible();
  const [event, subject] = await line.locator('p').evaluateAll((all) =>
    all.slice(0, 2).map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().right;
    }),
  );
  expect(Math.abs(subject! - event!)).toBeLessThan(4);
});
