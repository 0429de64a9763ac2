import type { Page } from '@playwright/test';
import { watchAnnouncements } from './support/announcements.ts';
import { expect, test } from './support/fixtures.ts';
import { overflowingTexts, overlappingTexts } from './support/overflow.ts';
import { walkFocus } from './support/focusWalk.ts';
import { violations } from './support/violations.ts';

const expectNone = async (page: Page, state: string) => {
  expect(await violations(page), state).toEqual([]);
};
test('axe finds nothing in the states of a real console', { tag: '@map' }, async ({ opened, service }) => {
  const { page, operator } = opened;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expectNone(page, 'sign-in');
  await operator.tryToSignIn({ username: 'someone', password: 'wrong' });
  await expect(page.getByText('bad-credentials')).toBeVisible();
  await expectNone(page, 'refused');

  await operator.signIn(service.credentials);
  await operator.expectIncidents(1712);
  await expectNone(page, 'incidents');
  await operator.incidents.getByRole('option').first().click();
  await expect(operator.details).toBeVisible();
  await expectNone(page, 'details');
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(operator.details).toBeVisible();
  await expectNone(page, 'details at 1024');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');

  await operator.incidents.getByRole('button', { name: /^Filter/ }).click();
  await expectNone(page, 'filter open');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('quux within:200km');
  await expect(operator.incidents.getByText('No incident contains quux.')).toBeVisible();
  await expectNone(page, 'nothing found');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Show the timeline' }).click();
  await expect(page.getByRole('region', { name: 'Incidents over time' })).toBeVisible();
  await operator.command('Live events');
  await expect(page.getByRole('complementary', { name: 'Live events' })).toBeVisible();
  await expectNone(page, 'timeline and live events');
  await page
    .getByRole('complementary', { name: 'Live events' })
    .getByRole('button', { name: 'Close' })
    .click();
  await page
    .getByRole('region', { name: 'Incidents over time' })
    .getByRole('button', { name: 'Close the timeline' })
    .click();
  await operator.map.getByRole('button', { name: 'Measure' }).press('Enter');
  await expectNone(page, 'what can be measured');
  await page.getByRole('button', { name: 'Measure an area' }).press('Enter');
  const measuring = page.getByRole('group', { name: 'Measuring' });
  const canvas = operator.map.getByRole('application');
  await canvas.press('Space');
  await expectNone(page, 'measuring, one corner');
  for (const key of ['ArrowRight', 'ArrowDown']) {
    const camera = await operator.drawnMap.getAttribute('data-camera');
    await canvas.press(key);
    await expect(operator.drawnMap).not.toHaveAttribute('data-camera', camera ?? '');
    await canvas.press('Space');
  }
  await expect(measuring.getByText(/^Area [\d,.]+ km², outline [\d,.]+ km$/)).toBeVisible();
  await expectNone(page, 'measuring, three corners');
  await canvas.press('Enter');
  await expect(measuring.getByText('3 points')).toBeVisible();
  await expectNone(page, 'measured');
  await measuring.getByRole('button', { name: 'Close' }).press('Enter');
  for (const [key, overlay] of [
    ['Control+K', 'palette'],
    ['?', 'shortcuts'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNone(page, overlay);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await operator.openPanel('Integrations');
  await expect(operator.integrations).toBeVisible();
  await expectNone(page, 'integrations');
  await operator.openPanel('Outbox');
  await expect(page.getByRole('region', { name: 'Outbox', exact: true })).toBeVisible();
  await expectNone(page, 'outbox');
  await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('region', { name: 'Settings', exact: true });
  await expect(settings).toBeVisible();
  await settings.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(page.getByLabel('Day begins at')).toBeVisible();
  await page.getByRole('button', { name: 'Show the keys' }).click();
  await expect(page.getByText('To the incident above or below')).toBeVisible();
  await expectNone(page, 'settings');
  await settings.getByRole('button', { name: 'Red', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'red');
  await expectNone(page, 'settings, in red');

  await page.getByRole('button', { name: 'Lock' }).click();
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
  await expectNone(page, 'locked, in red');
});

test('nothing is announced by a minute that only passes; trouble is, once, and axe finds nothing in it', async ({
  opened,
  service,
}) => {
  const { page, operator } = opened;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.reload();
  await operator.signIn(service.credentials);
  await operator.expectIncidents(1712);
  await expect(operator.connection).toHaveText(/^\s*Online/);
  const clock = page.getByRole('contentinfo').getByRole('button', { name: /^Show (UTC|local)/ });
  const before = await clock.textContent();
  const announcements = await watchAnnouncements(page);
  await page.clock.runFor(61_000);
  // The minute did pass on this page: its clock and its ages went on.
  await expect(clock).not.toHaveText(before ?? '');
  expect(await announcements()).toEqual([]);

  await service.set({ incidentScope: false });
  await expect(operator.incidents.getByText('not-granted').first()).toBeVisible();
  await expectNone(page, 'not granted');
  await service.set({ fault: 'refuse' });
  await expect(operator.connection).toHaveText(/^\s*Offline/);
  const told = await announcements();
  expect(told.join('\n')).toContain('Offline');
  await page.clock.runFor(61_000);
  await expectNone(page, 'offline');
  // Being offline is said and said to last; it is not said again with every second of it.
  expect((await announcements()).length).toBeLessThanOrEqual(told.length + 3);
  await service.set({ fault: 'none', incidentScope: true, accountRevoked: true });
  await operator.incidents.getByRole('button', { name: 'Refresh incidents' }).click();
  await expect(page.getByText('session-rejected').first()).toBeVisible();
  await expectNone(page, 'rejected');
});

test('the training’s page and drawer pass axe', async ({ open }) => {
  const { page } = await open([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectNone(page, 'training sign-in');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /^Training/ }).click();
  await expect(page.getByText(/Token lifetime/i).first()).toBeVisible();
  await expectNone(page, 'training drawer');
});

test(
  'names, focus order and visible focus hold, magnified twice and with the largest text for fingers too',
  { tag: '@map' },
  async ({ operator }) => {
    const { page } = operator;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await operator.expectIncidents(1712);
    await expect(page.locator('body')).toMatchAriaSnapshot(`
    - navigation "Panels":
      - button "Incidents"
      - button "Evidence"
      - button "Outbox"
      - button "Missions"
      - button "Alarms"
      - button "Log"
      - button "Settings"
      - button "Lock"
    - main:
      - heading "Field Console" [level=1]
      - region "Incidents":
        - heading "Incidents" [level=2]
        - button "Refresh incidents"
        - search:
          - button "Filter"
        - group "Active incidents by severity":
          - button "Critical 0"
        - button "All"
        - 'button "Sort by: Time, newest first"'
        - listbox "Incident list":
          - option /Low Earthquake/
    - region "Map":
      - application "Incidents by place. Arrow keys move, plus and minus zoom."
      - list "Severity legend":
        - listitem: Critical
        - listitem: Unranked
        - listitem: High
        - listitem: Medium
        - listitem: Low
      - group "Map controls":
        - button "Zoom in"
        - button "Zoom out"
        - button "Show all incidents"
    - contentinfo:
      - status "Connection": Online
      - button "Data status"
      - button "Open integrations"
  `);

    const fits = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const wide = [...document.querySelectorAll('nav, main, footer, section, dialog')].filter((one) => {
          const { left, right } = one.getBoundingClientRect();
          return right > innerWidth + 1 || left < -1;
        });
        return { scrolls: scrollWidth > clientWidth, wide: wide.map(({ className }) => className) };
      });
    const walk = async (state: string) => {
      const stops = await walkFocus(page);
      expect(stops.length, state).toBeGreaterThan(20);
      expect(
        stops.filter(({ shown }) => !shown),
        `${state}: focus that nothing shows`,
      ).toEqual([]);
      expect(
        stops.filter(({ onScreen }) => !onScreen),
        `${state}: focus off the screen`,
      ).toEqual([]);
      const places = stops.map(({ place }) => place);
      const order = places.filter((place, at) => place !== places[at - 1]);
      // Each place is walked through once: nobody is thrown to and fro.
      expect(order, state).toEqual([...new Set(order)]);
      const main = ['Panels', 'Incidents', 'Map', 'footer'];
      expect(
        order.filter((place) => main.includes(place)),
        state,
      ).toEqual(main);
      return stops;
    };
    await walk('1440 by 900');

    // 200 % of a window of 1440 by 900.
    await page.setViewportSize({ width: 720, height: 450 });
    await expect.poll(fits).toEqual({ scrolls: false, wide: [] });
    await walk('magnified twice');

    await page.setViewportSize({ width: 1024, height: 768 });
    await operator.openPanel('Settings');
    await page.getByRole('combobox', { name: 'Text size' }).selectOption('largest');
    await page.getByRole('combobox', { name: 'Touch' }).selectOption('on');
    await operator.openPanel('Incidents');
    await expect(page.locator('html[data-touch="on"]')).toBeAttached();
    await expect
      .poll(() =>
        operator.incidents
          .getByRole('option')
          .first()
          .evaluate((row) => row.clientHeight),
      )
      .toBeGreaterThanOrEqual(56);
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('17px');
    await expect.poll(fits).toEqual({ scrolls: false, wide: [] });
    const stops = await walk('largest text, touch');
    // The edge between panels is a line that fingers do not need: its width has keys, and a reset.
    const pressed = stops.filter(({ role }) => role !== 'separator');
    expect(
      pressed.filter(({ width, height }) => Math.min(width, height) < 44).map(({ name }) => name),
    ).toEqual([]);
    await expectNone(page, 'largest text, touch');
    await operator.openPanel('Integrations');
    const explaining = operator.integrations.getByRole('button', { name: /^What “.*” means$/ });
    await expect(explaining).toHaveCount(5);
    for (const button of await explaining.all()) {
      const box = await button.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), 'what a word means').toBeGreaterThanOrEqual(44);
    }
  },
);

/** What is wider than the window, and what would have to be scrolled sideways to be read. */
const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const one of document.querySelectorAll('html, body *')) {
      if (one.closest('.sr-only, .maplibregl-map, svg, .truncate > *') !== null || !one.checkVisibility())
        continue;
      const { left, right, width } = one.getBoundingClientRect();
      const outside = width > 0 && (left < -1 || right > innerWidth + 1);
      const scrolls =
        /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1;
      if (outside || scrolls) found.push(`${one.localName}.${[...one.classList].join('.')}`);
    }
    return found;
  });

test(
  'magnified four times an alarm, the timeline and its replay are whole, and nothing is scrolled sideways',
  { tag: '@map' },
  async ({ operator, service }) => {
    const { page } = operator;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await operator.expectIncidents(1712);
    const banner = page.getByRole('region', { name: 'Alarm banner' });
    service.addIncident({
      id: 'raised-1',
      severity: 'critical',
      incident_type: 'landslide above the reservoir with a breach of its embankment',
      location: { latitude: 3, longitude: 4, altitude: null },
    });
    await expect(banner).toContainText(/Critical: landslide above/);
    const timeline = page.getByRole('region', { name: 'Incidents over time' });
    for (const height of [640, 256]) {
      await page.setViewportSize({ width: 320, height });
      const expectWhole = async (state: string) => {
        await expect.poll(() => sideways(page), `${state}, ${height}`).toEqual([]);
        await expect.poll(() => overflowingTexts(page), `${state}, ${height}`).toEqual([]);
      };
      await banner.scrollIntoViewIfNeeded();
      await expect(banner.getByText(/with a breach of its embankment/)).toBeInViewport({ ratio: 1 });
      await expect(banner.getByRole('button', { name: 'Acknowledge' })).toBeInViewport({ ratio: 1 });
      await expectWhole('alarm');
      await page.getByRole('button', { name: 'Show the timeline' }).click();
      await expect(timeline).toBeVisible();
      await expectWhole('timeline');
      await timeline.getByRole('slider', { name: 'Shown until' }).press('PageDown');
      await expect(timeline.getByRole('button', { name: 'Show all times' })).toBeVisible();
      await expectWhole('a stretch of time');
      await timeline.getByRole('button', { name: 'Replay this period' }).click();
      await expect(timeline.getByRole('timer')).toBeVisible();
      await expectWhole('replay');
      await timeline.getByRole('button', { name: 'Leave the replay' }).click();
      await timeline.getByRole('button', { name: 'Show all times' }).click();
      await timeline.getByRole('button', { name: 'Close the timeline' }).click();
    }
  },
);

/** The spacing that WCAG 1.4.12 asks a page to bear, as a style sheet of the reader's own would set it. */
const spaceTexts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * {
        letter-spacing: 0.12em !important;
        line-height: 1.5 !important;
        word-spacing: 0.16em !important;
      }
      p { margin-bottom: 2em !important; }
    `);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });

test(
  'texts may be spaced widely: nothing is cut, and nothing stands over another',
  { tag: '@map' },
  async ({ opened, service }) => {
    const { page, operator } = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect(page.getByText('Service reachable')).toBeVisible();
    await spaceTexts(page);
    const expectWhole = async (state: string) => {
      expect(await page.evaluate(() => getComputedStyle(document.body).letterSpacing)).toBe('1.56px');
      await expect.poll(() => overflowingTexts(page), state).toEqual([]);
      await expect.poll(() => overlappingTexts(page), state).toEqual([]);
      await expect.poll(() => sideways(page), state).toEqual([]);
    };
    await expectWhole('sign-in');
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1712);
    // An alarm stands over the map in all of them.
    service.addIncident({ severity: 'critical' });
    await expect(page.getByRole('region', { name: 'Alarm banner' })).toBeVisible();
    await expectWhole('incidents');
    await operator.incidents.getByRole('option').nth(3).click();
    await expect(operator.details).toBeVisible();
    await expectWhole('details');
    await page.keyboard.press('Escape');
    for (const panel of ['Integrations', 'Outbox', 'Settings'] as const) {
      await operator.openPanel(panel);
      await expect(page.getByRole('region', { name: panel, exact: true })).toBeVisible();
      await expectWhole(panel);
    }
  },
);
