import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { button, panel, region, select, signIn } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

const first = [
  'Bridge on the coast road is closed since 14:10. Heavy vehicles go round by the dam.',
  'Spoke with the harbour master: crane 3 is out of use until it was inspected.',
];
const second = 'Second flight planned for first light. Batteries are charged, wind is under 8 m/s.';

const notes = (page: Page) => region(page, 'Notes');

async function write(page: Page, text: string) {
  const editor = notes(page).getByRole('textbox', { name: 'New note' });
  await editor.fill(text);
  await editor.press('Control+Enter');
  await notes(page).getByRole('listitem').filter({ hasText: text }).waitFor();
}

async function decideMission({ page }: Stage) {
  const missions = await panel(page, 'Missions');
  await missions.getByRole('option').first().click();
  await button(missions, 'Approve').click();
  const dialog = page.getByRole('dialog');
  const target = await dialog.locator('label[for="decision-typed"] code').innerText();
  await dialog.getByRole('textbox').fill(target);
  await button(dialog, 'Approve').click();
  await missions
    .getByText(/^\s*Approved\s+at/)
    .first()
    .waitFor();
}

async function sendFile({ page }: Stage) {
  const outbox = await panel(page, 'Outbox');
  const file = { name: 'survey flight 12.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(2_500_000, 1) };
  await outbox.getByLabel('Files to send').setInputFiles([file]);
  await outbox.getByText('1 sent').waitFor();
}

/** What a shift leaves: notes, pins, a decision, a file, and the alarm that was acknowledged at its start. */
async function work(stage: Stage) {
  const { page } = stage;
  await signIn(stage);
  await decideMission(stage);
  await sendFile(stage);
  await panel(page, 'Incidents');
  await select(stage, 'Medium');
  await button(notes(page), 'Pin').click();
  await write(page, second);
  await select(stage, 'High');
  await button(notes(page), 'Pin').click();
  for (const text of first) await write(page, text);
}

async function pinned({ page }: Stage) {
  const log = await panel(page, 'Log');
  await log.getByText('Pinned', { exact: true }).click();
  await notes(page).scrollIntoViewIfNeeded();
}

async function shift({ page }: Stage) {
  await region(page, 'Log').getByText('Shift', { exact: true }).click();
}

async function handOver({ page }: Stage) {
  await button(region(page, 'Log'), 'Hand over').click();
  await page.getByRole('dialog').waitFor();
}

/** The report, as the next operator opens it. */
async function report({ page, folder }: Stage) {
  const saving = page.waitForEvent('download');
  await button(page.getByRole('dialog'), 'Hand over').click();
  const file = join(folder, 'report.html');
  await (await saving).saveAs(file);
  const opened = await page.context().newPage();
  await opened.goto(`file://${file}`);
  return opened;
}

export const handover: Topic = {
  name: 'handover',
  opens: work,
  pictures: {
    'notes-night-1280': pinned,
    'log-day-1280': shift,
    'hand-over-night-1280': handOver,
    'report-day-1024': report,
  },
};
