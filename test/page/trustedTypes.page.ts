import { expect, test } from './fixtures.ts';

test.describe('what may become program text', () => {
  // Pages of these tests must not violate the policy, so this one is its own.
  test('is no text of the service, and no address of another origin', async ({ browser, origin }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/?state=sign+in`);
    await expect(page.getByRole('heading', { name: 'Harbour station' })).toBeVisible();
    const outcomes = await page.evaluate(() => {
      const outcome = (act: () => void): string => {
        try {
          act();
          return 'taken';
        } catch (error) {
          return error instanceof TypeError ? error.message : String(error);
        }
      };
      const element = document.createElement('div');
      element.innerHTML = '<img src="x" onerror="window.ran = true"> &amp; more';
      return {
        script: outcome(() => (document.createElement('script').text = 'window.ran = true')),
        foreign: outcome(() => new Worker('https://elsewhere.example/worker.js')),
        policy: outcome(() =>
          window.trustedTypes?.createPolicy('another', { createScriptURL: (url) => url }),
        ),
        markup: [...element.childNodes].map(
          ({ nodeName, textContent }) => `${nodeName} ${textContent ?? ''}`,
        ),
      };
    });
    expect(outcomes.markup).toEqual(['#text <img src="x" onerror="window.ran = true"> & more']);
    expect(outcomes.script).toMatch(/TrustedScript/);
    expect(outcomes.foreign).toMatch(/another origin/);
    expect(outcomes.policy).toMatch(/disallowed/i);
    await context.close();
  });
});
