import type { Locator, Page } from '@playwright/test';
import { languages } from '../../src-preload/contract/index.ts';
import { overflowingTexts } from '../e2e/support/overflow.ts';
import { expect, inLanguage, test } from './fixtures.ts';

const barOf = (page: Page): Locator => page.getByRole('contentinfo');
const integrationsOf = (page: Page): Locator =>
  page.getByRole('region', { name: 'Integrations', exact: true });

test('under a rate limit one thing is said: when the console asks again', async ({ shown }) => {
  const page = await shown.open('throttled', { still: 'yes' });
  await expect(page.getByText(/Try again later/)).toHaveCount(0);
  const notice = page.getByRole('region', { name: 'Session notices' });
  await expect(notice).toContainText(/Rate limited\. Data as of .* Retrying at/);
  await expect(notice).toContainText('trn-429');
  await expect(page.locator('.incidents__failure'), 'no box over the list').toHaveCount(0);
  await expect(page.getByText(/Retrying at \d\d:\d\d:\d\d UTC, in \d+\ss\./)).toBeVisible();
  const [said, bar] = await page.evaluate(() =>
    [document.body, document.querySelector<HTMLElement>('.status__clock')!].map((one) => one.innerText),
  );
  const [, at = '', left = ''] = /at ([\d:]+) UTC, in (\d+)/.exec(said ?? '') ?? [];
  const clock = /[\d:]{8}/.exec(bar ?? '')?.[0] ?? '';
  const secondsOf = (text: string): number =>
    text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  expect(secondsOf(at) - secondsOf(clock)).toBe(Number(left));
});

test.describe('status bar', () => {
  test('online, complete and live are said as they were recorded', async ({ shown }) => {
    const page = await shown.open('incidents');
    await expect(barOf(page)).toContainText('Online');
    await expect(barOf(page)).toContainText('complete as of 14:00 UTC');
    await expect(barOf(page)).toContainText('Live');
    for (const name of ['AI analysis', 'IPFS pinning', 'Ledger'])
      await expect(barOf(page)).toContainText(name);
    await expect(barOf(page).getByRole('button', { name: 'Show the timeline' })).toHaveAttribute(
      'aria-keyshortcuts',
      'T',
    );
    await expect(barOf(page)).not.toContainText('Time unverified');
    // The browser's zone is UTC too: the same time is not said twice.
    await expect(barOf(page).locator('.status__clock')).toHaveText(/^\d\d:\d\d:\d\d UTC$/);
    await shown.push({ time: { verified: false, skewMs: null } });
    await expect(barOf(page)).toContainText('Time unverified');
  });

  test('that data is saved is seen, and switched off at the same place', async ({ shown }) => {
    const page = await shown.open('incidents');
    await shown.push({ line: { bytesPerSecond: 6_900, saving: true } });
    await expect(barOf(page)).not.toContainText('Slow link');
    await barOf(page).getByRole('button', { name: 'Saving data' }).click();
    await page.getByRole('switch', { name: 'Save data' }).click();
    expect(await shown.calls('setPreferences')).toEqual([{ saveData: false }]);
    await shown.push({ line: { saving: false } });
    await expect(barOf(page).getByRole('button', { name: 'Slow link, about 6.9 kB/s' })).toBeVisible();
    await shown.push({ policy: { fixed: ['saveData'], saveData: true }, line: { saving: true } });
    await expect(page.getByRole('switch', { name: 'Save data' })).toHaveCount(0);
    await expect(page.getByText('No previews or offline copies.')).toBeVisible();
  });

  test('that the hour’s data is used up is said, and an operator may continue', async ({ shown }) => {
    const page = await shown.open('sync, data used up');
    await expect(barOf(page).getByRole('button', { name: /^Data used up until / })).toBeVisible();
    await expect(page.getByText('Uploads, evidence, live events and older incidents wait.')).toBeVisible();
    await expect(page.getByText('5.0 MB of 5.0 MB')).toBeVisible();
    await page.getByRole('button', { name: 'Continue this hour' }).click();
    expect(await shown.calls('exceedDataLimit')).toEqual([{}]);
  });

  test('a local time that is another stands beside it', async ({ browser, origin }) => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Asia/Kolkata' });
    const page = await context.newPage();
    await page.goto(`${origin}/?state=incidents`);
    await expect(barOf(page).locator('.status__clock')).toHaveText(/UTC\s*\d\d:\d\d local$/);
    await context.close();
  });

  test('a computer without sound is said, and what that means', async ({ shown }) => {
    // Whether there is any is found out once sound is wanted.
    const page = await shown.open('alarms, sound switched off');
    await page.evaluate(() => {
      window.AudioContext = class {
        constructor() {
          throw new Error('No sound');
        }
      } as never;
    });
    await shown.push({ siren: { sound: true } });
    await expect(barOf(page).getByText('No sound on this computer')).toHaveAttribute(
      'title',
      'Alarms are shown but not heard.',
    );
  });

  test('offline is said at once, and not “Online”', async ({ shown }) => {
    const page = await shown.open('offline');
    await expect(barOf(page)).toContainText('Offline');
    await expect(barOf(page).getByText('Online', { exact: true })).toHaveCount(0);
  });

  test('without room for their names, how many integrations are down is said in words', async ({ shown }) => {
    const page = await shown.open('integrations, one down');
    const bar = barOf(page);
    await expect(bar).toContainText('IPFS pinning');
    await expect(bar).not.toContainText('One integration down');
    await shown.push({ time: { skewMs: 7 * 60_000 } });
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect(bar).toContainText('One integration down');
    await expect(bar).not.toContainText('IPFS pinning');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expect(bar).toContainText('IPFS pinning');
  });

  for (const state of ['offline', 'clock differs'])
    for (const language of ['en', 'es', 'fr'] as const)
      test(
        `nothing is cut at 1024 and 1440: ${state}, ${language}`,
        inLanguage(language),
        async ({ shown }) => {
          const page = await shown.open(state, { language });
          for (const width of [1440, 1024]) {
            await page.setViewportSize({ width, height: 768 });
            await expect
              .poll(async () => (await overflowingTexts(page)).filter((text) => text.includes('.status')))
              .toEqual([]);
            expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
          }
        },
      );

  for (const state of ['tokens refused', 'access revoked'])
    test(`a session that serves no longer is said once, and everything fits: ${state}`, async ({ shown }) => {
      const page = await shown.open(state);
      await page.setViewportSize({ width: 1024, height: 768 });
      await expect(barOf(page)).toContainText('Degraded');
      await expect(barOf(page).getByText(/^Session/)).toHaveCount(0);
      // It shortens once it has been measured.
      await expect
        .poll(async () => (await overflowingTexts(page)).filter((text) => text.includes('.status')))
        .toEqual([]);
    });

  test('a session refused for want of permission says what the operator may not do', async ({ shown }) => {
    const page = await shown.open('access revoked');
    await expect(page.getByRole('alert').filter({ hasText: 'HTTP 403' })).toContainText(
      'You don’t have permission to sign in. Ask an administrator for it, then sign in again.',
    );
    await expect(page.getByText('permission for this')).toHaveCount(0);
  });

  test('behind the sign-in page of a network, the notice says to sign in to it', async ({ shown }) => {
    const page = await shown.open('answered by something else');
    await expect(page.locator('.notice').filter({ hasText: 'Offline, data as of' })).toContainText(
      'Sign in to the network',
    );
    await expect(page.getByText(/another link\.\s+answered-by-something-else/)).toBeVisible();
  });

  test('the code of refused tokens stands apart from the sentence before it', async ({ shown }) => {
    const page = await shown.open('tokens refused');
    await expect(page.getByText(/in \d+\s(min|s)\.\s+tokens-refused/)).toBeVisible();
  });

  test('the code of refused tokens stays in one piece where its line ends', async ({ shown }) => {
    await shown.page.setViewportSize({ width: 1024, height: 768 });
    for (const language of ['ar', 'hi'] as const) {
      const page = await shown.open('tokens refused', { language });
      const code = page.locator('code').filter({ hasText: 'tokens-refused' });
      await expect(code).toHaveText('tokens-refused · HTTP 401 · request trn-401');
      for (const part of ['tokens-refused', 'HTTP 401', 'request trn-401']) {
        const lines = await code.evaluate((one, words) => {
          const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
          for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
            const from = (node as Text).data.indexOf(words);
            if (from < 0) continue;
            const range = document.createRange();
            range.setStart(node, from);
            range.setEnd(node, from + words.length);
            return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
          }
          return 0;
        }, part);
        expect.soft(lines, `${language}: ${part}`).toBe(1);
      }
    }
  });

  for (const [state, sentence] of [
    ['full disk', 'Disk full. Free some disk space.'],
    ['read-only disk', 'Can’t change data on this computer: the disk or its files are read-only.'],
  ] as const)
    test(`a disk that cannot be written is said, beside what was kept: ${state}`, async ({ shown }) => {
      const page = await shown.open(state);
      await expect(page.getByText(sentence)).toBeVisible();
      await expect(page.getByText('storage-failed')).toBeVisible();
      await expect(page.getByRole('option').first()).toBeVisible();
      await page.getByRole('button', { name: 'Details' }).click();
      const drawer = page.getByRole('complementary', { name: 'Data on this computer' });
      await expect(drawer).toContainText('in memory only. It is lost when the console ends.');
      await expect(drawer).toContainText(sentence);
    });

  test('what is in memory only is said in the bar, which opens the data on this computer', async ({
    shown,
  }) => {
    const page = await shown.open('kept in memory only');
    await barOf(page).getByRole('button', { name: 'Memory only' }).click();
    await expect(page.getByRole('complementary', { name: 'Data on this computer' })).toBeVisible();
  });

  test('the clock of the computer is said to be ahead or behind, by how much', async ({ shown }) => {
    const page = await shown.open('incidents');
    await shown.push({ time: { skewMs: 7 * 60_000 } });
    await expect(barOf(page).getByText('Computer clock 7 min ahead of the service')).toBeVisible();
    await shown.push({ time: { skewMs: -7 * 60_000 } });
    await expect(barOf(page).getByText('Computer clock 7 min behind the service')).toBeVisible();
  });

  test('when events are connected again is said to the second, as in their drawer', async ({ shown }) => {
    const page = await shown.open('events, waiting');
    const drawer = page.getByRole('complementary', { name: 'Live events' });
    await expect(drawer).toContainText('14:00:20 UTC');
    await expect(barOf(page)).toContainText('Events: reconnecting at 14:00:20 UTC');
  });

  for (const language of languages)
    test(
      `when events are connected again is whole in the bar at 1024: ${language}`,
      inLanguage(language),
      async ({ shown }) => {
        await shown.page.setViewportSize({ width: 1024, height: 768 });
        const page = await shown.open('events, waiting', { language });
        const words = page.locator('.status__stream .truncate');
        await expect(words).toContainText('14:00:20 UTC');
        const cut = (): Promise<boolean> => words.evaluate((one) => one.scrollWidth > one.clientWidth);
        await expect.poll(cut).toBe(false);
      },
    );

  test('what explains the stream stands in the line of its last word', async ({ shown }) => {
    const page = await shown.open('events, waiting');
    const state = page
      .locator('p')
      .filter({ has: page.getByRole('button', { name: /^What/ }) })
      .filter({ hasText: 'The stream ended' });
    const [last, help] = await state.evaluate((line) => {
      const range = document.createRange();
      range.selectNodeContents(line.firstChild!);
      return [
        [...range.getClientRects()].at(-1)!.bottom,
        line.querySelector('button')!.getBoundingClientRect().top,
      ];
    });
    expect(help).toBeLessThan(last);
  });

  test('the bar leads to the events, to the integrations and to the muted alarms', async ({ shown }) => {
    const page = await shown.open('incidents');
    await barOf(page).getByRole('button', { name: /^Live/ }).click();
    await expect(page.getByRole('complementary', { name: 'Live events' })).toBeVisible();
    await barOf(page).getByRole('button', { name: 'Open integrations' }).click();
    await expect(integrationsOf(page)).toBeVisible();
    await shown.push({ siren: { mutedUntil: Date.UTC(2026, 10, 20, 14, 30) } });
    await barOf(page).getByRole('button', { name: 'Muted until 14:30 UTC' }).click();
    await expect(page.getByRole('region', { name: 'Alarms', exact: true })).toBeVisible();
  });

  test('an older copy that was put back is said until it was read', async ({ shown }) => {
    const page = await shown.open('older data put back');
    const notice = page
      .getByRole('status')
      .filter({ hasText: 'Data on this computer was replaced by an older copy' });
    await expect(notice).toContainText('Check uploads and decisions before you repeat one.');
    await notice.getByRole('button', { name: 'Close' }).click();
    expect(await shown.calls('dismissStorageNotice')).toHaveLength(1);
  });

  test('an audit list is not called intact once an older copy was put back', async ({ shown }) => {
    const page = await shown.open('audit list');
    await expect(page.getByText(/intact/).first()).toBeVisible();
    const problem = 'The list was found damaged before; an entry says what was found.';
    await shown.push({ missions: { audit: { count: 43, state: 'damaged', problem } } });
    await expect(page.getByText(problem)).toBeVisible();
    await expect(page.getByText(/\bintact\b/)).toHaveCount(0);
  });

  test('the clock changes its zone in the console’s preferences', async ({ shown }) => {
    const page = await shown.open('incidents');
    await barOf(page).getByRole('button', { name: /local/i }).click();
    expect(await shown.calls('setPreferences')).toEqual([{ zone: 'local' }]);
  });
});

test.describe('integrations', () => {
  test('each integration has its level in words, and the one that is down stands out', async ({ shown }) => {
    const page = await shown.open('integrations, one down');
    const pinning = integrationsOf(page).getByRole('article').filter({ hasText: 'IPFS pinning' });
    await expect(pinning).toContainText(/down/i);
    await expect(integrationsOf(page).getByRole('article').filter({ hasText: 'AI analysis' })).toContainText(
      /ok/i,
    );
    await expect(barOf(page)).toContainText(/IPFS pinning\s*down/i);
  });

  test('says when it was checked last, and that the service answered', async ({ shown }) => {
    const page = await shown.open('integrations');
    await expect(integrationsOf(page).getByText(/^Last check\s*14:00:00 UTC/)).toBeVisible();
    await expect(integrationsOf(page).getByText('Can’t reach the service.')).toHaveCount(0);
  });

  test('a check that got no answer is said, and what was known is called its last answer', async ({
    shown,
  }) => {
    const page = await shown.open('integrations, unreachable');
    await expect(integrationsOf(page).getByText('Can’t reach the service.')).toBeVisible();
    await expect(integrationsOf(page)).toContainText('Showing the service’s last answer');
    await expect(
      integrationsOf(page)
        .getByRole('article')
        .filter({ hasText: /\bDown\b/ }),
    ).toHaveCount(0);
  });

  test('“Check now” asks once', async ({ shown }) => {
    const page = await shown.open('integrations');
    await integrationsOf(page).getByRole('button', { name: 'Check now' }).click();
    expect(await shown.calls('checkHealth')).toEqual([{}]);
  });
});

test.describe('a page that lost the console', () => {
  const lost = 'disconnected from the console';

  test('says so once, with the time since when, and is no longer live', async ({ shown }) => {
    const page = await shown.open(lost);
    await expect(page.getByRole('region', { name: 'Session notices' }).getByRole('alert')).toHaveText(
      /^Disconnected from the console\. This screen is frozen at \d\d:\d\d:\d\d UTC\./,
    );
    await expect(barOf(page)).toContainText('Events: stopped');
    await expect(barOf(page).getByText('Online', { exact: true })).toHaveCount(0);
  });

  test('dims every button that does nothing', async ({ shown }) => {
    const page = await shown.open(lost);
    // The bar at the bottom shows with its buttons, and what is chosen shows what the list holds.
    const buttons = page.locator(
      'button:disabled:not(.status__item, .status__timeline, [data-state=on], [data-state=checked])',
    );
    await expect(buttons.filter({ hasText: 'Changed' })).toBeVisible();
    const drawn = await buttons.evaluateAll((all) =>
      all.map((button) => [
        button.getAttribute('aria-label') ?? button.textContent?.trim(),
        getComputedStyle(button).opacity,
      ]),
    );
    expect(drawn.map(([name]) => name)).toEqual(expect.arrayContaining(['Lock', 'Account', 'Export']));
    expect(drawn.filter(([, opacity]) => Number(opacity) === 1)).toEqual([]);
  });

  test('leads to no part of the list, from which no button would lead back', async ({ shown }) => {
    const page = await shown.open(lost);
    await expect(page.getByText('2 not on the map')).toBeVisible();
    await expect(page.getByRole('button', { name: '2 not on the map' })).toHaveCount(0);
  });

  test('offers no sound, which could not be switched on', async ({ shown }) => {
    const page = await shown.open(lost);
    await expect(barOf(page).getByText('Events: stopped')).toBeVisible();
    await expect(barOf(page).getByText('Sound is off: click to enable')).toHaveCount(0);
  });

  test('refused at the door, says how it is opened', async ({ shown }) => {
    const page = await shown.open('starting, refused');
    await expect(page.getByRole('alert')).toContainText('Open it from the launch file');
  });

  test('before anything came from the console, says that it tries again', async ({ shown }) => {
    const page = await shown.open('starting, silent');
    await expect(page.getByRole('status')).toContainText('Reconnecting automatically');
  });
});
