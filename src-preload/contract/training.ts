import { z } from 'zod';
import { callers, done, type VerbDeclarations } from './verb.ts';

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

/** What the fetching of evidence meets at training's gateway. */
export const trainingGatewayFaults = [
  'none',
  'slow',
  'cut',
  /** The forms that prove themselves are not spoken. */
  'bytes-only',
  'other-bytes',
  'endless',
  'hang',
  'error-500',
  'too-many-requests',
  'captive-portal',
  'leads-away',
] as const;

/** How training's event stream behaves. */
export const trainingEventStreams = ['steady', 'silent', 'slow', 'garbage', 'ends', 'refused'] as const;

/** How many drones say where they are: eight every 2 s, or a thousand five times a second. */
export const trainingDrones = ['none', 'some', 'many'] as const;

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
  drones: z.enum(trainingDrones),
  gatewayFault: z.enum(trainingGatewayFaults),
});
export type TrainingSwitches = z.infer<typeof trainingSwitchesSchema>;

export const trainingSchema = z.strictObject({
  /** Made at random at each start; the one password that is ever shown, on training's sign-in page. */
  credentials: z.strictObject({ username: z.string(), password: z.string() }),
  switches: trainingSwitchesSchema,
});

export const trainingVerbs = {
  setTraining: { access: callers.handsOnUnlocked, request: trainingSwitchesSchema.partial(), reply: done },
} as const satisfies VerbDeclarations;
