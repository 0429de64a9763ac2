import type { Locator, Page } from '@playwright/test';
import { pseudoScript, type PseudoLanguage } from '../support/pseudo.ts';
import type { Language } from '../../src-preload/contract/index.ts';
import { likeness } from './support/drawnText.ts';
import { expect, test } from './support/fixtures.ts';
import { overflowingTexts } from './support/overflow.ts';

const englishWords = '**/assets/words-en-*.js';

/** Puts a pseudo-language in the place of English, in a page that begins anew. */
async function readIn(page: Page, language: PseudoLanguage | 'en'): Promise<void> {
  await page.unroute(englishWords);
  if (language !== 'en') {
    await page.route(englishWords, async (route) => {
      const response = await route.fetch();
      const body = await pseudoScript(await response.text(), language);
      // Kept by the browser it would be read by the pages after this one too.
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'cache-control': 'no-store' },
        body,
      });
    });
  }
  await page.reload();
}

test(
  'words that are two fifths longer, or read from right to left, fit at 1024 by 768',
  { tag: '@map' },
  async ({ opened, service }) => {
    const { page, operator } = opened;
    await page.setViewportSize({ width: 1024, height: 768 });
    const root = page.locator('html');
    const expectFit = async (state: string): Promise<void> => {
      expect.soft(await overflowingTexts(page), state).toEqual([]);
    };
    const rail = page.locator('.desk__rail');

    for (const language of ['en-XA', 'ar-XB'] as const) {
      await readIn(page, language);
      await expect(page.locator('#sign-in-username')).toBeVisible();
      await expect(root).toHaveAttribute('dir', language === 'ar-XB' ? 'rtl' : 'ltr');
      await expectFit(`sign-in, ${language}`);
    }

    await readIn(page, 'en');
    await expect(root).toHaveAttribute('lang', 'en');
    await expect(root).toHaveAttribute('dir', 'ltr');
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1712);
    await expect(operator.drawnMap).toHaveAttribute('data-map-state', 'ready');
    const names = await rail
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent),
      );
    const placeOf = (name: string): number => names.findIndex((label) => label.startsWith(name));

    for (const language of ['en-XA', 'ar-XB'] as const) {
      await readIn(page, language);
      const panel = page.locator('main.desk__panel');
      await expect(panel.getByRole('option').first()).toBeVisible();
      await expect(root).toHaveAttribute('dir', language === 'ar-XB' ? 'rtl' : 'ltr');
      await expectFit(`incidents, ${language}`);
      const panelBox = await panel.boundingBox();
      const mapBox = await page.locator('.desk__map').boundingBox();
      expect((panelBox?.x ?? 0) > (mapBox?.x ?? 0), 'the list stands at the side that is read first').toBe(
        language === 'ar-XB',
      );
      const toolsBox = await page.locator('.tools').boundingBox();
      const middle = (mapBox?.x ?? 0) + (mapBox?.width ?? 0) / 2;
      expect((toolsBox?.x ?? middle) < middle, 'and the map’s keys at the other').toBe(language === 'ar-XB');
      await panel.getByRole('option').first().click();
      await expect(panel.getByRole('option')).toHaveCount(0);
      await expectFit(`details, ${language}`);
      await page.keyboard.press('Escape');
      for (const name of ['Missions', 'Outbox', 'Settings']) {
        await rail.getByRole('button').nth(placeOf(name)).click();
        await expect(panel.getByRole('heading').first()).toBeVisible();
        await expectFit(`${name}, ${language}`);
      }
      await rail.getByRole('button').nth(placeOf('Incidents')).click();
    }
  },
);

/** Algeria, where no incident covers the name, in scripts that the map itself cannot shape. */
const algeria = { longitude: 1.98, latitude: 27.61 };
const shapedNames = {
  ar: 'الجزائر',
  hi: 'अल्जीरिया',
} as const satisfies Partial<Record<Language, string>>;

/** In pixels: a name is as large as the map's zoom makes it, and that follows the map's width. */
const sizes = Array.from({ length: 25 }, (_, at) => 13 + at / 4);

/** The name stands on the map as the browser writes it: joined and in order, not letter by letter. */
async function expectShaped(page: Page, name: string): Promise<void> {
  const map = page.locator('[data-map-language]');
  const { x, y, width, height } = (await map.boundingBox())!;
  const clip = {
    x: Math.round(x + width / 2) - 60,
    y: Math.round(y + height / 2) - 30,
    width: 120,
    height: 60,
  };
  const apart = [...name].join('\u200c');
  await expect
    .poll(async () => {
      const [whole = 0, letters = 0] = await likeness(page, {
        clip,
        texts: [name, apart],
        sizes,
      });
      return { isThere: whole > 0.8, isShaped: whole > letters + 0.08 };
    })
    .toEqual({ isThere: true, isShaped: true });
}

for (const [language, name] of Object.entries(shapedNames)) {
  test.describe(`a map in ${language}`, () => {
    test.use({ preferences: { tourDone: true, language }, serviceOptions: { dataset: [] } });

    test('writes names as the browser does', { tag: '@map' }, async ({ opened: { page }, service }) => {
      // Left and right of the name, which therefore stands in the middle of the map's first look.
      for (const aside of [-19, 19]) {
        const location = { ...algeria, longitude: algeria.longitude + aside, altitude: 0 };
        service.addIncident({ severity: 'critical', location });
      }
      const { username, password } = service.credentials;
      await page.locator('#sign-in-username').fill(username);
      await page.locator('#sign-in-password').fill(password);
      await page.keyboard.press('Enter');
      const map = page.locator('[data-map-language]');
      await expect(map).toHaveAttribute('data-map-language', language);
      await expect(map).toHaveAttribute('data-drawn-incidents', '2');
      await expectShaped(page, name);
    });
  });
}

test(
  'coordinates and searches keep their order while they are typed into a page from right to left',
  { tag: '@map' },
  async ({ operator }) => {
    const { page } = operator;
    await operator.expectIncidents(1712);
    await operator.openPanel('Settings');
    await page.getByLabel('Language').selectOption('ar');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    const runs = (field: Locator) => field.evaluate((input) => getComputedStyle(input).direction);
    const expectOrder = async (field: Locator, typed: string) => {
      // Empty, the hint runs as the page does.
      expect(await runs(field)).toBe('rtl');
      await field.fill(typed);
      await expect.poll(() => runs(field), typed).toBe('ltr');
      expect(await field.evaluate((input) => getComputedStyle(input).textAlign)).toBe('right');
      await field.fill('القاهرة');
      await expect.poll(() => runs(field)).toBe('rtl');
      await field.fill('');
    };
    await expectOrder(page.locator('.goto__input'), '-33.857, 151.215');
    await expectOrder(page.locator('#settings-station'), '38N 444140 3684706');
    await page.locator('.desk__rail').getByRole('button').first().click();
    await expectOrder(page.locator('.search__input'), 'severity:critical within:200km since:6h');
    await page.keyboard.press('Control+K');
    const palette = page.getByRole('dialog').getByRole('combobox');
    await expectOrder(palette, '33.8568 S, 150.215 E');
    await palette.fill('33.8568 S, 150.215 E');
    const offered = page.getByRole('option');
    await expect(offered).toHaveCount(4);
    // Where the first figure is drawn right of the second, the pair reads the other way round.
    const drawnAt = (option: Locator) =>
      option.evaluate((element) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const place = (word: string): number => {
          texts.currentNode = element;
          for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
            const at = (node as Text).data.indexOf(word);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            return range.getBoundingClientRect().left;
          }
          return Number.NaN;
        };
        return [place('33.8568'), place('150.215')] as const;
      });
    for (const option of await offered.all()) {
      const [latitude, longitude] = await drawnAt(option);
      expect(latitude, (await option.textContent()) ?? '').toBeLessThan(longitude);
    }
  },
);
