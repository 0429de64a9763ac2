import { z } from 'zod';
import { alarmsSchema, sirenSchema } from './alarms.ts';
import { capabilitiesSchema } from './capabilities.ts';
import { changesSchema, lastHourSchema } from './changes.ts';
import { desktopSchema } from './desktop.ts';
import { eventsSchema } from './events.ts';
import { evidenceSchema } from './evidence.ts';
import { exportsSchema } from './exports.ts';
import { failureSchema } from './failure.ts';
import { freshnessSchema } from './freshness.ts';
import { handoversSchema } from './handovers.ts';
import { mapsSchema } from './maps.ts';
import { missionsSchema } from './missions.ts';
import { watchSchema } from './notes.ts';
import { phraseSchema } from './phrase.ts';
import { policySchema } from './policy.ts';
import { preferencesSchema } from './preferences.ts';
import { severityRankingSchema } from './severity.ts';
import { storageSchema } from './storage.ts';
import { syncSchema } from './sync.ts';
import { systemSchema } from './system.ts';
import { updatesSchema } from './updates.ts';
import { outboxSchema } from './uploads.ts';
import { workspaceSchema } from './views.ts';

/** Server time, Unix milliseconds. Server time is the service's time as the core estimates it. */
const instant = z.number();

export const rangeSchema = z.enum(['1h', '6h', '24h', '7d', 'all']);
export type Range = z.infer<typeof rangeSchema>;

/**
 * What the operator asks the service for. Empty lists mean "every value"; `openOnly` leaves only what is open.
 * `limit` is the largest number of results to ask for, null for none (interface: GET /incidents).
 */
export const incidentQuerySchema = z.strictObject({
  range: rangeSchema,
  severities: z.array(z.string().max(256)).max(64),
  statuses: z.array(z.string().max(256)).max(64),
  types: z.array(z.string().max(256)).max(64),
  openOnly: z.boolean(),
  limit: z.int().min(1).max(1_000_000).nullable(),
});
export type IncidentQuery = z.infer<typeof incidentQuerySchema>;

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

export const deploymentSummarySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  infrastructureHost: z.string(),
  coordinationHost: z.string(),
  source: z.enum(['training', 'policy', 'command-line', 'environment', 'added']),
});
export type DeploymentSummary = z.infer<typeof deploymentSummarySchema>;

/** A deployment file added by hand, waiting for the operator's answer. */
export const deploymentProposalSchema = z.strictObject({
  proposalId: z.string(),
  summary: deploymentSummarySchema,
  infrastructureUrl: z.string(),
  coordinationUrl: z.string(),
  replacesSameOrigin: z.boolean(),
});
export type DeploymentProposal = z.infer<typeof deploymentProposalSchema>;

export const deploymentsSchema = z.strictObject({
  known: z.array(deploymentSummarySchema),
  chosen: z.string().nullable(),
  proposal: deploymentProposalSchema.nullable(),
});

/** The session machine as the operator sees it. See core/service/session/session.ts for the transitions. */
export const sessionStateSchema = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('none'),
    ended: z.enum(['never-started', 'signed-out', 'forgotten', 'deployment-changed']),
  }),
  z.strictObject({ state: z.literal('signing-in') }),
  z.strictObject({ state: z.literal('active'), expiresAt: instant }),
  /** `expiresAt` null: no token serves meanwhile, as after a sign-in without the service. */
  z.strictObject({ state: z.literal('renewing'), expiresAt: instant.nullable() }),
  z.strictObject({
    state: z.literal('waiting'),
    reason: failureSchema,
    until: instant,
    expiresAt: instant.nullable(),
  }),
  /** The service grants tokens and accepts none of them; the next login is at `until`. */
  z.strictObject({ state: z.literal('tokens-refused'), failure: failureSchema, until: instant }),
  z.strictObject({ state: z.literal('rejected'), failure: failureSchema }),
]);
export type SessionState = z.infer<typeof sessionStateSchema>;
export const sessionStates = sessionStateSchema.options.map(({ shape }) => shape.state.value);

export const sessionSchema = z.strictObject({
  /** `sealed`: the service accepted the password, and the vault on this computer has another one. */
  vault: z.enum(['closed', 'opening', 'sealed', 'open']),
  session: sessionStateSchema,
  username: z.string().nullable(),
});

/** The only slice that a locked console shows, beside `app`, `time` and `preferences`. */
export const lockSchema = z.strictObject({
  locked: z.boolean(),
  username: z.string().nullable(),
  deploymentName: z.string().nullable(),
  /** No password is checked before this instant; null when one may be tried now. */
  throttledUntil: instant.nullable(),
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

export const connectionSchema = z.strictObject({
  infrastructure: apiConnectionSchema,
  coordination: apiConnectionSchema,
});

export const levelSchema = z.enum(['ok', 'degraded', 'down', 'unknown']);
export type Level = z.infer<typeof levelSchema>;

export const integrationSchema = z.strictObject({
  /** The field's name on the wire, unique in the list. */
  field: z.string(),
  label: z.string(),
  /** Of the label, where it is a name of the console's own and not the field's. */
  phrase: phraseSchema.nullable().default(null),
  kind: z.enum(['flag', 'text']),
  /** The wire value as text: a flag's "available"/"not available", or the text as it came. */
  value: z.string(),
  level: levelSchema,
  /** Since when this level has been seen, without a break. */
  since: instant,
});

/** One health check; `levels` follows the field names of `integrations`, absent where unseen. */
export const healthCheckSchema = z.strictObject({
  at: instant,
  outcome: z.enum(['answered', 'unreachable', 'failed']),
  overall: levelSchema,
  responseMs: z.number().nullable(),
  requestId: z.string().nullable(),
  levels: z.record(z.string(), levelSchema),
});
export type HealthCheck = z.infer<typeof healthCheckSchema>;

export const healthSchema = z.strictObject({
  overall: z.strictObject({ text: z.string(), level: levelSchema, since: instant }).nullable(),
  integrations: z.array(integrationSchema),
  /** Oldest first, at most 60. */
  history: z.array(healthCheckSchema),
  checking: z.boolean(),
  lastAnswerAt: instant.nullable(),
  failure: failureSchema.nullable(),
  nextCheckAt: instant.nullable(),
  freshness: freshnessSchema,
});
export type Health = z.infer<typeof healthSchema>;

export const unreadableRecordSchema = z.strictObject({
  id: z.string().nullable(),
  reason: z.string(),
  phrase: phraseSchema.nullable().default(null),
});

/** All about the list of incidents but the rows; those travel as an incident frame. */
export const incidentsSchema = z.strictObject({
  query: incidentQuerySchema,
  count: z.int(),
  withoutLocation: z.int(),
  unreadable: z.strictObject({ count: z.int(), examples: z.array(unreadableRecordSchema).max(20) }),
  /** `at-least`: an answer may have been cut; `unknown`: nothing was read yet. */
  completeness: z.enum(['unknown', 'complete', 'at-least']),
  rangeIgnored: z.boolean(),
  severities: z.array(z.string()),
  statuses: z.array(z.string()),
  reading: z.boolean(),
  lastReadAt: instant.nullable(),
  nextReadAt: instant.nullable(),
  lastRequestId: z.string().nullable(),
  failure: failureSchema.nullable(),
  freshness: freshnessSchema,
});
export type IncidentsMeta = z.infer<typeof incidentsSchema>;

export const trainingFaults = [
  'none',
  'refuse',
  'reset',
  'hang',
  'error-500',
  'storm-503',
  'too-many-requests',
  'truncated',
  'garbage',
  'wrong-types',
  'captive-portal',
  /** Every token is answered with 401, also one that was granted a moment before. */
  'tokens-refused',
] as const;

/** What an upload meets in training (interface: POST /storage). */
export const trainingUploadFaults = [
  'none',
  /** The connection is cut once `cutAfterBytes` of the request's body have come. */
  'cut-request',
  /** The file is taken, and the answer never leaves. */
  'answer-lost',
  /** What was answered to a key is forgotten at once, as after 24 hours. */
  'key-expired',
  'too-large',
  'conflict',
] as const;

/** What a mission's approval meets in training. */
export const trainingMissionFaults = ['none', 'cut-request', 'answer-lost', 'conflict'] as const;

/** How training's event stream behaves. */
export const trainingEventStreams = ['steady', 'silent', 'slow', 'garbage', 'ends', 'refused'] as const;

/** The training service's switches. Times are in milliseconds, the token's lifetime in seconds. */
export const trainingSwitchesSchema = z.strictObject({
  tokenLifetimeSeconds: z.int().min(1).max(86_400),
  clockOffsetMs: z.int().min(-172_800_000).max(172_800_000),
  pageLimit: z.int().min(1).max(100_000),
  pageLimitEnforced: z.boolean(),
  order: z.enum(['newest-first', 'oldest-first', 'shuffled']),
  timestampUnit: z.enum(['seconds', 'milliseconds']),
  latencyMs: z.int().min(0).max(60_000),
  fault: z.enum(trainingFaults),
  accountRevoked: z.boolean(),
  incidentScope: z.boolean(),
  wrapWithCursor: z.boolean(),
  arrivals: z.boolean(),
  integrationScript: z.boolean(),
  evidenceScope: z.boolean(),
  /** A wrapping object with `next_cursor`; else a bare array of everything. */
  evidenceWithCursor: z.boolean(),
  uploadFault: z.enum(trainingUploadFaults),
  cutAfterBytes: z.int().min(0).max(10_000_000_000),
  missionScope: z.boolean(),
  missionFault: z.enum(trainingMissionFaults),
  missionListLagMs: z.int().min(0).max(3_600_000),
  eventStream: z.enum(trainingEventStreams),
});
export type TrainingSwitches = z.infer<typeof trainingSwitchesSchema>;

export const trainingSchema = z.strictObject({
  /** Made at random at each start; the one password that is ever shown, on training's sign-in page. */
  credentials: z.strictObject({ username: z.string(), password: z.string() }),
  switches: trainingSwitchesSchema,
});

/** The whole state that is mirrored to a page, slice by slice. */
export const stateSchema = z.strictObject({
  app: appSchema,
  deployments: deploymentsSchema,
  session: sessionSchema,
  lock: lockSchema,
  time: timeSchema,
  connection: connectionSchema,
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
  outbox: outboxSchema,
  missions: missionsSchema,
  events: eventsSchema,
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
