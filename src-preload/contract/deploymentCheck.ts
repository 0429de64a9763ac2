import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { callers, done, fetched, nothing, type VerbDeclarations } from './verb.ts';

/** The most that one check sends, the login and the TLS handshakes among them. */
export const mostCheckRequests = 60;

/** What a check looks at, in the order of its report. */
export const checkFindingIds = [
  'certificate.infrastructure',
  'certificate.coordination',
  'health.infrastructure',
  'health.coordination',
  'login',
  'clock',
  'incidents',
  'incidents.token',
  'incidents.order',
  'incidents.limit',
  'incidents.timeUnit',
  'incidents.severity',
  'incidents.status',
  'incidents.pageSize',
  'incidents.cursor',
  'evidence',
  'pendingMissions',
  'events',
  'positions',
  'requestIds',
  'roundTrip',
  'uploads',
  'approvals',
  'idempotency',
] as const;
export type CheckFindingId = (typeof checkFindingIds)[number];

const word = z.string().max(512);
const findingValue = z.union([z.string().max(512), z.number(), z.boolean(), z.null(), z.array(word).max(32)]);
export type CheckFindingValue = z.infer<typeof findingValue>;

/** One thing that was looked at. `values` holds what was observed, and nothing that follows from it. */
export const checkFindingSchema = z.strictObject({
  id: z.enum(checkFindingIds),
  /** `not-tried`: it would have an effect on the service. */
  outcome: z.enum(['seen', 'not-seen', 'not-tried']),
  /** Why it was not seen: a failure's code, or one of the check's own reasons. */
  reason: z.string().max(64).nullable(),
  values: z.record(z.string().max(40), findingValue),
  /** How many requests it cost. */
  requests: z.int().min(0),
});
export type CheckFinding = z.infer<typeof checkFindingSchema>;

/** A key of the deployment file that follows, and the finding that it follows from. */
export const followingKeySchema = z.strictObject({
  key: z.string().max(80),
  value: word,
  /** Whether the checked file had this value. */
  change: z.enum(['confirmed', 'changed']),
  reason: z.enum(checkFindingIds),
});
export type FollowingKey = z.infer<typeof followingKeySchema>;

export const checkReportSchema = z.strictObject({
  version: z.literal(1),
  deployment: z.strictObject({
    id: z.string(),
    infrastructureUrl: z.string(),
    coordinationUrl: z.string(),
  }),
  /** This computer's clock at the start, Unix milliseconds. */
  checkedAt: z.number(),
  requests: z.int().min(0),
  mostRequests: z.int().min(1),
  logins: z.int().min(0),
  /** Why the check ended early; null when it did not. */
  stopped: z.enum(['budget', 'token-refused', 'cancelled']).nullable(),
  findings: z.array(checkFindingSchema).max(checkFindingIds.length),
  keys: z.array(followingKeySchema).max(16),
});
export type CheckReport = z.infer<typeof checkReportSchema>;

/** One check at a time; what it found stays until it is dismissed, and until the operator signs out. */
export const deploymentCheckSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('running'),
    deploymentId: z.string(),
    requests: z.int().min(0),
    mostRequests: z.int().min(1),
  }),
  z.strictObject({
    kind: z.literal('done'),
    report: checkReportSchema,
    /** The deployment file that follows. A person has to confirm it. */
    fileText: z.string().max(65_536),
  }),
  /** The check itself could not be made. */
  z.strictObject({ kind: z.literal('failed'), failure: failureSchema }),
]);
export type DeploymentCheckState = z.infer<typeof deploymentCheckSchema>;

/** Which deployment is checked: one that is known, or one that waits to be added. */
export const checkedDeploymentSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('known'), id: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal('proposed'), proposalId: z.string().max(64) }),
]);
export type CheckedDeployment = z.infer<typeof checkedDeploymentSchema>;

export const deploymentCheckVerbs = {
  /** Answers once the check has begun; how far it is stands in its slice. The password serves one login. */
  startDeploymentCheck: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({
      of: checkedDeploymentSchema,
      username: z.string().min(1).max(256),
      password: z.string().min(1).max(1024),
    }),
    reply: done,
  },
  /** Ends a running check; its report says what was seen until then. */
  cancelDeploymentCheck: { access: callers.unlocked, request: nothing, reply: done },
  /** Drops the report, and ends a running check. */
  dismissDeploymentCheck: { access: callers.unlocked, request: nothing, reply: done },
  /** Prepares the report, or the deployment file that follows, to be fetched once. */
  prepareDeploymentCheck: {
    access: callers.exportersUnlocked,
    request: z.strictObject({ what: z.enum(['report', 'file']) }),
    reply: fetched,
  },
} as const satisfies VerbDeclarations;
