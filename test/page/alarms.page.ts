import type { Locator, Page } from '@playwright/test';
import { languages, type Alarm } from '../../src-preload/contract/index.ts';
import { alarmsAtStart } from '../../src-main/core/features/alarms/alarmsState.ts';
import { stateNamed } from './allStates.ts';
import { expect, inLanguage, test } from './fixtures.ts';
import { said } from '../support/messages.ts';

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Alarms', exact: true });
const bannerOf = (page: Page): Locator => page.getByRole('region', { name: 'Alarm banner' });

/** The alarms that a state begins with. */
const alarmOf = (name: string): readonly Alarm[] => stateNamed(name)?.slices.alarms?.active ?? [];

test.describe('alarms', () => {
  test('banner, panel and badge of the rail say the same alarm and count', async ({ shown }) => {
    const page = await shown.open('alarm');
    const sentence = 'Critical: earthquake, no location. 2 active incidents need attention.';
    await expect(bannerOf(page)).toContainText(sentence);
    await expect(panelOf(page)).toContainText(sentence);
    await expect(panelOf(page).getByText('1 alarm to acknowledge')).toBeVisible();
    await expect(
      page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: /^Alarms/ }),
    ).toContainText('1');
  });

  test('the banner counts the alarms behind the one it names, and no others', async ({ shown }) => {
    const page = await shown.open('incidents, alarm');
    await expect(bannerOf(page)).toContainText('2 active incidents need attention');
    await expect(bannerOf(page).getByText(/\bmore\b/)).toHaveCount(0);
    await shown.push({ siren: { unacknowledged: 3 } });
    await expect(bannerOf(page).getByText('2 more', { exact: true })).toBeVisible();
  });

  test('the sentence of the banner keeps off its edge where its buttons stand below', async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1024, height: 768 });
    const page = await shown.open('alarm');
    await shown.push({ preferences: { textSize: 'largest' } });
    const banner = bannerOf(page);
    const sentence = banner.locator('.banner__text');
    const edges = async (): Promise<number> => {
      const [own, room] = [(await sentence.boundingBox())!, (await banner.boundingBox())!];
      return room.x + room.width - own.x - own.width;
    };
    await expect.poll(edges).toBeGreaterThanOrEqual(8);
    await expect.poll(edges).toBeLessThan(16);
  });

  test('the sentence of the banner is whole in its longest language at 1024', async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1024, height: 768 });
    const page = await shown.open('alarm', { language: 'fr' });
    const sentence = page.locator('.banner__text');
    await expect(sentence).toContainText('requièrent l’attention');
    const hidden = await sentence.evaluate((element) => element.scrollHeight - element.clientHeight);
    expect(hidden).toBeLessThanOrEqual(1);
  });

  test('alarms that do not sound by the settings cannot be muted, and the bar says it', async ({ shown }) => {
    const page = await shown.open('alarms, sound switched off');
    await expect(page.getByText('Alarm sounds are switched off in the settings.')).toBeVisible();
    const spans = page.getByRole('group', { name: 'Mute the sound' }).getByRole('button');
    await expect(spans).toHaveCount(0);
    await expect(page.getByRole('contentinfo').getByText('Alarm sounds off')).toBeVisible();
    await shown.push({ siren: { sound: true } });
    await expect(spans).toHaveCount(3);
    await expect(page.getByRole('contentinfo').getByText('Alarm sounds off')).toHaveCount(0);
  });

  test('an alarm is read aloud once', async ({ shown }) => {
    const page = await shown.open('incidents, alarm');
    await expect(
      page.getByRole('alert').filter({ hasText: '2 active incidents need attention' }),
    ).toHaveCount(1);
  });

  for (const [severity, times] of [
    ['critical', 2],
    ['high', 1],
  ] as const)
    test(`a new alarm is read once the list has settled (${severity}: ${String(times)} times), and not again as a dialog closes`, async ({
      shown,
    }) => {
      const page = await shown.open('incidents, alarm');
      await expect(page.getByRole('alert').filter({ hasText: 'need attention' })).toHaveCount(1);
      await page.evaluate(() => {
        const log: string[] = [];
        const banner = document.querySelector('.banner')!;
        const alert = document.querySelector('p[role="alert"]')!;
        // What changes in one turn comes in one call.
        const observer = new MutationObserver((changes) => {
          log.push(
            changes.some(({ target }) => banner.contains(target)) ? 'banner' : alert.textContent.trim(),
          );
        });
        for (const part of [banner, alert])
          observer.observe(part, { childList: true, characterData: true, subtree: true });
        Object.assign(window, { alertLog: log });
      });
      const [first] = alarmOf('alarm');
      const news = { ...first!, id: 'a', at: Date.now(), severity, sentence: { text: 'News.' } };
      await shown.push({ alarms: { active: [news, first!] } });
      await expect(bannerOf(page)).toContainText('News.');
      const log = () => page.evaluate(() => (window as unknown as { alertLog: string[] }).alertLog);
      await expect.poll(log).toContain('News.');
      expect((await log())[0]).toBe('banner');
      await expect(page.getByRole('alert').filter({ hasText: 'News.' })).toHaveCount(0);
      const said = (await log()).filter((text) => text.startsWith('News.'));
      expect(said).toHaveLength(times);
      // What has not changed would not be said.
      expect(new Set(said).size).toBe(times);
    });

  test('the banner acknowledges its alarm, and is gone once the console says so', async ({ shown }) => {
    const page = await shown.open('incidents, alarm');
    await bannerOf(page).getByRole('button', { name: 'Acknowledge' }).click();
    const asked = await shown.calls('acknowledgeAlarm');
    expect(asked).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown }]);
    await shown.push({ alarms: { active: [] }, siren: { unacknowledged: 0 } });
    await expect(bannerOf(page)).toBeHidden();
  });

  /** Alarms about single incidents, the first the newest. */
  const several = (...severities: readonly string[]): Alarm[] =>
    severities.map((severity, at) => ({
      ...alarmOf('alarm')[0]!,
      id: `alarm-${String(at)}`,
      kind: 'incident',
      level: severity === 'critical' ? 3 : 2,
      severity,
      at: (alarmOf('alarm')[0]?.at ?? 0) - at * 60_000,
      count: 1,
      listed: 1,
      sentence: { text: `Alarm ${String(at)}.` },
    }));

  test('of equal alarms the newest that was not shown is in front; a shown one stays', async ({ shown }) => {
    const page = await shown.open('incidents, alarm');
    const active = several('critical', 'critical', 'high');
    await shown.push({ alarms: { active } });
    const banner = bannerOf(page);
    const show = banner.getByRole('button', { name: 'Show' });
    const acknowledge = banner.getByRole('button', { name: 'Acknowledge' });
    await expect(banner).toContainText('Alarm 0.');
    await expect(show).toHaveClass(/button--primary/);
    await expect(acknowledge).not.toHaveClass(/button--primary/);
    await show.click();
    await expect(acknowledge).toHaveClass(/button--primary/);
    await expect(show).not.toHaveClass(/button--primary/);
    await expect(banner).toContainText('Alarm 0.');
    await page.getByRole('button', { name: 'Show all again' }).click();
    await expect(banner).toContainText('Alarm 1.');
    await show.click();
    await expect(banner).toContainText('Alarm 1.');
    const [first] = active;
    const news = { ...first!, id: 'news', at: Date.now() + 3_600_000, sentence: { text: 'News.' } };
    await shown.push({ alarms: { active: [news, ...active] } });
    await expect(banner).toContainText('News.');
  });

  test('more than ten incidents that were not shown are acknowledged after a question', async ({ shown }) => {
    const page = await shown.open('incidents, alarm');
    const many = alarmOf('alarm').map((one) => ({ ...one, count: 11, listed: 11 }));
    await shown.push({ alarms: { active: many } });
    await bannerOf(page).getByRole('button', { name: 'Acknowledge' }).click();
    const question = page.getByRole('dialog', { name: 'Acknowledge incidents that were not shown?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    expect(await shown.calls('acknowledgeAlarm')).toEqual([]);
    await bannerOf(page).getByRole('button', { name: 'Acknowledge' }).click();
    await question.getByRole('button', { name: 'Acknowledge' }).click();
    expect(await shown.calls('acknowledgeAlarm')).toHaveLength(1);
    await bannerOf(page).getByRole('button', { name: 'Show' }).click();
    await bannerOf(page).getByRole('button', { name: 'Acknowledge' }).click();
    await expect.poll(() => shown.calls('acknowledgeAlarm')).toHaveLength(2);
    await expect(question).toBeHidden();
  });

  test('two keys acknowledge: U to the first alarm, Delete; arrows move, Enter shows', async ({ shown }) => {
    const page = await shown.open('incidents, alarm');
    const active = several('critical', 'critical', 'high');
    await shown.push({ alarms: { active } });
    await expect(bannerOf(page)).toContainText('Alarm 0.');
    await page.keyboard.press('U');
    const rows = panelOf(page).getByRole('list', { name: 'Alarms to acknowledge' }).getByRole('listitem');
    const focused = (at: number) => rows.nth(at).getByRole('button', { name: 'Show incident' });
    await expect(focused(0)).toBeFocused();
    await page.keyboard.press('Delete');
    await expect.poll(() => shown.calls('acknowledgeAlarm')).toEqual([{ id: 'alarm-0' }]);
    await shown.push({ alarms: { active: active.slice(1) } });
    await expect(rows).toHaveCount(2);
    await expect(focused(0)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(focused(1)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => shown.calls('readAlarmIncidents')).toEqual([{ id: 'alarm-1' }]);
    await expect(page.getByRole('listbox', { name: /incident/i })).toBeFocused();
  });

  for (const language of languages) {
    test(
      `the sentence counts the incidents, and the button beside it none, in ${language}`,
      inLanguage(language),
      async ({ shown }) => {
        const page = await shown.open('alarm', { language });
        const active = alarmOf('alarm').map((one) => ({
          ...one,
          count: 9,
          listed: 9,
          sentence: { id: 'alarm.firstRead.worst', values: { n: 9, worst: 3, severity: 'critical' } },
        }));
        await shown.push({ alarms: { active } });
        const row = page.locator('.alarm');
        await expect(row.locator('.alarm__text')).toHaveText(/[9٩९].*[3٣३]/u);
        const button = row.locator('.alarm__facts').getByRole('button');
        await expect(button).toHaveText(/\p{L}/u);
        await expect(button).not.toHaveText(/\p{Nd}/u);
      },
    );
  }

  test('"Show" shows exactly the incidents of the alarm in the list, until a filter is wanted', async ({
    shown,
  }) => {
    const page = await shown.open('alarm');
    const asked: unknown = expect.stringMatching(/^[0-9a-f]{16}$/);
    await panelOf(page).getByRole('button', { name: 'Show incidents' }).click();
    expect(await shown.calls('readAlarmIncidents')).toEqual([{ id: asked }]);
    const incidents = page.getByRole('region', { name: 'Incidents', exact: true });
    await expect(incidents.getByRole('option')).toHaveCount(2);
    await expect(incidents.getByText('Showing the 2 incidents of this alarm')).toBeVisible();
    // The chips are not of these: what is active of them is said beside their count.
    const active = incidents.locator('.sum__open').filter({ hasText: /\d active/ });
    const drawnWidth = async (): Promise<number> => (await active.boundingBox())?.width ?? 0;
    expect(await drawnWidth()).toBeGreaterThan(20);
    await incidents.getByRole('button', { name: 'Show all again' }).click();
    await expect(incidents.getByText('Showing the 2 incidents of this alarm')).toBeHidden();
    await expect(active).toBeHidden();
    await expect(incidents.getByRole('combobox', { name: /^Search/ })).toBeVisible();
  });

  test('"Show" of an alarm about no incident opens the panel, and so does the number of the others', async ({
    shown,
  }) => {
    const page = await shown.open('incidents, alarm');
    await shown.push({ siren: { unacknowledged: 3 } });
    await bannerOf(page).getByRole('button', { name: '2 more' }).click();
    await expect(panelOf(page)).toBeVisible();
  });

  test('the figure of a badge stays on it at the largest text', async ({ shown }) => {
    const page = await shown.open('alarm');
    await shown.push({ preferences: { textSize: 'largest' } });
    const badges = page.locator('.rail__badge');
    await expect(badges).toHaveCount(2);
    const over = await badges.evaluateAll((all) => all.map((one) => one.scrollHeight - one.clientHeight));
    expect(over).toEqual([0, 0]);
  });

  test('the spans of a mute stay in one row at the largest text', async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1024, height: 768 });
    const page = await shown.open('alarm');
    await shown.push({ preferences: { textSize: 'largest' } });
    const spans = panelOf(page).getByRole('group', { name: 'Mute the sound' }).getByRole('button');
    await expect(spans).toHaveCount(3);
    const [least, , most] = await Promise.all((await spans.all()).map((one) => one.boundingBox()));
    expect(most!.y).toBe(least!.y);
  });

  test('muting sends its minutes, and the mute stays in sight', async ({ shown }) => {
    const page = await shown.open('alarm');
    await panelOf(page).getByRole('button', { name: 'Mute for 30 minutes' }).click();
    expect(await shown.calls('muteAlarms')).toEqual([{ minutes: 30 }]);
    await shown.push({ siren: { mutedUntil: Date.UTC(2026, 10, 20, 14, 30) } });
    await expect(page.getByRole('contentinfo').getByText('Muted until 14:30 UTC')).toBeVisible();
    await panelOf(page).getByRole('button', { name: 'Unmute' }).click();
    expect(await shown.calls('muteAlarms')).toEqual([{ minutes: 30 }, { minutes: null }]);
  });

  test('an acknowledgement can carry a note and be undone, and a snooze has a time', async ({ shown }) => {
    const page = await shown.open('alarm');
    const more = panelOf(page).getByRole('button', { name: 'Note or snooze' });
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    await expect(panelOf(page).getByLabel('Note (optional)')).toHaveCount(0);
    await more.click();
    await panelOf(page).getByLabel('Note (optional)').fill('Crew 4 goes');
    await panelOf(page).getByRole('button', { name: 'Acknowledge with note' }).click();
    const id: unknown = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(await shown.calls('acknowledgeAlarm')).toEqual([{ id, note: 'Crew 4 goes' }]);
    await panelOf(page).getByRole('button', { name: 'Snooze for 15 minutes' }).click();
    expect(await shown.calls('snoozeAlarm')).toEqual([{ id, minutes: 15 }]);
    await shown.push({ alarms: { undo: { count: 1, until: 0 } } });
    await expect(page.getByRole('status').getByText('1 alarm acknowledged')).toBeVisible();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    expect(await shown.calls('undoAcknowledgement')).toEqual([{}]);
    await shown.push({ alarms: { undo: null } });
    await expect(page.getByText('1 alarm acknowledged')).toBeHidden();
  });

  test('the panel acknowledges the alarm of its row, and ends a snooze', async ({ shown }) => {
    const page = await shown.open('alarm');
    const acknowledge = panelOf(page).getByRole('button', { name: 'Acknowledge', exact: true });
    await expect(acknowledge).toHaveAccessibleDescription(said(alarmOf('alarm')[0]!.sentence)!);
    await acknowledge.click();
    const [asked] = (await shown.calls('acknowledgeAlarm')) as [{ id: string }];
    expect(asked).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown });
    const active = alarmOf('alarm').map((one) => ({ ...one, snoozedUntil: Date.UTC(2026, 10, 20, 14, 30) }));
    await shown.push({ alarms: { active } });
    await expect(panelOf(page).getByText('Snoozed until 14:30 UTC')).toBeVisible();
    await panelOf(page).getByRole('button', { name: 'End snooze' }).click();
    expect(await shown.calls('snoozeAlarm')).toEqual([{ id: asked.id, minutes: null }]);
  });

  test('an escalated alarm says since when; a past one when it was acknowledged, and asks for nothing', async ({
    shown,
  }) => {
    const page = await shown.open('alarm');
    const [alarm] = alarmOf('alarm');
    const past = {
      ...alarm!,
      id: 'a'.repeat(16),
      at: Date.UTC(2026, 10, 20, 13, 5),
      acknowledgedAt: Date.UTC(2026, 10, 20, 13, 20),
    };
    const escalatedAt = Date.UTC(2026, 10, 20, 14, 10);
    await shown.push({ alarms: { active: [{ ...alarm!, escalatedAt }], past: [past] } });
    const waiting = panelOf(page).getByRole('list', { name: 'Alarms to acknowledge' });
    await expect(waiting).toContainText('Emergency since 14:10 UTC');
    const row = panelOf(page).getByRole('list', { name: 'Past alarms' }).getByRole('listitem');
    await expect(row).toContainText('13:05 UTC · acknowledged 13:20 UTC');
    await expect(row.getByRole('button')).toHaveText(['Show incidents']);
  });

  test('without an alarm it says so', async ({ shown }) => {
    const page = await shown.open('alarms');
    await expect(bannerOf(page)).toHaveCount(0);
    await expect(panelOf(page).getByText('No alarm')).toBeVisible();
  });

  test('a rule of a type, quiet hours and an escalation are sent as they are chosen', async ({ shown }) => {
    const page = await shown.open('alarm settings');
    await page.getByLabel('Type of incident').fill('Flood');
    await page.getByRole('group', { name: 'Rules for types' }).getByRole('button', { name: 'Add' }).click();
    await page.locator('#alarms-quiet').click();
    await page.locator('#alarms-escalate').selectOption('600000');
    const types = [{ type: 'Flood', least: 'low' as const }];
    const quietHours = { from: 1_320, to: 360 };
    expect(await shown.calls('setAlarms')).toEqual([{ types }, { quietHours }, { escalateAfterMs: 600_000 }]);
    await shown.push({ alarms: { settings: { ...alarmsAtStart.settings, types, quietHours } } });
    await page.getByLabel('From', { exact: true }).fill('23:30');
    await page.getByLabel('From', { exact: true }).blur();
    await page.getByRole('button', { name: 'Remove the rule for Flood' }).click();
    expect((await shown.calls('setAlarms')).slice(3)).toEqual([
      { quietHours: { from: 1_410, to: 360 } },
      { types: [] },
    ]);
  });

  test('what is chosen is whole in its field at the largest text', async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1024, height: 768 });
    for (const language of ['en', 'fr'] as const) {
      const page = await shown.open('alarm settings', { language });
      await shown.push({ preferences: { textSize: 'largest' } });
      const cut = await page.locator('.settings select').evaluateAll((all) =>
        (all as HTMLSelectElement[])
          .filter((select) => {
            // As wide as its chosen words alone would make it.
            const free = select.cloneNode() as HTMLSelectElement;
            free.append(select.selectedOptions[0]!.cloneNode(true));
            free.style.width = 'auto';
            free.style.position = 'absolute';
            select.parentElement!.append(free);
            const wanted = free.offsetWidth;
            free.remove();
            return wanted > select.offsetWidth;
          })
          .map((select) => select.selectedOptions[0]!.text),
      );
      expect(cut, language).toEqual([]);
      expect(await page.locator('.settings').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    }
  });

  test('each setting is sent under its own name', async ({ shown }) => {
    const page = await shown.open('alarm settings');
    await page.locator('#alarms-least').selectOption('critical');
    for (const id of ['integrations', 'session', 'uploads', 'sound'])
      await page.locator(`#alarms-${id}`).click();
    expect(await shown.calls('setAlarms')).toEqual([
      { least: 'critical' },
      { integrations: false },
      { session: false },
      { uploads: false },
      { sound: false },
    ]);
  });
});
