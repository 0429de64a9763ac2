import type { Camera, Language } from '../../src-preload/contract/index.ts';
import { show } from '../../test/support/pictureState.ts';
import { signIn } from './desk.ts';
import type { Take, Topic } from './stage.ts';

/** A picture's function: the map in a language, where that language's own countries are. */
const mapIn =
  (language: Language, camera: Camera): Take =>
  async ({ page, prefer }) => {
    await prefer({ language });
    await page.locator(`[data-map-language="${language}"]`).waitFor();
    await show(page, { selectedRow: null, cameraWish: { camera, fly: false } });
  };

export const mapLanguages: Topic = {
  name: 'map-languages',
  opens: signIn,
  pictures: {
    'map-arabic-night-1440': mapIn('ar', { longitude: 45, latitude: 30, zoom: 4 }),
    'map-hindi-day-1440': mapIn('hi', { longitude: 80, latitude: 24, zoom: 4 }),
  },
};
