import { systemAtRest, type ConsoleState, type DesktopState } from '../../../src-preload/contract/index.ts';
import { alarmsAtStart, sirenAtStart } from '../features/alarms/index.ts';
import { deploymentCheckAtStart } from '../features/deploymentCheck/index.ts';
import { dronesAtStart } from '../features/drones/index.ts';
import { eventsAtStart } from '../features/events/index.ts';
import { contentsAtStart, evidenceAtStart } from '../features/evidence/index.ts';
import { exportsAtStart } from '../features/exports/index.ts';
import { healthAtStart } from '../features/health/index.ts';
import {
  changesAtStart,
  incidentsAtStart,
  lastHourAtStart,
  syncAtStart,
} from '../features/incidents/index.ts';
import { mapsAtStart } from '../features/maps/index.ts';
import { missionsAtStart } from '../features/missions/index.ts';
import { handoversAtStart, notesAtStart } from '../features/notes/index.ts';
import { policyStateOf } from '../features/policy/index.ts';
import type { PreferencesDocument } from '../features/preferences/index.ts';
import { updatesAtStart } from '../features/updates/index.ts';
import { outboxAtStart } from '../features/uploads/index.ts';
import { workspaceAtStart } from '../features/views/index.ts';
import { lineAtStart } from '../service/transport/line.ts';
import { ConsoleStore } from '../state/consoleStore.ts';
import { storageAtStart } from '../vault/attemptVault.ts';
import type { Ports } from '../features/ports.ts';
import type { AppOptions } from './app.ts';

/** The store in its first state: only the preferences have been read. */
export async function createStore({
  ports: { clock, random, control },
  options: { version, host, policy },
  preferences,
}: {
  readonly ports: Ports;
  readonly options: AppOptions;
  readonly preferences: PreferencesDocument;
}): Promise<ConsoleStore> {
  return new ConsoleStore(
    {
      ...emptyState(clock.wallNow()),
      app: { version, host, training: false, severities: null, closedStatuses: [], problem: null },
      preferences: await preferences.load(),
      policy: policyStateOf(policy),
      desktop: await desktopStateOf(control),
      system: control.system?.state() ?? systemAtRest,
    },
    () => Buffer.from(random.bytes(16)).toString('hex'),
  );
}

async function desktopStateOf({ desktop }: Ports['control']): Promise<DesktopState> {
  return desktop === null ? null : { startsAtLogin: await desktop.startsAtLogin(), tray: desktop.tray };
}

const emptyState = (
  at: number,
): Omit<ConsoleState, 'app' | 'preferences' | 'policy' | 'desktop' | 'system'> => ({
  deployments: { known: [], chosen: null, proposal: null },
  deploymentCheck: deploymentCheckAtStart,
  session: { vault: 'closed', session: { state: 'none', ended: 'never-started' }, username: null },
  lock: { locked: false, username: null, deploymentName: null, throttledUntil: null },
  time: { serverNow: at, verified: false, skewMs: null },
  connection: {
    infrastructure: { state: 'unknown', since: at, failure: null },
    coordination: { state: 'unknown', since: at, failure: null },
  },
  proxy: null,
  line: lineAtStart,
  health: healthAtStart,
  incidents: incidentsAtStart,
  sync: syncAtStart,
  maps: mapsAtStart,
  storage: storageAtStart,
  evidence: evidenceAtStart,
  contents: contentsAtStart,
  outbox: outboxAtStart,
  missions: missionsAtStart,
  events: eventsAtStart,
  drones: dronesAtStart,
  alarms: alarmsAtStart,
  siren: sirenAtStart,
  capabilities: { refused: [] },
  updates: updatesAtStart,
  workspace: workspaceAtStart,
  watch: notesAtStart,
  handovers: handoversAtStart,
  changes: changesAtStart,
  lastHour: lastHourAtStart,
  exports: exportsAtStart,
  training: null,
});
