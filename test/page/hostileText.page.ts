import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** All that is read on a page: its text, and the names, titles and labels of its elements. */
const readOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const texts = [document.body.textContent];
    for (const element of document.querySelectorAll('*'))
      for (const name of ['title', 'aria-label', 'alt', 'placeholder'])
        texts.push(element.getAttribute(name) ?? '');
    return texts.join('\n');
  });

test.describe('what another has written', () => {
  for (const { state, marks } of [
    { state: 'missions, alike', marks: ['d[U+0435]liver-17[U+200B]', 'Survey [U+202E]doof'] },
    { state: 'missions, alike, decision', marks: ['d[U+0435]liver-17[U+200B]', 'Survey [U+202E]doof'] },
    { state: 'alarms, records set aside', marks: ['Unknown severity: erif[U+202E]fire, no location.'] },
    { state: 'details, fields unreadable', marks: ['d[U+0435]liver-17[U+200B]', 'rif[U+202E]fire'] },
    {
      state: 'incidents, hidden characters',
      marks: ['low[U+202E]fire', 'earthquake[U+202E]fire', 'open[U+202E]fire'],
    },
    {
      state: 'incidents, hidden characters, table',
      marks: ['d[U+0435]liver-17[U+200B]', 'open[U+202E]fire', 'earthquake[U+202E]fire'],
    },
    { state: 'incidents, hidden characters in the ranking', marks: ['critical[U+202E]fire'] },
    { state: 'log, hidden characters', marks: ['medium[U+202E]fire', 'earthquake[U+202E]fire'] },
    { state: 'drones, hidden characters', marks: ['d[U+0435]liver[U+200B]-2[U+202E]'] },
    { state: 'deployments, hidden characters', marks: ['HQ [U+202E]laer ton[U+202C]'] },
    { state: 'deployment, hidden characters, question', marks: ['HQ [U+202E]laer ton[U+202C]'] },
    { state: 'deployment, hidden characters, removal', marks: ['HQ [U+202E]laer ton[U+202C]'] },
  ])
    test(`hides nothing, in text, names and titles: ${state}`, async ({ shown }) => {
      const page = await shown.open(state);
      const read = await readOf(page);
      expect(read).not.toMatch(/[\u200b\u202a-\u202e\u2067]|d\u0435liver/);
      for (const mark of marks) expect(read).toContain(mark);
    });

  test('is said of missions that read alike, in the list and in the dialog, and the id goes as it came', async ({
    shown,
  }) => {
    const page = await shown.open('missions, alike, decision');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Some characters of this id are invisible or look like others.');
    await expect(dialog).toContainText('Another pending mission reads like this one: deliver-17.');
    const typed = dialog.getByRole('textbox');
    const approve = dialog.getByRole('button', { name: 'Approve', exact: true });
    await typed.fill('deliver-17');
    await expect(approve).toBeDisabled();
    await typed.fill('d[U+0435]liver-17[U+200B]');
    await approve.click();
    expect(await shown.calls('decideMission')).toMatchObject([
      { missionId: 'd\u0435liver-17\u200b', decision: 'approve' },
    ]);
    await expect(page.getByText('Reads like another pending mission').first()).toBeVisible();
  });

  test('that could not be read is said in the details, field by field', async ({ shown }) => {
    const page = await shown.open('details, fields unreadable');
    const details = page.getByRole('region', { name: 'Incident details' });
    await expect(details).toContainText('6 fields could not be read');
    for (const text of [
      'Unknown severity',
      'counts as critical',
      'Unknown status',
      'counts as open',
      'Not sent',
    ])
      await expect(details).toContainText(text);
    await expect(details).toContainText('{"latitude":116.3,"longitude":48.2}');
    await expect(details).toContainText('Evidence: the service’s number could not be read');
  });
});
