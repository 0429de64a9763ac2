import { appearance } from './appearance.mjs';
import { coordinates } from './coordinates.mjs';
import { evidence } from './evidence.mjs';
import { exports, largeExport } from './exports.mjs';
import { emptyConsole, firstMinutes } from './firstMinutes.mjs';
import { handover } from './handover.mjs';
import { keyboard } from './keyboard.mjs';
import { languages } from './languages.mjs';
import { mapLanguages } from './mapLanguages.mjs';
import { notLive } from './notLive.mjs';
import { sheet } from './sheet.mjs';
import { time } from './time.mjs';
import { views } from './views.mjs';
import { wallboard } from './wallboard.mjs';
import { work } from './work.mjs';

/**
 * Every picture of the README and of docs, by topic. A topic has a console of its own; `opens` brings it to
 * where the first picture begins, and each picture's function goes on from where the one before it ended.
 * The function may answer with another page than the console's, which is closed once its picture is taken, or
 * with the bytes of a picture.
 *
 * A picture's name says what it shows, in which theme, and how wide its window is; without those two it is of
 * something else than the page.
 */
export const topics = [
  work,
  appearance,
  coordinates,
  time,
  keyboard,
  views,
  handover,
  evidence,
  exports,
  largeExport,
  sheet,
  languages,
  mapLanguages,
  firstMinutes,
  emptyConsole,
  wallboard,
  notLive,
];
