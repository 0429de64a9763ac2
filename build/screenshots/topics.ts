import { appearance } from './appearance.ts';
import { coordinates } from './coordinates.ts';
import { drones } from './drones.ts';
import { evidence } from './evidence.ts';
import { exports } from './exports.ts';
import { deploymentCheck, emptyConsole, firstMinutes } from './firstMinutes.ts';
import { handover } from './handover.ts';
import { keyboard } from './keyboard.ts';
import { languages } from './languages.ts';
import { mapLanguages } from './mapLanguages.ts';
import { notLive } from './notLive.ts';
import { sheet } from './sheet.ts';
import type { Topic } from './stage.ts';
import { time } from './time.ts';
import { views } from './views.ts';
import { wallboard } from './wallboard.ts';
import { work } from './work.ts';

/**
 * Every picture of the README and of docs, by topic. A topic has a separate console; `opens` brings it to the state of
 * the first picture, and each picture's function continues from the state of the one before.
 * The function may answer with another page than the console's, which is closed once its picture is taken, or
 * with the bytes of a picture.
 *
 * A picture's name says what it shows, in which theme, and how wide its window is; without those two it is of
 * something else than the page.
 */
export const topics: readonly Topic[] = [
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
