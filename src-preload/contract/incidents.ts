import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { freshnessSchema } from './freshness.ts';
import { messageSchema } from './message.ts';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

/** Server time, Unix milliseconds. */
const instant = z.number();

export const rangeSchema = z.enum(['1h', '6h', '24h', '7d', 'all']);
export type Range = z.infer<typeof rangeSchema>;

/**
 * What of the known incidents is shown; the service is always asked for everything (docs/adr/0017). Empty lists mean
 * "every value"; `openOnly` leaves only what is open.
 */
export const incidentQuerySchema = z.strictObject({
  range: rangeSchema,
  severities: z.array(z.string().max(256)).max(64),
  statuses: z.array(z.string().max(256)).max(64),
  types: z.array(z.string().max(256)).max(64),
  openOnly: z.boolean(),
});
export type IncidentQuery = z.infer<typeof incidentQuerySchema>;

export const unreadableRecordSchema = z.strictObject({
  /** As it came: shortened JSON text; empty where it was too large to be read. */
  json: z.string(),
  reason: messageSchema,
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

/** One incident in full, for the detail panel; field names as on the wire (interface: IncidentResponse). */
export const incidentDetailSchema = z.strictObject({
  key: z.int(),
  id: z.string(),
  incidentType: z.string(),
  severity: z.string(),
  status: z.string(),
  /** As it came on the wire, and read as Unix milliseconds; empty and null where it could not be read. */
  createdAtText: z.string(),
  createdAt: z.number().nullable(),
  /** Null where it could not be read. */
  evidenceCount: z.int().nullable(),
  blockchainRecords: z.array(z.string()),
  location: z
    .strictObject({ latitude: z.number(), longitude: z.number(), altitude: z.number().nullable() })
    .nullable(),
  /** Fields the specification does not name, as JSON text, in the order they came. */
  otherFields: z.array(z.strictObject({ name: z.string(), json: z.string() })),
  /** Specified fields that could not be read, as shortened JSON text; null where the field was absent. */
  unreadable: z.array(z.strictObject({ name: z.string(), json: z.string().nullable() })),
  firstSeenAt: z.number(),
  lastSeenAt: z.number(),
  /** Server time since which the service no longer returns it; null while they do. */
  notReturnedSince: z.number().nullable(),
});
export type IncidentDetail = z.infer<typeof incidentDetailSchema>;

export const incidentVerbs = {
  setIncidentQuery: { access: callers.handsOn, request: incidentQuerySchema, reply: done },
  refreshIncidents: { access: callers.operators, request: nothing, reply: done },
  readIncident: {
    access: callers.operators,
    request: z.strictObject({ key: z.int().min(0).max(4_294_967_295) }),
    reply: incidentDetailSchema,
  },
} as const satisfies VerbDeclarations;

export const anchorVerbs = {
  /** The keys of incidents with a blockchain record that holds this text, whatever its case. */
  findAnchors: {
    access: callers.operators,
    request: z.strictObject({ text: z.string().min(1).max(256) }),
    reply: z.strictObject({ keys: z.array(z.int()).max(10_000), more: z.boolean() }),
  },
} as const satisfies VerbDeclarations;
