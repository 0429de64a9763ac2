import type { Locator, Page } from '@playwright/test';
import { makeFailure } from '../../src-main/core/base/failure.ts';
import { languages } from '../../src-preload/contract/index.ts';
import { expect, inLanguage, test, type Shown } from './fixtures.ts';
import { offline, recorded, recordedNow, unreachable, workspaceSlices } from './states.ts';

const storage = recorded.workspace.slices.storage!;
const memory = { ...storage, keeping: 'memory' as const };
const full = makeFailure({ code: 'storage-failed', at: recordedNow });
const noticesOf = (page: Page): Locator => page.getByRole('region', { name: 'Session notices' });
const closeOf = (page: Page): Locator => noticesOf(page).getByRole('button', { name: 'Close' });

/** Everything at once that may be told, and nothing of it. */
const tellAll = async ({ push }: Shown): Promise<void> => {
  await push({ alarms: workspaceSlices.alarms!, siren: workspaceSlices.siren! });
  await push({ ...offline });
  await push({ storage: { ...memory, problem: full } });
};
const tellNothing = async ({ push }: Shown): Promise<void> => {
  await push({ alarms: { active: [] }, siren: { ...workspaceSlices.siren!, unacknowledged: 0, level: 0 } });
  await push({
    connection: recorded.workspace.slices.connection!,
    incidents: recorded.workspace.slices.incidents!,
  });
  await push({ storage });
};

/**
 * Where everything stands that can be pressed and is in the window, but for what is told. How many rows the list holds
 * ready below the window depends on when it was measured.
 */
const standing = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const parts = document.querySelectorAll(
      '.rail button, main button, main input, main [role=option], .map button, .map input, [role=contentinfo], footer, aside button',
    );
    return Object.fromEntries(
      [...parts]
        // What a word means is asked beside ages too, which grow by themselves.
        .filter(
          (one) => one.checkVisibility() && one.closest('.notice-stack') === null && !one.matches('.what'),
        )
        .filter((one) => one.getBoundingClientRect().y < innerHeight)
        .map((one, at) => {
          const { x, y } = one.getBoundingClientRect();
          return [`${String(at)} ${one.getAttribute('aria-label') ?? one.id}`, `${String(x)},${String(y)}`];
        }),
    );
  });

test.describe('what is told lies over the map', () => {
  for (const [width, height] of [
    [1024, 768],
    [1440, 900],
    [1920, 1080],
  ] as const)
    test(`nothing moves when it comes or goes, at ${String(width)}`, async ({ shown }) => {
      // Before it is opened: what follows the size of a window does so some frames later.
      await shown.page.setViewportSize({ width, height });
      const page = await shown.open('incidents');
      await expect(page.getByRole('option').first()).toBeVisible();
      // What comes last at the start of a page.
      await expect(page.getByRole('group', { name: 'Measure and grids' })).toBeVisible();
      const rows = page.getByRole('option').nth(2);
      const before = [await rows.boundingBox(), await standing(page)];
      await tellAll(shown);
      await expect(page.getByRole('region', { name: 'Alarm banner' })).toBeVisible();
      await expect(noticesOf(page)).toContainText('Offline, data as of');
      await expect(closeOf(page)).toBeVisible();
      // The list says in a line of its own how old it is: its rows are where they were all the same.
      expect(await rows.boundingBox()).toEqual(before[0]);
      const pressable = Object.entries(await standing(page));
      const was = before[1] as Record<string, string>;
      expect(pressable.filter(([name, at]) => name in was && was[name] !== at)).toEqual([]);
      await tellNothing(shown);
      await expect(noticesOf(page).locator('.notice')).toHaveCount(0);
      expect([await rows.boundingBox(), await standing(page)]).toEqual(before);
    });

  test('rows stay at the end of the list when the bar of the selected ones goes away', async ({ shown }) => {
    const page = await shown.open('incidents');
    const list = page.getByRole('listbox', { name: 'Incident list' });
    await list
      .getByRole('option')
      .first()
      .click({ modifiers: ['Control'] });
    const bar = page.getByRole('group', { name: 'Selected incidents' });
    await expect(bar).toBeVisible();
    await list.evaluate((one) => {
      one.scrollTop = one.scrollHeight;
    });
    const last = list.locator('[aria-posinset="122"]');
    await expect(last).toBeVisible();
    const before = await last.boundingBox();
    // The last row is not under the bar.
    expect(before!.y + before!.height).toBeLessThanOrEqual((await bar.boundingBox())!.y);
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    await expect(bar).toHaveCount(0);
    expect(await last.boundingBox()).toEqual(before);
  });

  test('the data drawer says what works without the disk, and calls nothing in memory that is not', async ({
    shown,
  }) => {
    const page = await shown.open('data on this computer');
    const drawer = page.getByRole('complementary', { name: 'Data on this computer' });
    const needs = drawer.getByText('Uploads, decisions and notes need the disk.');
    await expect(drawer).toBeVisible();
    await expect(needs).toBeHidden();
    await shown.push({ storage: { ...memory, problem: full }, outbox: { available: false, problem: full } });
    await expect(needs).toBeVisible();
    await expect(drawer).toContainText('In memory only.');
    await shown.push({ storage: { ...storage, keeping: 'disk', problem: full } });
    await expect(needs).toBeVisible();
    await expect(drawer).not.toContainText('In memory only.');
  });

  test('each API that is lost has a way to try it now, but where the service said until when not', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    const retry = noticesOf(page).getByRole('button', { name: 'Try now' });
    await shown.push({
      connection: { coordination: { state: 'offline', since: recordedNow, failure: unreachable } },
    });
    await retry.click();
    expect(await shown.calls('refreshMissions')).toHaveLength(1);
    await shown.push(offline);
    await retry.click();
    expect(await shown.calls('refreshIncidents')).toHaveLength(1);
    const waiting = { state: 'waiting', until: recordedNow + 60_000, expiresAt: null } as const;
    await shown.push({ session: { session: { ...waiting, reason: unreachable } } });
    await retry.click();
    expect(await shown.calls('renewSession')).toHaveLength(1);
    const told = {
      ...unreachable,
      code: 'throttled',
      status: 429,
      retryAt: recordedNow + 60_000,
    } as const;
    await shown.push({ session: { session: { ...waiting, reason: told } } });
    await expect(retry).toHaveCount(0);
  });

  test('while the pointer is in it, what goes leaves its place and what comes stands last', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    await shown.push({
      connection: { coordination: { state: 'offline', since: recordedNow, failure: unreachable } },
    });
    await expect(noticesOf(page).locator('.notice')).toHaveCount(1);
    await shown.push({ storage: { ...memory, problem: full } });
    const close = closeOf(page);
    await close.hover();
    const before = await close.boundingBox();
    await shown.push({ alarms: workspaceSlices.alarms!, siren: workspaceSlices.siren! });
    const alarm = page.getByRole('region', { name: 'Alarm banner' });
    await expect(alarm).toBeVisible();
    await shown.push({ connection: recorded.workspace.slices.connection! });
    await expect(noticesOf(page).locator('.notice')).toHaveCount(1);
    expect(await close.boundingBox()).toEqual(before);
    expect((await alarm.boundingBox())!.y).toBeGreaterThan(before!.y);
    await page.getByRole('option').first().hover();
    await expect.poll(async () => (await alarm.boundingBox())!.y < (await close.boundingBox())!.y).toBe(true);
    await expect.poll(async () => (await alarm.boundingBox())!.y).toBeLessThan(before!.y);
  });

  for (const [width, height] of [
    [1024, 768],
    [1440, 900],
  ] as const)
    test(`nothing of it covers a control, nor the close button of a drawer, at ${String(width)}`, async ({
      shown,
    }) => {
      await shown.page.setViewportSize({ width, height });
      const page = await shown.open('events');
      const close = page.getByRole('button', { name: 'Close live events' });
      // The drawer takes its height a moment later.
      let at = await close.boundingBox();
      await expect
        .poll(async () => {
          const before = JSON.stringify(at);
          at = await close.boundingBox();
          return JSON.stringify(at) === before;
        })
        .toBe(true);
      await tellAll(shown);
      await expect(closeOf(page)).toBeVisible();
      expect(await close.boundingBox()).toEqual(at);
      const covered = await page
        .locator('.map button, .map input, .drawer button')
        .filter({ visible: true })
        .evaluateAll((all) =>
          all
            .filter((one) => one.closest('.notice-stack') === null)
            .filter((one) => {
              const { x, y, width: wide, height: high } = one.getBoundingClientRect();
              return (
                document.elementFromPoint(x + wide / 2, y + high / 2)?.closest('.notice-stack') instanceof
                Element
              );
            })
            .map((one) => one.getAttribute('aria-label') ?? one.textContent),
        );
      expect(covered).toEqual([]);
      await close.click();
      await expect(close).toHaveCount(0);
    });

  test('the tabulator reaches it before the map, in the order in which it is seen', async ({ shown }) => {
    const page = await shown.open('incidents');
    await shown.push({ storage: { ...memory, problem: full } });
    await expect(closeOf(page)).toBeVisible();
    await shown.push({ alarms: workspaceSlices.alarms!, siren: workspaceSlices.siren! });
    const acknowledge = page.getByRole('button', { name: 'Acknowledge', exact: true });
    await acknowledge.focus();
    const next: string[] = [];
    for (let press = 0; press < 3; press += 1) {
      await page.keyboard.press('Tab');
      next.push(await page.evaluate(() => document.activeElement?.textContent.trim() ?? ''));
    }
    expect(next.slice(-2)).toEqual(['Details', 'Close']);
  });
});

const railOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Panels' });

test.describe('rail', () => {
  test('has labels where there is room, and icons where there is not', async ({ shown }) => {
    const page = await shown.open('incidents');
    await page.setViewportSize({ width: 1440, height: 900 });
    const label = railOf(page).getByText('Missions', { exact: true });
    await expect(label).toBeVisible();
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect(label).toHaveCount(0);
    const alarms = railOf(page).getByRole('button', { name: 'Alarms' });
    await alarms.hover();
    await expect(page.locator('.tooltip')).toContainText('Alarms');
  });

  for (const language of languages)
    test(`no label is cut: ${language}`, inLanguage(language), async ({ shown }) => {
      const page = await shown.open('incidents', { language });
      await page.setViewportSize({ width: 1440, height: 900 });
      const labels = page.locator('.rail__label');
      await expect(labels).toHaveCount(12);
      const cut = await labels.evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      );
      expect(cut).toEqual([]);
      expect(await page.locator('.rail').evaluate((rail) => rail.scrollHeight - rail.clientHeight)).toBe(0);
    });

  test('a badge says what it counts and how urgent it is', async ({ shown }) => {
    const page = await shown.open('incidents, alarm');
    const alarms = railOf(page).getByRole('button', { name: /^Alarms/ });
    await expect(alarms).toHaveAccessibleName('Alarms: 1 alarm to acknowledge, 1 critical');
    await expect(alarms.locator('.rail__badge--critical')).toHaveText('1');
    await alarms.hover();
    await expect(page.locator('.tooltip')).toContainText('Alarms: 1 alarm to acknowledge, 1 critical');
    await expect(railOf(page).getByRole('button', { name: /^Missions/ })).toHaveAccessibleName(
      'Missions: 2 missions to decide on',
    );
  });
});

test.describe('live events', () => {
  const at = recordedNow;
  const telemetry = (number: number, percent: number) => ({
    number,
    at: at + number,
    kind: 'telemetry.position',
    text: JSON.stringify({ drone_id: 'drone-07', battery_percent: percent }),
    incidentId: null,
    missionId: null,
  });

  test('are one line for each source, with how often and the last values, and unfold', async ({ shown }) => {
    const page = await shown.open('events');
    await shown.push({ events: { recent: [telemetry(9, 61), telemetry(8, 62), telemetry(7, 63)] } });
    const drawer = page.getByRole('complementary', { name: 'Live events' });
    await expect(drawer.locator('.events__one')).toHaveCount(1);
    const one = drawer.locator('.events__one');
    for (const said of ['Telemetry position', 'drone-07', '3 times']) await expect(one).toContainText(said);
    await expect(one.getByRole('term').filter({ hasText: 'Battery' })).toBeVisible();
    await expect(one.getByRole('definition')).toHaveText(['61']);
    const all = one.getByRole('button', { name: 'Show all 3' });
    await all.click();
    await expect(one.getByRole('listitem')).toHaveCount(2);
    await one.getByRole('button', { name: 'Show the latest only' }).click();
    await expect(one.getByRole('listitem')).toHaveCount(0);
  });

  const places = {
    'the list': (page: Page) => page.getByRole('listbox', { name: 'Incident list' }).focus(),
    'the rail': (page: Page) => railOf(page).getByRole('button').first().focus(),
    'the search': (page: Page) => page.getByRole('combobox', { name: /^Search/ }).focus(),
    'the place to go to': async (page: Page) => {
      const place = page.getByRole('combobox', { name: 'Go to a place' });
      await place.focus();
      await expect(place).toHaveAttribute('aria-expanded', 'true');
      // Its own list is closed first.
      await page.keyboard.press('Escape');
    },
    'the status bar': (page: Page) => page.getByRole('contentinfo').getByRole('button').first().focus(),
    nothing: (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).blur()),
  };
  test('Escape closes them from anywhere', async ({ shown }) => {
    const page = await shown.open('events');
    const drawer = page.getByRole('complementary', { name: 'Live events' });
    for (const [name, focus] of Object.entries(places)) {
      if (!(await drawer.isVisible())) await page.locator('.status__stream').click();
      await expect(drawer).toBeVisible();
      await focus(page);
      await page.keyboard.press('Escape');
      await expect(drawer, name).toHaveCount(0);
    }
  });
});

test('what is typed at once after its key is not lost, before the page has drawn the field', async ({
  shown,
}) => {
  for (const [key, typed, field] of [
    ['Ctrl+k', 'theme', 'Find an action'],
    ['/', 'fire', 'Search incidents'],
    ['a', 'seen', 'New note'],
  ] as const) {
    const page = await shown.open('incidents');
    await page.getByRole('option').first().click();
    const browser = await page.context().newCDPSession(page);
    const sent = [key, ...typed].map((name) => {
      const modifiers = name === 'Ctrl+k' ? 2 : 0;
      const text = modifiers === 0 ? { text: name } : {};
      return browser.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        key: name.slice(-1),
        code: name === '/' ? 'Slash' : `Key${name.slice(-1).toUpperCase()}`,
        modifiers,
        ...text,
      });
    });
    await Promise.all(sent);
    await expect(page.getByRole(field === 'New note' ? 'textbox' : 'combobox', { name: field })).toHaveValue(
      typed,
    );
    await browser.detach();
  }
});

test.describe('command palette', () => {
  test('leads with what was used last and what fits the selection, and the console is told of it', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    await page.getByRole('option').first().click();
    const parts = page.getByRole('dialog').getByRole('group');
    await page.keyboard.press('Control+k');
    await expect(parts.first()).toHaveAccessibleName('This incident');
    await expect(parts.first().getByRole('option')).toContainText([
      'Copy as message',
      'Pin the selected incident',
      'Write a note on the selected incident',
      'Copy link',
    ]);
    await page.getByRole('dialog').getByRole('combobox').fill('Theme: red');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect
      .poll(async () =>
        (await shown.calls('keepLayout')).some((call) => JSON.stringify(call).includes('recentActions')),
      )
      .toBe(true);
    await page.keyboard.press('Control+k');
    await expect(parts.first()).toHaveAccessibleName('Recent');
    await expect(parts.first().getByRole('option')).toContainText(['Theme: red']);
    await expect(parts.nth(1)).toHaveAccessibleName('This incident');
  });

  test('counts as used what was done by its key', async ({ shown }) => {
    const page = await shown.open('incidents');
    const parts = page.getByRole('dialog').getByRole('group');
    await page.keyboard.press('w');
    await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();
    await page.keyboard.press('t');
    await page.keyboard.press('Control+k');
    await expect(parts.first()).toHaveAccessibleName('Recent');
    await expect(parts.first().getByRole('option')).toContainText(['Incidents over time', 'Worst active']);
    // Told once, however often a key is pressed.
    await page.keyboard.press('Escape');
    const told = async (): Promise<readonly string[]> =>
      ((await shown.calls('keepLayout')) as { readonly recentActions?: readonly string[] }[]).flatMap(
        ({ recentActions }) => recentActions?.slice(0, 1) ?? [],
      );
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('t');
    await expect.poll(told).toEqual(expect.arrayContaining(['next-incident']));
    await expect.poll(async () => (await told()).at(-1)).toBe('timeline');
    expect((await told()).filter((id) => id === 'next-incident')).toHaveLength(1);
  });

  test('opens the incident of a link that is put in, where it is known, and says where it is not', async ({
    shown,
  }) => {
    const page = await shown.open('incidents');
    const details = page.getByRole('region', { name: 'Incident details' });
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Control+k');
    await dialog.getByRole('combobox').fill('field-console://incident/gone%2F1');
    await expect(dialog.getByRole('option')).toHaveText([
      /Open incident gone\/1\s*not known on this computer/,
    ]);
    await expect(dialog.getByRole('option')).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('combobox').fill(' field-console://incident/syn-7-nowhere-1 ');
    await expect(dialog.getByRole('option')).toHaveText([/^\s*Open incident syn-7-nowhere-1\s*$/]);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(details).toContainText('syn-7-nowhere-1');
    // Of another shape it is a text like any other.
    await page.keyboard.press('Control+k');
    await dialog.getByRole('combobox').fill('field-console://incident/a/b');
    await expect(dialog.getByRole('option').filter({ hasText: 'Open incident' })).toHaveCount(0);
  });
});
