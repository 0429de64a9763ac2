import { expect, test } from './support/fixtures.ts';

/** What only a desktop has. */
test.describe('the desktop application', { tag: '@desktop' }, () => {
  test(
    'starts, opens a window, lists incidents after the sign-in, and quits with status 0',
    { tag: '@stand-in' },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      expect(await page.evaluate(() => typeof Reflect.get(window, 'fieldConsole'))).toBe('object');
      await operator.signIn(service.credentials);
      await operator.expectIncidents(1707);
      expect(await opened.stop()).toBe(0);
    },
  );
});
