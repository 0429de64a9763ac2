import alarms from './alarms.json';
import appearance from './appearance.json';
import commands from './commands.json';
import common from './common.json';
import coordinates from './coordinates.json';
import details from './details.json';
import diagnostics from './diagnostics.json';
import drop from './drop.json';
import events from './events.json';
import evidence from './evidence.json';
import exports from './exports.json';
import failures from './failures.json';
import freshness from './freshness.json';
import help from './help.json';
import incidents from './incidents.json';
import health from './health.json';
import kiosk from './kiosk.json';
import language from './language.json';
import lock from './lock.json';
import notes from './notes.json';
import maps from './maps.json';
import missions from './missions.json';
import uploads from './uploads.json';
import policy from './policy.json';
import print from './print.json';
import rail from './rail.json';
import search from './search.json';
import session from './session.json';
import settings from './settings.json';
import shortcuts from './shortcuts.json';
import signIn from './signIn.json';
import start from './start.json';
import status from './status.json';
import storage from './storage.json';
import sync from './sync.json';
import time from './time.json';
import timeline from './timeline.json';
import training from './training.json';
import updates from './updates.json';
import views from './views.json';
import walk from './walk.json';
import words from './words.json';
import wallboard from './wallboard.json';

/** The page's words in English, one file per area; the other languages have the same keys. */
export default {
  alarms,
  appearance,
  commands,
  common,
  coordinates,
  details,
  diagnostics,
  drop,
  events,
  evidence,
  exports,
  failures,
  freshness,
  help,
  incidents,
  health,
  kiosk,
  language,
  lock,
  notes,
  maps,
  missions,
  uploads,
  policy,
  print,
  rail,
  search,
  session,
  settings,
  shortcuts,
  signIn,
  start,
  status,
  storage,
  sync,
  time,
  timeline,
  training,
  updates,
  views,
  walk,
  words,
  wallboard,
};
