import type { Locator, Page } from '@playwright/test';
import { overflowingTexts } from '../e2e/support/overflow.ts';
import { english, message } from '../../src-main/core/base/messages/message.ts';
import { stateNamed } from './allStates.ts';
import { expect, test } from './fixtures.ts';
import { recordedNow, unreachable } from './states.ts';

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Missions', exact: true });

test.describe('missions', () => {
  test('a row says what a mission is for, its risk, place and drone, before its name and id', async ({
    shown,
  }) => {
    const page = await shown.open('missions');
    const row = panelOf(page).getByRole('option').filter({ hasText: 'ms-iy1i1k-1' });
    await expect(row).toHaveText(/^\s*Inspect a bridge.*Risk: \w+·Harbour·drone-\d+·Mission 674·ms-iy1i1k-1/);
  });

  test('a row that is cut says all of it in its title', async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1024, height: 768 });
    const page = await shown.open('decision unknown', { language: 'es' });
    expect(await overflowingTexts(page)).toEqual([]);
    await expect(
      page.getByTitle('Riesgo: high · East ridge · drone-24 · Mission 840 · ms-gdp4eg-2'),
    ).toBeVisible();
    await expect(page.getByTitle('Deliver medical supplies')).toBeVisible();
  });

  test('a list that is not granted says what the operator may not see, and what to do', async ({ shown }) => {
    const page = await shown.open('missions, not granted');
    await expect(panelOf(page)).toContainText(
      'You don’t have permission to view missions. Ask an administrator',
    );
    await expect(panelOf(page).getByText(/^No permission|permission for this/)).toHaveCount(0);
    // It promises nothing that cannot come without the permission.
    await expect(panelOf(page).getByText(/Missions appear here/)).toHaveCount(0);
    await panelOf(page).getByRole('button', { name: 'Check again' }).click();
    expect(await shown.calls('refreshMissions')).toHaveLength(1);
  });

  test('the state after the details is reached in another language', async ({ shown }) => {
    const page = await shown.open('missions after details', { language: 'es' });
    await expect(page.getByRole('region', { name: 'Misiones', exact: true })).toBeVisible();
  });

  test('details of an incident give way, and come back with the list', async ({ shown }) => {
    const page = await shown.open('details');
    const details = page.getByRole('region', { name: 'Incident details' });
    await expect(details).toBeVisible();
    const rail = page.getByRole('navigation');
    await rail.getByRole('button', { name: /^Missions/ }).click();
    await expect(panelOf(page)).toBeVisible();
    await expect(details).toHaveCount(0);
    await rail.getByRole('button', { name: /^Incidents/ }).click();
    await expect(details).toBeVisible();
  });

  test('what the outcome of a decision means is explained beside it, in both directions', async ({
    shown,
  }) => {
    for (const language of ['en', 'ar']) {
      const page = await shown.open('decision unknown', { language });
      const word = page
        .getByRole('status')
        .filter({ has: page.locator('svg') })
        .filter({ visible: true });
      const said = (await word.first().boundingBox())!;
      const help = (await page.locator('.state .what').boundingBox())!;
      expect(help.y, language).toBeGreaterThanOrEqual(said.y - 1);
      expect(help.y + help.height, language).toBeLessThanOrEqual(said.y + Math.max(said.height, 32));
    }
  });

  test('a decision needs a chosen mission', async ({ shown }) => {
    const page = await shown.open('missions');
    await expect(panelOf(page).getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
    await expect(panelOf(page).getByText('Choose a mission')).toBeVisible();
  });

  test('the question repeats the mission; a click or Enter on the hold button sends nothing', async ({
    shown,
  }) => {
    const page = await shown.open('decision');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toHaveAccessibleName('Approve “Deliver medical supplies”?');
    const facts = dialog.getByRole('group', { name: 'The mission’s facts' });
    await expect(facts.getByText('Place', { exact: true })).toBeVisible();
    await expect(facts.getByText('purpose', { exact: true })).toBeHidden();
    await facts.getByText(/^All fields \(\d+\)$/).click();
    await expect(facts.getByText('purpose', { exact: true })).toBeVisible();
    await expect(dialog).toHaveAccessibleDescription(/^Your decision is sent once/);
    const hold = dialog.getByRole('button', { name: 'Hold to approve' });
    await expect(hold).toHaveAccessibleDescription(/^Hold for 1\.5 s/);
    await hold.click();
    await hold.press('Enter');
    await expect(dialog).toBeVisible();
    expect(await shown.calls('decideMission')).toEqual([]);
  });

  test('nothing of a mission is scrolled away where the window has room for it', async ({ shown }) => {
    const page = await shown.open('decision');
    const facts = page.getByRole('dialog').locator('.decision__facts');
    await expect(facts).toContainText('Requested');
    const hidden = async (of: Locator): Promise<number> =>
      of.evaluate((element) => element.scrollHeight - element.clientHeight);
    expect(await hidden(facts)).toBeLessThanOrEqual(1);
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await hidden(page.getByRole('dialog'))).toBeLessThanOrEqual(1);
  });

  test('under the sun a decision that cannot be made does not look like one that can', async ({ shown }) => {
    const page = await shown.open('missions, offline', { theme: 'sunlight' });
    await page.getByRole('region', { name: 'Missions', exact: true }).getByRole('option').first().click();
    const reject = page.getByRole('button', { name: 'Reject', exact: true });
    await expect(reject).toBeDisabled();
    const live = page.getByRole('button', { name: 'Audit list' });
    const colourOf = (element: Element): string => getComputedStyle(element).color;
    expect(await reject.evaluate(colourOf)).not.toBe(await live.evaluate(colourOf));
    expect(await reject.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe('dashed');
  });

  test('a double press on a row, or Enter, asks whether to approve it, and nothing else', async ({
    shown,
  }) => {
    const page = await shown.open('missions');
    const row = panelOf(page).getByRole('option').filter({ hasText: 'Pending' }).first();
    const question = page.getByRole('dialog', { name: /^Approve/ });
    await row.dblclick();
    await expect(question).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await panelOf(page).getByRole('listbox').press('Enter');
    await expect(question).toBeVisible();
    expect(await shown.calls('decideMission')).toEqual([]);
    await page.keyboard.press('Escape');
    await panelOf(page).getByRole('option').filter({ hasText: 'Approved' }).dblclick();
    await expect(question).toBeHidden();
  });

  test('the row of a mission names its incident', async ({ shown }) => {
    const page = await shown.open('missions');
    const [mission] = stateNamed('missions')?.slices.missions?.missions ?? [];
    if (mission === undefined) throw new Error('There is a mission');
    const about = { name: 'incident_id', json: '"syn-7-nowhere-2"' };
    await shown.push({ missions: { missions: [{ ...mission, fields: [...mission.fields, about] }] } });
    await expect(panelOf(page).getByRole('option')).toContainText('Earthquake, No location');
  });

  test('holding sends the decision once', async ({ shown }) => {
    const page = await shown.open('decision');
    const dialog = page.getByRole('dialog');
    const id = (await dialog.locator('label[for="decision-typed"] code').innerText()).trim();
    const box = await dialog.getByRole('button', { name: 'Hold to approve' }).boundingBox();
    if (box === null) throw new Error('Nothing to hold');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await expect(dialog).toBeHidden();
    await page.mouse.up();
    expect(await shown.calls('decideMission')).toEqual([
      { missionId: expect.stringContaining(id) as unknown, decision: 'approve', again: false },
    ]);
  });

  test('the question names its facts, and says how much of a long id is typed', async ({ shown }) => {
    const page = await shown.open('decision');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('group', { name: 'The mission’s facts' })).toBeVisible();
    await expect(dialog.getByText(/^Or type its id, ms-/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    const [mission] = stateNamed('decision')?.slices.missions?.missions ?? [];
    if (mission === undefined) throw new Error('A mission is pending');
    const long = { ...mission, id: 'mission-of-the-east-ridge-0042abcd' };
    await shown.push({ missions: { missions: [long] } });
    await panelOf(page).getByRole('option').click();
    await panelOf(page).getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(dialog.getByText(/^Or type the last 8 characters of its id, 0042abcd$/)).toBeVisible();
  });

  test('typing the id opens the button, and another text does not', async ({ shown }) => {
    const page = await shown.open('decision');
    const dialog = page.getByRole('dialog');
    const approve = dialog.getByRole('button', { name: 'Approve', exact: true });
    const id = (await dialog.locator('label[for="decision-typed"] code').innerText()).trim();
    await dialog.getByRole('textbox').fill(`${id}x`);
    await expect(approve).toBeDisabled();
    await dialog.getByRole('textbox').fill(id);
    await dialog.getByRole('textbox').press('Enter');
    expect(await shown.calls('decideMission')).toEqual([]);
    await approve.click();
    expect(await shown.calls('decideMission')).toHaveLength(1);
    // What became of it is said where the focus is.
    await expect(panelOf(page).getByRole('article')).toBeFocused();
  });

  test('Escape takes the question back, and a rejection is sent as one', async ({ shown }) => {
    const page = await shown.open('decision');
    const dialog = page.getByRole('dialog');
    const id = (await dialog.locator('label[for="decision-typed"] code').innerText()).trim();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await panelOf(page).getByRole('button', { name: 'Reject', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Hold to reject' })).toBeVisible();
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(
      await dialog.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
    ).toBeLessThan(2);
    await dialog.getByRole('textbox', { name: 'Reason (optional)' }).fill(' No landing place. ');
    await dialog.getByRole('textbox', { name: /its id/ }).fill(id);
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
    expect(await shown.calls('decideMission')).toMatchObject([
      { decision: 'reject', reason: 'No landing place.' },
    ]);
  });

  test('what comes in the way of an open question is said, and closes its buttons', async ({ shown }) => {
    const page = await shown.open('decision');
    const dialog = page.getByRole('dialog');
    const id = (await dialog.locator('label[for="decision-typed"] code').innerText()).trim();
    await dialog.getByRole('textbox').fill(id);
    const buttons = dialog.getByRole('button', { name: /^(Hold to approve|Approve)$/ });
    for (const button of await buttons.all()) await expect(button).toBeEnabled();
    await shown.push({ missions: { blocked: unreachable } });
    await expect(dialog.getByRole('alert')).toHaveText(english(unreachable.sentence));
    await expect(buttons).toHaveCount(2);
    for (const button of await buttons.all()) await expect(button).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(panelOf(page).getByRole('article')).toBeFocused();
  });

  test('nothing can be decided without the service, and the reason is said', async ({ shown }) => {
    const page = await shown.open('missions, offline');
    for (const name of ['Approve', 'Reject'])
      await expect(panelOf(page).getByRole('button', { name, exact: true })).toBeDisabled();
    await expect(panelOf(page).getByText('Can’t reach the service.').first()).toBeVisible();
  });

  test('an unknown outcome is never called approved or refused', async ({ shown }) => {
    const page = await shown.open('decision unknown');
    await expect(panelOf(page).getByText(/^\s*Approved/)).toHaveCount(0);
    await expect(panelOf(page).getByText(/refused/i)).toHaveCount(0);
    await panelOf(page).getByRole('button', { name: 'Check again' }).click();
    expect(await shown.calls('checkDecision')).toHaveLength(1);
  });

  test('a mission that is settled has no buttons, and says how it stands', async ({ shown }) => {
    const page = await shown.open('decision unknown');
    const [mission] = stateNamed('decision unknown')?.slices.missions?.missions ?? [];
    if (!mission?.decided) throw new Error('A decision was made');
    const buttons = panelOf(page).getByRole('button', { name: /^(Approve|Reject)$/ });
    await expect(buttons).toHaveCount(2);
    const conflict = { ...mission.decided, outcome: 'conflict', failure: null } as const;
    await shown.push({ missions: { missions: [{ ...mission, state: 'gone', decided: conflict }] } });
    await expect(buttons).toHaveCount(0);
    await expect(panelOf(page).getByText('The mission is no longer pending.')).toBeVisible();
    await shown.push({ missions: { missions: [{ ...mission, decided: conflict }] } });
    await expect(buttons).toHaveCount(2);
  });

  test('an answer that contradicts an approval is shown as it is, and is no approval', async ({ shown }) => {
    const page = await shown.open('decision unknown');
    const [mission] = stateNamed('decision unknown')?.slices.missions?.missions ?? [];
    if (!mission?.decided) throw new Error('A decision was made');
    const failure = {
      ...unreachable,
      code: 'outcome-unknown',
      status: 200,
      words: 'not your mission',
      sentence: message('mission.contradicted.approve'),
    } as const;
    const decided = { ...mission.decided, decision: 'approve', outcome: 'unknown', failure } as const;
    await shown.push({ missions: { missions: [{ ...mission, decided }] } });
    const card = panelOf(page).getByRole('article');
    await expect(card).toContainText('The service’s answer contradicts the approval.');
    await expect(card).toContainText('not your mission');
    await expect(card.getByText(/^\s*Approved|without an answer/)).toHaveCount(0);
    const rejected = { ...failure, code: 'conflict', sentence: message('mission.itWas.reject') } as const;
    const conflict = { ...decided, outcome: 'conflict', failure: rejected } as const;
    await shown.push({ missions: { missions: [{ ...mission, state: 'reject', decided: conflict }] } });
    await expect(card).toContainText('The mission was rejected.');
    await expect(card.getByText(/had no effect|Approved/)).toHaveCount(0);
  });

  test('the focus of a decision button that vanishes goes to the mission', async ({ shown }) => {
    const page = await shown.open('missions');
    const [mission] = stateNamed('missions')?.slices.missions?.missions ?? [];
    if (mission === undefined) throw new Error('A mission is pending');
    const card = panelOf(page).getByRole('article');
    const approve = panelOf(page).getByRole('button', { name: 'Approve', exact: true });
    await panelOf(page).getByRole('option').first().click();
    await approve.focus();
    await shown.push({ missions: { missions: [{ ...mission, state: 'gone' }] } });
    await expect(approve).toHaveCount(0);
    await expect(card).toBeFocused();
    await shown.push({ missions: { missions: [mission] } });
    await approve.focus();
    await shown.push({ missions: { missions: [mission], blocked: unreachable } });
    await expect(approve).toBeDisabled();
    await expect(card).toBeFocused();
  });

  test('a row is as old as the service says, else known for a time', async ({ shown }) => {
    const page = await shown.open('missions');
    const [mission] = stateNamed('missions')?.slices.missions?.missions ?? [];
    if (mission === undefined) throw new Error('A mission is pending');
    const seenAt = recordedNow - 300_000;
    const told = { ...mission, seenAt, requestedAt: recordedNow - 4_200_000 };
    const missions = [told, { ...told, id: 'untold', requestedAt: null }];
    await shown.push({ missions: { missions } });
    const rows = panelOf(page).getByRole('option');
    await expect(rows.first()).toContainText(/1\sh$/);
    await expect(rows.last()).toContainText(/known for 5\smin$/);
  });

  test('records without an id are said, and no list with one is called empty', async ({ shown }) => {
    const page = await shown.open('missions, without an id');
    await expect(panelOf(page).getByRole('status').filter({ hasText: '2 records' })).toHaveText(
      '2 records in the list have no usable id. Each may be a mission that you can’t decide here. Ask the service’s administrator.',
    );
    await expect(page.getByText('No pending missions')).toBeHidden();
    await shown.push({ missions: { withoutId: 0 } });
    await expect(page.getByText('No pending missions')).toBeVisible();
    await expect(panelOf(page)).not.toContainText('usable id');
  });

  test('a decision under way cannot be given twice', async ({ shown }) => {
    const page = await shown.open('decision sent');
    await expect(panelOf(page).getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
  });

  test('what the service answered reads from left to right in an Arabic sentence', async ({ shown }) => {
    const page = await shown.open('audit list', { language: 'ar' });
    const answer = page.locator('.audit__event').filter({ hasText: '496Z"}' });
    await expect(answer).toBeVisible();
    const [quote, brace] = await answer.evaluate((event) => {
      const text = event.querySelector('bdi')!.firstChild as Text;
      const last = text.data.indexOf('"}');
      return [last, last + 1].map((at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    });
    expect(brace).toBeGreaterThan(quote!);
  });

  test('the audit list names mission and decision, and whether the chain holds', async ({ shown }) => {
    const page = await shown.open('audit list');
    await expect(
      panelOf(page)
        .getByText(/intact/)
        .first(),
    ).toBeVisible();
    await expect(panelOf(page).getByRole('row').first()).toContainText(/^.*ms-/);
    await panelOf(page).getByRole('button', { name: 'Export' }).click();
    expect(await shown.calls('exportAudit')).toEqual([{}]);
  });
});
