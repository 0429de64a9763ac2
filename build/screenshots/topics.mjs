import { appearance } from './appearance.mjs';
import { coordinates } from './coordinates.mjs';
import { drones } from './drones.mjs';
import { evidence } from './evidence.mjs';
import { exports } from './exports.mjs';
import { deploymentCheck, emptyConsole, firstMinutes } from './firstMinutes.mjs';
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
 * Every picture of the README and of docs, by topic. A topic has a separate console; `opens` brings it to the state of
 * the first picture, and each picture's function continues from the state of the one before.
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
  drones,
  exports,
  sheet,
  languages,
  mapLanguages,
  firstMinutes,
  deploymentCheck,
  emptyConsole,
  wallboard,
  notLive,
];
