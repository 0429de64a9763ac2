import alarms from '../../../src-preload/contract/messages/en/alarms.json';
import appearance from '../../../src-preload/contract/messages/en/appearance.json';
import commands from '../../../src-preload/contract/messages/en/commands.json';
import common from '../../../src-preload/contract/messages/en/common.json';
import coordinates from '../../../src-preload/contract/messages/en/coordinates.json';
import core from '../../../src-preload/contract/messages/en/core.json';
import deploymentCheck from '../../../src-preload/contract/messages/en/deploymentCheck.json';
import desktop from '../../../src-preload/contract/messages/en/desktop.json';
import details from '../../../src-preload/contract/messages/en/details.json';
import diagnostics from '../../../src-preload/contract/messages/en/diagnostics.json';
import drones from '../../../src-preload/contract/messages/en/drones.json';
import drop from '../../../src-preload/contract/messages/en/drop.json';
import events from '../../../src-preload/contract/messages/en/events.json';
import evidence from '../../../src-preload/contract/messages/en/evidence.json';
import exports from '../../../src-preload/contract/messages/en/exports.json';
import failures from '../../../src-preload/contract/messages/en/failures.json';
import freshness from '../../../src-preload/contract/messages/en/freshness.json';
import help from '../../../src-preload/contract/messages/en/help.json';
import incidents from '../../../src-preload/contract/messages/en/incidents.json';
import health from '../../../src-preload/contract/messages/en/health.json';
import kiosk from '../../../src-preload/contract/messages/en/kiosk.json';
import language from '../../../src-preload/contract/messages/en/language.json';
import lock from '../../../src-preload/contract/messages/en/lock.json';
import notes from '../../../src-preload/contract/messages/en/notes.json';
import maps from '../../../src-preload/contract/messages/en/maps.json';
import missions from '../../../src-preload/contract/messages/en/missions.json';
import uploads from '../../../src-preload/contract/messages/en/uploads.json';
import policy from '../../../src-preload/contract/messages/en/policy.json';
import print from '../../../src-preload/contract/messages/en/print.json';
import rail from '../../../src-preload/contract/messages/en/rail.json';
import search from '../../../src-preload/contract/messages/en/search.json';
import session from '../../../src-preload/contract/messages/en/session.json';
import settings from '../../../src-preload/contract/messages/en/settings.json';
import shortcuts from '../../../src-preload/contract/messages/en/shortcuts.json';
import signIn from '../../../src-preload/contract/messages/en/signIn.json';
import start from '../../../src-preload/contract/messages/en/start.json';
import status from '../../../src-preload/contract/messages/en/status.json';
import storage from '../../../src-preload/contract/messages/en/storage.json';
import sync from '../../../src-preload/contract/messages/en/sync.json';
import time from '../../../src-preload/contract/messages/en/time.json';
import timeline from '../../../src-preload/contract/messages/en/timeline.json';
import training from '../../../src-preload/contract/messages/en/training.json';
import updates from '../../../src-preload/contract/messages/en/updates.json';
import views from '../../../src-preload/contract/messages/en/views.json';
import walk from '../../../src-preload/contract/messages/en/walk.json';
import words from '../../../src-preload/contract/messages/en/words.json';
import wallboard from '../../../src-preload/contract/messages/en/wallboard.json';

/** The English texts, one file per area (`core`: what the core says); the other languages have the same keys. */
export default {
  alarms,
  appearance,
  commands,
  common,
  coordinates,
  core,
  deploymentCheck,
  desktop,
  details,
  diagnostics,
  drones,
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
