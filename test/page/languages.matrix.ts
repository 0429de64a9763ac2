import { languages, type Language } from '../../src-preload/contract/index.ts';
import { controlNames } from '../e2e/support/controlNames.ts';
import { overflowingTexts } from '../e2e/support/overflow.ts';
import { expect, test } from './fixtures.ts';

/** Languages that cannot have an English name by chance. */
const scripts: Partial<Record<Language, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  hi: /\p{Script=Devanagari}/u,
  'zh-Hans': /\p{Script=Han}/u,
};

const shownStates = ['sign in', 'incidents', 'details', 'integrations', 'outbox', 'missions', 'settings'];

test.describe('at 1024 by 768', () => {
  test.use({ viewport: { width: 1024, height: 768 } });

  for (const state of shownStates) {
    test(`${state}: every language fits, and names every control in its own words`, async ({ shown }) => {
      let english: ReadonlySet<string> = new Set();
      for (const language of ['en', ...languages.filter((one) => one !== 'en')] as const) {
        const page = await shown.open(state, { language });
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        const script = scripts[language];
        // A language is a separate file, which is loaded after the page.
        if (script !== undefined) {
          const read = async () => (await controlNames(page)).some(({ name }) => script.test(name));
          await expect.poll(read, { message: language }).toBe(true);
        }
        expect.soft(await overflowingTexts(page), language).toEqual([]);
        const controls = await controlNames(page);
        const unnamed = controls.filter(({ name }) => name === '');
        expect.soft(unnamed, `${language}: without a name`).toEqual([]);
        const names = controls.map(({ name }) => name);
        if (language === 'en') english = new Set(names);
        if (script === undefined) continue;
        // Short forms such as UTC are the same everywhere, and so is a severity that only the service knows.
        const inEnglish = names.filter(
          (name) =>
            /\p{Ll}/u.test(name) && !/^catastrophic /.test(name) && !script.test(name) && english.has(name),
        );
        expect.soft(inEnglish, `${language}: named in English`).toEqual([]);
      }
    });
  }
});
