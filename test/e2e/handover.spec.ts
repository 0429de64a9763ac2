import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { openRelay } from '../support/recordingRelay.ts';
import { chooseFiles } from './support/files.ts';
import { expect, test } from './support/fixtures.ts';
import { writeDeployment } from './support/launch.ts';
import { filesBelow } from './support/secretPlaces.ts';
import { violations } from './support/violations.ts';

const logOf = (page: Page): Locator => page.getByRole('region', { name: 'Log', exact: true });
const notesOf = (page: Page): Locator => page.getByRole('region', { name: 'Notes', exact: true });
const lines = (page: Page): Locator => logOf(page).getByRole('row');

const expectNone = async (page: Page, state: string): Promise<void> => {
  // A colour that is still on its way to another has no contrast of its own.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await violations(page), state).toEqual([]);
};

test(
  'the log collects what was done, and the report that is handed over holds it; no note is ever sent',
  { tag: '@journey' },
  async ({ service, folder, open }) => {
    const relays = await Promise.all([
      openRelay(service.infrastructureUrl),
      openRelay(service.coordinationUrl),
    ]);
    const [infrastructure, coordination] = relays;
    const deployment = await writeDeployment(folder, {
      id: 'watched',
      name: 'Harbour station',
      infrastructureUrl: infrastructure?.url ?? '',
      coordinationUrl: coordination?.url ?? '',
      timestampUnit: service.switches().timestampUnit,
      pollIntervals: { incidentsMs: 2_000, healthMs: 2_000 },
      missions: { pendingPath: '/admin/missions/pending' },
    });
    const missionId = service.addMission({ title: 'Search the north shore' });
    const { page, operator } = await open(['--deployment', deployment]);
    await operator.signIn(service.credentials);

    await operator.incidents.getByRole('option').first().click();
    const notes = notesOf(page);
    await notes.getByRole('button', { name: 'Pin', exact: true }).click();
    await expect(notes.getByRole('button', { name: 'Unpin', exact: true })).toBeVisible();
    const editor = notes.getByRole('textbox', { name: 'New note' });
    await editor.fill('canary-note <script>alert(1)</script>');
    // What was typed outlasts another selection.
    await operator.incidents.getByRole('option').nth(1).click();
    await expect(editor).toHaveValue('');
    await operator.incidents.getByRole('option').first().click();
    await expect(editor).toHaveValue(/^canary-note/);
    await editor.press('Control+Enter');
    await expect(notes.getByRole('listitem')).toContainText('canary-note <script>');
    await expect(notes.getByText('Stays on this computer. Not sent to the service.').first()).toBeVisible();
    await expect(editor).toHaveValue('');
    await expectNone(page, 'a note that is saved');

    service.addIncident({ severity: 'critical' });
    await operator.openPanel('Alarms');
    await page
      .getByRole('button', { name: /^Acknowledge/ })
      .first()
      .click();
    await operator.openPanel('Missions');
    const missions = page.getByRole('region', { name: 'Missions', exact: true });
    await missions.getByRole('option').filter({ hasText: missionId }).click();
    await missions.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(missionId.length <= 24 ? missionId : missionId.slice(-8));
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(missions.getByText(/^\s*Approved\s+at/)).toBeVisible();
    await operator.openPanel('Outbox');
    const outbox = page.getByRole('region', { name: 'Outbox', exact: true });
    await chooseFiles(outbox.getByRole('button', { name: 'Add files' }), [
      { name: 'levee.jpg', buffer: Buffer.from('a photo of the levee') },
    ]);
    await expect(outbox.getByRole('row').filter({ hasText: 'levee.jpg' })).toContainText('Sent');

    await operator.openPanel('Log');
    await expect(lines(page)).toContainText([
      /File sent\s*levee\.jpg/,
      /File queued\s*levee\.jpg/,
      /Mission approved/,
      /Alarm acknowledged/,
      /Note added\s*canary-note/,
      /Incident pinned/,
      /Shift began/,
    ]);
    await logOf(page).getByRole('button', { name: 'Hand over' }).click();
    await expect(dialog).toContainText('1 pinned incident with its notes');
    await expect(dialog).toContainText('The file is not encrypted');
    await expectNone(page, 'what will be handed over');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/^handover-[\d-]+\.html$/);
    const report = await readFile(await saved.path(), 'utf8');
    for (const text of [
      missionId,
      'levee.jpg',
      'Alarm acknowledged',
      'Mission approved',
      'Harbour station',
    ]) {
      expect(report, text).toContain(text);
    }
    expect(report).toContain('canary-note &lt;script&gt;alert(1)&lt;/script&gt;');
    await expect(
      logOf(page)
        .getByText(/^Handed over /)
        .first(),
    ).toBeVisible();

    const sent = relays.map((relay) => relay.sent()).join('');
    expect(sent).toContain('/admin/missions/approve');
    expect(sent).not.toContain('canary-note');
    // On the disk it is sealed, with the log and the report that name it.
    const kept = await filesBelow(folder);
    expect([...kept].filter(([, bytes]) => bytes.includes('canary-note')).map(([path]) => path)).toEqual([]);
    await Promise.all(relays.map((relay) => relay.close()));
  },
);

test('a note and a pin outlive a restart without the service, and are found again', async ({
  service,
  folder,
  open,
}) => {
  const deployment = await writeDeployment(folder, {
    id: 'kept',
    name: 'Harbour station',
    infrastructureUrl: service.infrastructureUrl,
    coordinationUrl: service.coordinationUrl,
    timestampUnit: service.switches().timestampUnit,
    pollIntervals: { incidentsMs: 2_000, healthMs: 2_000 },
  });
  const first = await open(['--deployment', deployment]);
  await first.operator.signIn(service.credentials);
  await first.operator.incidents.getByRole('option').first().click();
  const notes = notesOf(first.page);
  await notes.getByRole('button', { name: 'Pin', exact: true }).click();
  await notes.getByRole('textbox', { name: 'New note' }).fill('The bridge is closed since noon.');
  await notes.getByRole('button', { name: 'Save note' }).click();
  await expect(notes.getByRole('listitem')).toContainText('The bridge is closed');
  await expect(first.operator.incidents.getByRole('option').first()).toContainText('has notes');
  await first.stop();
  await service.goDown();

  const { page, operator } = await open(['--deployment', deployment]);
  await operator.tryToSignIn(service.credentials);
  await operator.openPanel('Log');
  const log = logOf(page);
  await expect(lines(page)).toContainText([/Note added/, /Incident pinned/, /Shift began/]);
  await log.getByText('Pinned', { exact: true }).click();
  await log.getByRole('list', { name: 'Pinned incidents' }).getByRole('button').first().click();
  await expect(notesOf(page).getByRole('listitem')).toContainText('The bridge is closed since noon.');
  await log.getByText('Notes', { exact: true }).click();
  await log.getByRole('searchbox', { name: 'Search in notes' }).fill('BRIDGE');
  await expect(log.getByText('1 note', { exact: true })).toBeVisible();
  await log.getByRole('searchbox', { name: 'Search in notes' }).fill('harbour');
  await expect(log.getByText('No note contains these words.')).toBeVisible();
  await expectNone(page, 'no note found');

  await notesOf(page).getByRole('button', { name: 'Remove note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(notesOf(page).getByRole('listitem')).toHaveCount(0);
  await log.getByText('Shift', { exact: true }).click();
  await log.getByRole('button', { name: 'Begin a new shift' }).click();
  await expect(page.getByRole('dialog')).toContainText('It was not handed over.');
  await page.getByRole('dialog').getByRole('button', { name: 'Begin a new shift' }).click();
  await expect(lines(page)).toHaveCount(1);
});

test('a note is saved although the pin before it is still under way', async ({ opened, operator }) => {
  test.skip(process.platform === 'win32', 'Windows cannot hold up a process');
  await operator.incidents.getByRole('option').first().click();
  const notes = notesOf(operator.page);
  const editor = notes.getByRole('textbox', { name: 'New note' });
  await expect(editor).toBeVisible();
  process.kill(opened.pid, 'SIGSTOP');
  try {
    await notes.getByRole('button', { name: 'Pin', exact: true }).click();
    await editor.fill('Written in a hurry');
    await editor.press('Control+Enter');
  } finally {
    process.kill(opened.pid, 'SIGCONT');
  }
  await expect(notes.getByRole('listitem')).toContainText('Written in a hurry');
  await expect(notes.getByRole('button', { name: 'Unpin', exact: true })).toBeVisible();
  await expect(editor).toHaveValue('');
});

test(
  'the report of a handover has the map in it, as it was on screen',
  { tag: '@map' },
  async ({ operator, context }) => {
    const { page, drawnMap } = operator;
    await expect(drawnMap).toHaveAttribute('data-drawn-incidents', /^[1-9]/);
    await operator.openPanel('Log');
    await logOf(page).getByRole('button', { name: 'Hand over' }).click();
    await expect(page.getByRole('dialog')).toContainText('the map as it is on screen');
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
    const report = await context.newPage();
    await report.setContent(await readFile(await (await download).path(), 'utf8'));
    const map = report.getByRole('img', { name: /^The map as it was on screen/ });
    await expect
      .poll(() => map.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth))
      .toBeGreaterThan(200);
  },
);

test('what one operator hands over, the next one sees at sign-in and takes over; the first one sees by whom', async ({
  service,
  folder,
  open,
}) => {
  const deployment = await writeDeployment(folder, {
    id: 'handed',
    name: 'Harbour station',
    infrastructureUrl: service.infrastructureUrl,
    coordinationUrl: service.coordinationUrl,
    timestampUnit: service.switches().timestampUnit,
  });
  const { page, operator } = await open(['--deployment', deployment]);
  const first = service.credentials;
  const second = { username: 'second-operator', password: 'another-secret-4711' };
  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
  };

  await operator.signIn(first);
  await operator.incidents.getByRole('option').first().click();
  await notesOf(page).getByRole('button', { name: 'Pin', exact: true }).click();
  await operator.openPanel('Log');
  await logOf(page).getByRole('button', { name: 'Hand over' }).click();
  const giving = page.getByRole('dialog', { name: 'Hand over this shift?' });
  await giving.getByRole('textbox', { name: 'Summary' }).fill('canary-summary: the levee holds');
  await giving.getByRole('textbox', { name: 'Who takes over' }).fill('Night shift');
  const download = page.waitForEvent('download');
  await giving.getByRole('button', { name: 'Hand over' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toContain('canary-summary: the levee holds');
  await expect(giving).toHaveCount(0);
  await signOut();

  service.changeCredentials(second);
  await operator.tryToSignIn(second);
  const taking = page.getByRole('dialog', { name: `Handover from ${first.username}` });
  await expect(taking).toContainText('canary-summary: the levee holds');
  await expect(taking).toContainText('1 pinned incident');
  await expectNone(page, 'what was handed over');
  await taking.getByRole('button', { name: 'Take over' }).click();
  await expect(taking).toHaveCount(0);
  await operator.openPanel('Log');
  await expect(lines(page).filter({ hasText: 'Taken over' })).toContainText(first.username);
  await signOut();

  service.changeCredentials(first);
  await operator.tryToSignIn(first);
  await expect(page.getByText(`${second.username} took over your handover of`)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const kept = await filesBelow(folder);
  expect([...kept].filter(([, bytes]) => bytes.includes('canary-summary')).map(([path]) => path)).toEqual([]);
});
