import type { Language } from '../../src-preload/contract/index.ts';
import { show, type Shown } from '../../test/support/pictureState.ts';
import { signIn } from './desk.ts';
import type { Take, Topic } from './stage.ts';

/** A picture's function: the page turned to a language, with what is shown named without words. */
const turnedTo =
  (language: Language, shown: Shown): Take =>
  async ({ page, prefer }) => {
    await prefer({ language });
    await page.locator(`html[lang="${language}"]`).waitFor();
    await show(page, { panel: 'incidents', timeline: false, selectedRow: null, ...shown });
  };

export const languages: Topic = {
  name: 'languages',
  opens: signIn,
  pictures: {
    'arabic-night-1440': turnedTo('ar', { selectedRow: 0 }),
    'chinese-day-1024': turnedTo('zh-Hans', {}),
    'hindi-night-1024': turnedTo('hi', { panel: 'missions' }),
  },
};
