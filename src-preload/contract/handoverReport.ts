import { z } from 'zod';
import { alarmSchema } from './alarms.ts';
import { longestSuccessor, longestSummary } from './handovers.ts';
import { incidentsSchema } from './incidents.ts';
import { decidedSchema, missionsSchema } from './missions.ts';
import { noteSchema, shiftEntrySchema, shiftSchema } from './notes.ts';
import { messageSchema } from './message.ts';
import { townSchema } from './places.ts';
import { sessionStates } from './session.ts';
import { apiConnectionSchema } from './state.ts';
import { uploadSchema } from './uploads.ts';

const instant = z.number();
const count = z.int().min(0);

const incidentSchema = z.strictObject({
  id: z.string(),
  severity: z.string(),
  incidentType: z.string(),
  status: z.string(),
  /** Null where it could not be read. */
  createdAt: instant.nullable(),
  location: z.strictObject({ latitude: z.number(), longitude: z.number() }).nullable(),
  /** Where it is, as seen from the nearest town; null without a location. */
  place: messageSchema.nullable(),
});
export type ReportedIncident = z.infer<typeof incidentSchema>;

const reachedSchema = apiConnectionSchema.pick({ state: true, since: true });

export const mostCriticalTowns = 4;
/** Active critical incidents by the nearest town, as the list groups them: most first. The rest are elsewhere. */
export const criticalPlacesSchema = z.strictObject({
  towns: z
    .array(z.strictObject({ town: townSchema, count }))
    .max(mostCriticalTowns)
    .readonly(),
  noLocation: count,
});
export type CriticalPlaces = z.infer<typeof criticalPlacesSchema>;

/**
 * All that a handover report says: what is fetched as JSON from `GET /export/{exportId}` after the verb `handOver`, and
 * written by the page. Times are server time, Unix milliseconds.
 */
export const handoverReportSchema = z.strictObject({
  madeAt: instant,
  version: z.string(),
  training: z.boolean(),
  deployment: z.strictObject({ name: z.string(), host: z.string() }),
  operators: z.array(z.string()),
  /** What the operator wrote for the next one, and who that is; empty where nothing was typed. */
  summary: z.string().max(longestSummary),
  successor: z.string().max(longestSuccessor),
  shift: shiftSchema,
  incidents: incidentsSchema.pick({ completeness: true, count: true, lastReadAt: true }),
  sync: z.strictObject({ completeAsOf: instant.nullable(), uncertain: count }),
  connection: z.strictObject({ infrastructure: reachedSchema, coordination: reachedSchema }),
  session: z.enum(sessionStates),
  /** Critical, unranked and high ones that are not over: the worst first, of those the latest. */
  open: z.strictObject({
    critical: count,
    criticalPlaces: criticalPlacesSchema,
    unranked: count,
    high: count,
    shown: z.array(incidentSchema),
  }),
  pinned: z.array(
    z.strictObject({
      incidentId: z.string(),
      /** Null where it is not known on this computer. */
      incident: incidentSchema.nullable(),
      notes: z.array(noteSchema),
    }),
  ),
  /** Notes on incidents that are not pinned, the latest first. */
  otherNotes: z.strictObject({ total: count, shown: z.array(noteSchema) }),
  /** Oldest first. */
  entries: z.array(shiftEntrySchema),
  /** By its count a reader sees later that an older copy of the data folder was put back. */
  audit: missionsSchema.shape.audit,
  /** The HMAC of its latest entry; null where there is none. */
  auditHash: z.string().nullable(),
  /** Decisions whose outcome is unknown. */
  unknownDecisions: z.array(decidedSchema.pick({ missionId: true, decision: true, at: true })),
  alarms: z.array(alarmSchema.pick({ at: true, sentence: true })),
  uploads: z.strictObject({
    total: count,
    unsent: z.array(uploadSchema.pick({ state: true, fileName: true, why: true })),
  }),
  /** Notes, pins and lines of the log that could not be read. */
  damaged: count,
});
export type HandoverReport = z.infer<typeof handoverReportSchema>;
