import { alarmsAtStart, sirenAtStart } from '../../../src-main/core/features/alarms/alarmsState.ts';
import { dronesAtStart } from '../../../src-main/core/features/drones/index.ts';
import { eventsAtStart } from '../../../src-main/core/features/events/eventBoard.ts';
import { contentsAtStart } from '../../../src-main/core/features/evidence/content/contents.ts';
import { evidenceAtStart } from '../../../src-main/core/features/evidence/evidenceState.ts';
import { exportsAtStart } from '../../../src-main/core/features/exports/exportList.ts';
import { healthAtStart } from '../../../src-main/core/features/health/healthMonitor.ts';
import { lastHourAtStart } from '../../../src-main/core/features/incidents/changes/lastHour.ts';
import { changesAtStart } from '../../../src-main/core/features/incidents/changes/unseenChanges.ts';
import { incidentsAtStart, syncAtStart } from '../../../src-main/core/features/incidents/sync/syncState.ts';
import { missionsAtStart } from '../../../src-main/core/features/missions/missionsState.ts';
import { handoversAtStart } from '../../../src-main/core/features/notes/handover/handovers.ts';
import { notesAtStart } from '../../../src-main/core/features/notes/notesState.ts';
import { noPolicy, policyStateOf } from '../../../src-main/core/features/policy/policy.ts';
import { defaultPreferences } from '../../../src-main/core/features/preferences/preferences.ts';
import { updatesAtStart } from '../../../src-main/core/features/updates/updates.ts';
import { outboxAtStart } from '../../../src-main/core/features/uploads/uploads.ts';
import { workspaceAtStart } from '../../../src-main/core/features/views/views.ts';
import { ConsoleStore } from '../../../src-main/core/state/consoleStore.ts';
import type { IncidentRecord } from '../../../src-main/core/state/incident.ts';
import { storageAtStart } from '../../../src-main/core/vault/attemptVault.ts';
import {
  decodeIncidentFrame,
  incidentId,
  systemAtRest,
  type ConsoleState,
  type LinkMessage,
  type Push,
  unknownCount,
} from '../../../src-preload/contract/index.ts';
import { lineAtStart } from '../../../src-main/core/service/transport/line.ts';

export const stateAtStart: ConsoleState = {
  app: {
    version: '0.0.0',
    host: 'browser',
    training: false,
    severities: null,
    closedStatuses: [],
    problem: null,
  },
  deployments: { known: [], chosen: null, proposal: null },
  deploymentCheck: { kind: 'none' },
  session: { vault: 'open', session: { state: 'active', expiresAt: 1 }, username: 'canary-name' },
  lock: { locked: false, username: null, deploymentName: null, throttledUntil: null },
  time: { serverNow: 0, verified: false, skewMs: null },
  connection: {
    infrastructure: { state: 'unknown', since: 0, failure: null },
    coordination: { state: 'unknown', since: 0, failure: null },
  },
  proxy: null,
  line: lineAtStart,
  health: healthAtStart,
  incidents: incidentsAtStart,
  storage: storageAtStart,
  system: systemAtRest,
  sync: syncAtStart,
  maps: { packages: [], imports: [], missing: [] },
  evidence: evidenceAtStart,
  contents: contentsAtStart,
  watch: notesAtStart,
  handovers: handoversAtStart,
  changes: changesAtStart,
  lastHour: lastHourAtStart,
  exports: exportsAtStart,
  outbox: outboxAtStart,
  missions: missionsAtStart,
  events: eventsAtStart,
  drones: dronesAtStart,
  alarms: alarmsAtStart,
  siren: sirenAtStart,
  capabilities: { refused: [] },
  preferences: { ...defaultPreferences, theme: 'day' },
  policy: policyStateOf(noPolicy),
  desktop: null,
  updates: updatesAtStart,
  workspace: workspaceAtStart,
  training: null,
};

/** A store in which somebody is signed in, and whose slices say this at the start. */
export function createTestStore(slices: Partial<ConsoleState> = {}): ConsoleStore {
  let epochs = 0;
  return new ConsoleStore({ ...stateAtStart, ...slices }, () => `epoch-${String((epochs += 1))}`);
}

export const record = (id: string, change: Partial<IncidentRecord> = {}): IncidentRecord => ({
  id,
  incidentType: 'fire',
  severity: 'high',
  status: 'open',
  createdAtText: '2026-11-20T12:00:00Z',
  createdAt: 1_000,
  evidenceCount: 0,
  blockchainRecords: [],
  location: { latitude: 1, longitude: 2, altitude: null },
  otherFields: [],
  unreadable: [],
  ...change,
});

const sighting = { seenAt: 5, arrivedAt: 0 };
export const upsertOf = (one: IncidentRecord) => ({ record: one, sighting });

export interface MirroredRow {
  readonly id: string;
  readonly severity: string | undefined;
  readonly evidenceCount: number | undefined;
  readonly latitude: number | undefined;
}

/** A page's mirror: applies pushes as contract/pushes.ts says. */
export class Mirror {
  readonly rows = new Map<number, MirroredRow>();
  readonly pushes: Push[] = [];
  slices: Partial<ConsoleState> = {};
  #epoch: string | null = null;
  #revision = -1;

  /** Applies a push; the answer is what the page would send. */
  take(push: Push): LinkMessage {
    this.pushes.push(push);
    if (push.base !== null && (push.epoch !== this.#epoch || push.base !== this.#revision))
      return { kind: 'resync' };
    if (push.base === null) {
      this.slices = {};
      this.rows.clear();
    }
    Object.assign(this.slices, push.slices);
    if (push.incidents) this.#takeRows(push.incidents);
    this.#epoch = push.epoch;
    this.#revision = push.revision;
    return { kind: 'acknowledge', epoch: push.epoch, revision: push.revision };
  }

  byId(): Record<string, Omit<MirroredRow, 'id'>> {
    return Object.fromEntries([...this.rows.values()].map(({ id, ...rest }) => [id, rest]));
  }

  #takeRows(block: Uint8Array): void {
    const { complete, removed, columns, dictionaries } = decodeIncidentFrame(block);
    if (complete) this.rows.clear();
    for (const key of removed) this.rows.delete(key);
    for (let index = 0; index < columns.length; index += 1) {
      this.rows.set(columns.key[index] ?? -1, {
        id: incidentId(columns, index),
        severity: dictionaries.severity[columns.severity[index] ?? -1],
        evidenceCount: columns.evidenceCount[index],
        latitude: columns.latitude[index],
      });
    }
  }
}

/** What a mirror must hold for these records. */
export const mirrored = (records: Iterable<IncidentRecord>): Record<string, Omit<MirroredRow, 'id'>> =>
  Object.fromEntries(
    [...records].map(({ id, severity, evidenceCount, location }) => [
      id,
      {
        severity,
        evidenceCount: evidenceCount ?? unknownCount,
        latitude: location?.latitude ?? Number.NaN,
      },
    ]),
  );
