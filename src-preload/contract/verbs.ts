import { z } from 'zod';
import { mapIdSchema as mapId } from './maps.ts';
import {
  deploymentProposalSchema,
  incidentQuerySchema,
  preferencesSchema,
  trainingSwitchesSchema,
} from './state.ts';

const nothing = z.strictObject({});
const done = z.null();

/** One incident in full, for the detail panel; field names as on the wire (interface: IncidentResponse). */
export const incidentDetailSchema = z.strictObject({
  key: z.int(),
  id: z.string(),
  incidentType: z.string(),
  severity: z.string(),
  status: z.string(),
  /** As it came on the wire, and read as Unix milliseconds. */
  createdAtText: z.string(),
  createdAt: z.number(),
  evidenceCount: z.int(),
  blockchainRecords: z.array(z.string()),
  location: z
    .strictObject({ latitude: z.number(), longitude: z.number(), altitude: z.number().nullable() })
    .nullable(),
  /** Fields the specification does not name, as JSON text, in the order they came. */
  otherFields: z.array(z.strictObject({ name: z.string(), json: z.string() })),
  firstSeenAt: z.number(),
  lastSeenAt: z.number(),
  /** Station time since which complete reads no longer return it; null while they do. */
  notReturnedSince: z.number().nullable(),
});
export type IncidentDetail = z.infer<typeof incidentDetailSchema>;

/**
 * The verbs: everything a page may ask of the console. Each has a request schema, which every host
 * enforces before the console sees the call, and a reply schema. A verb answers a Result.
 */
export const verbs = {
  signIn: {
    request: z.strictObject({
      username: z.string().min(1).max(256),
      password: z.string().min(1).max(1024),
    }),
    reply: done,
  },
  signOut: { request: nothing, reply: done },
  lock: { request: nothing, reply: done },
  unlock: { request: z.strictObject({ password: z.string().min(1).max(1024) }), reply: done },

  /** Opens a vault that another password has sealed, and seals it with the one just signed in with. */
  openWithPrevious: { request: z.strictObject({ password: z.string().min(1).max(1024) }), reply: done },
  /** Puts a sealed vault aside unopened, listed with what it holds, and begins a new one. */
  startNewVault: { request: nothing, reply: done },
  /**
   * Destroys a vault of the chosen deployment and everything in it. `unsent` repeats how much is lost
   * that was never sent: another number than the vault's is refused.
   */
  eraseVault: {
    request: z.strictObject({ id: z.string().regex(/^[0-9a-f]{32}$/), unsent: z.int().min(0) }),
    reply: done,
  },
  dismissStorageNotice: { request: nothing, reply: done },

  chooseDeployment: { request: z.strictObject({ id: z.string().min(1).max(64) }), reply: done },
  /** `text` is the deployment file's own text: configuration, checked by schema, never stored unread. */
  proposeDeployment: {
    request: z.strictObject({ text: z.string().max(65_536) }),
    reply: deploymentProposalSchema,
  },
  confirmDeployment: { request: z.strictObject({ proposalId: z.string().max(64) }), reply: done },
  dismissDeployment: { request: z.strictObject({ proposalId: z.string().max(64) }), reply: done },
  removeDeployment: { request: z.strictObject({ id: z.string().min(1).max(64) }), reply: done },

  setIncidentQuery: { request: incidentQuerySchema, reply: done },
  refreshIncidents: { request: nothing, reply: done },
  readIncident: {
    request: z.strictObject({ key: z.int().min(0).max(4_294_967_295) }),
    reply: incidentDetailSchema,
  },
  checkHealth: { request: nothing, reply: done },

  setPreferences: { request: preferencesSchema.partial(), reply: done },

  /** Announces a map package; its bytes follow as `PUT /spool/{importId}`. */
  beginMapImport: {
    request: z.strictObject({
      fileName: z.string().min(1).max(255),
      bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    }),
    reply: z.strictObject({ importId: mapId }),
  },
  cancelMapImport: { request: z.strictObject({ importId: mapId }), reply: done },
  /** Takes a refused import off the list. */
  dismissMapImport: { request: z.strictObject({ importId: mapId }), reply: done },
  setMapPackage: { request: z.strictObject({ id: mapId, visible: z.boolean() }), reply: done },
  /** `to` is the place in the list of packages, 0 for the lowest. */
  moveMapPackage: { request: z.strictObject({ id: mapId, to: z.int().min(0).max(255) }), reply: done },
  /** Removes a package and its file, or forgets one whose file is missing. */
  removeMapPackage: { request: z.strictObject({ id: mapId }), reply: done },

  setTraining: { request: trainingSwitchesSchema.partial(), reply: done },
} as const satisfies Record<string, { request: z.ZodType; reply: z.ZodType }>;

export type VerbName = keyof typeof verbs;
export type VerbRequest<V extends VerbName> = z.input<(typeof verbs)[V]['request']>;
export type VerbReply<V extends VerbName> = z.output<(typeof verbs)[V]['reply']>;

export const verbNames = Object.keys(verbs) as VerbName[];
