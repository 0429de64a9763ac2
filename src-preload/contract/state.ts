import { z } from 'zod';
import { alarmsSchema, sirenSchema } from './alarms.ts';
import { capabilitiesSchema } from './capabilities.ts';
import { changesSchema, lastHourSchema } from './changes.ts';
import { contentsSchema } from './contents.ts';
import { deploymentCheckSchema } from './deploymentCheck.ts';
import { deploymentsSchema } from './deployments.ts';
import { desktopSchema } from './desktop.ts';
import { dronesSchema } from './drones.ts';
import { eventsSchema } from './events.ts';
import { evidenceSchema } from './evidence.ts';
import { exportsSchema } from './exports.ts';
import { failureSchema } from './failure.ts';
import { handoversSchema } from './handovers.ts';
import { healthSchema } from './health.ts';
import { incidentsSchema } from './incidents.ts';
import { lineSchema } from './line.ts';
import { mapsSchema } from './maps.ts';
import { messageSchema } from './message.ts';
import { missionsSchema } from './missions.ts';
import { watchSchema } from './notes.ts';
import { policySchema } from './policy.ts';
import { preferencesSchema } from './preferences.ts';
import { lockSchema, sessionSchema } from './session.ts';
import { severityRankingSchema } from './severity.ts';
import { storageSchema } from './storage.ts';
import { syncSchema } from './sync.ts';
import { systemSchema } from './system.ts';
import { trainingSchema } from './training.ts';
import { updatesSchema } from './updates.ts';
import { outboxSchema } from './uploads.ts';
import { workspaceSchema } from './views.ts';

/** Server time, Unix milliseconds. Server time is the service's time as the core estimates it. */
const instant = z.number();

export const appSchema = z.strictObject({
  version: z.string(),
  host: z.enum(['desktop', 'browser']),
  /** True exactly when the chosen deployment is the embedded training one. */
  training: z.boolean(),
  /** How the chosen deployment ranks severities. Here, since a locked page shows the worst alarm's mark too. */
  severities: severityRankingSchema.default(null),
  /** Statuses that mean closed in the chosen deployment, beside those that always do. */
  closedStatuses: z.array(z.string()).default([]),
  problem: failureSchema.nullable(),
});

/** `skewMs` is the computer's clock minus the service's; null until a `Date` header was read. */
export const timeSchema = z.strictObject({
  serverNow: instant,
  verified: z.boolean(),
  skewMs: z.number().nullable(),
});

export const apiConnectionSchema = z.strictObject({
  state: z.enum(['unknown', 'online', 'degraded', 'offline']),
  since: instant,
  failure: failureSchema.nullable(),
});
export type ApiConnection = z.infer<typeof apiConnectionSchema>;

/** A proxy that asks for a sign-in. */
export const proxyQuestionSchema = z.strictObject({
  /** Its origin. */
  proxy: z.string(),
  sentence: messageSchema,
  /** Whether it takes a name and a password by the Basic method, the only one that the console has. */
  basic: z.boolean(),
});
export type ProxyQuestion = z.infer<typeof proxyQuestionSchema>;

export const connectionSchema = z.strictObject({
  infrastructure: apiConnectionSchema,
  coordination: apiConnectionSchema,
});

/** The whole state that is mirrored to a page, slice by slice. */
export const stateSchema = z.strictObject({
  app: appSchema,
  deployments: deploymentsSchema,
  deploymentCheck: deploymentCheckSchema,
  session: sessionSchema,
  lock: lockSchema,
  time: timeSchema,
  connection: connectionSchema,
  /** Null while no proxy asks. */
  proxy: proxyQuestionSchema.nullable(),
  line: lineSchema,
  health: healthSchema,
  incidents: incidentsSchema,
  preferences: preferencesSchema,
  policy: policySchema,
  desktop: desktopSchema,
  updates: updatesSchema,
  storage: storageSchema,
  system: systemSchema,
  sync: syncSchema,
  workspace: workspaceSchema,
  watch: watchSchema,
  handovers: handoversSchema,
  changes: changesSchema,
  lastHour: lastHourSchema,
  exports: exportsSchema,
  maps: mapsSchema,
  evidence: evidenceSchema,
  contents: contentsSchema,
  outbox: outboxSchema,
  missions: missionsSchema,
  events: eventsSchema,
  drones: dronesSchema,
  alarms: alarmsSchema,
  siren: sirenSchema,
  capabilities: capabilitiesSchema,
  training: trainingSchema.nullable(),
});
export type ConsoleState = z.infer<typeof stateSchema>;
export type SliceName = keyof ConsoleState;

/** What a locked console still mirrors; every other slice is withheld. */
export const slicesWhileLocked = [
  'app',
  'lock',
  'time',
  'preferences',
  'siren',
  'policy',
  'desktop',
] as const satisfies readonly SliceName[];
