import { show } from '../../test/support/pictureState.ts';
import { signIn } from './desk.mjs';

/** A picture's function: the page turned to a language, with what is shown named without words. */
const turnedTo =
  (language, shown) =>
  async ({ page, prefer }) => {
    await prefer({ language });
    await page.locator(`html[lang="${language}"]`).waitFor();
    await show(page, { panel: 'incidents', timeline: false, selectedRow: null, ...shown });
  };

export const languages = {
  name: 'languages',
  opens: signIn,
  pictures: {
    'arabic-night-1440': turnedTo('ar', { selectedRow: 0 }),
    'chinese-day-1024': turnedTo('zh-Hans', {}),
    'hindi-night-1024': turnedTo('hi', { panel: 'missions' }),
  },
};
