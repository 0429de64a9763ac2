import { z } from 'zod';
import { callers, done, type VerbDeclarations } from './verb.ts';

/** Changes of so many incidents are kept at most; of more the oldest are forgotten. */
export const mostChanged = 1_000;

/** From what says most of an incident. */
export const changeFields = ['severity', 'status', 'evidence', 'type', 'location'] as const;
const value = z.union([z.string(), z.number()]).nullable();

/** Fields that changed since the operator last looked; of a location only that it changed. */
export const incidentChangeSchema = z.strictObject({
  field: z.enum(changeFields),
  from: value,
  to: value,
  /** Server time of the last change. */
  at: z.number(),
  /**
   * Of a severity or status: what it also was since then, and from when until when (server time). With it `from` and
   * `to` may be the same.
   */
  meanwhile: z.strictObject({ value: z.string(), since: z.number(), until: z.number() }).optional(),
});
export type IncidentChange = z.infer<typeof incidentChangeSchema>;

/** What happened to incidents in the last hour, of all incidents: counts. */
export const lastHourSchema = z.strictObject({
  /** Server time since when all is counted, also where that is over an hour ago; null before a first reading. */
  since: z.number().nullable(),
  /** New and open, or opened again. */
  came: z.int().min(0),
  /** Of a severity that is worse than before. */
  rose: z.int().min(0),
  resolved: z.int().min(0),
  /** Minutes of the hour in which nothing was read; what happened then counts when it was read. */
  unreadMinutes: z.int().min(0).max(60),
});
export type LastHour = z.infer<typeof lastHourSchema>;

/**
 * The incidents that changed, or came, since the operator last opened their details, the oldest first. Of one that
 * changed, what says most of it.
 */
export const changesSchema = z.strictObject({
  changed: z.array(z.strictObject({ id: z.string(), change: incidentChangeSchema })).max(mostChanged),
  fresh: z.array(z.string()).max(mostChanged),
  /** Counts what changed or came: the number of the last of these. */
  last: z.int().min(0),
});
export type Changes = z.infer<typeof changesSchema>;

export const changeVerbs = {
  /** What changed of an incident since its details were opened last; with that it is seen. */
  seeChanges: {
    access: callers.handsOn,
    request: z.strictObject({ incidentId: z.string().min(1).max(1024) }),
    reply: z.strictObject({ isNew: z.boolean(), changes: z.array(incidentChangeSchema) }),
  },
  /** All that changed or came counts as seen, up to `last` of what was shown: what came after it was not. */
  seeAllChanges: {
    access: callers.handsOn,
    request: z.strictObject({ last: z.int().min(0) }),
    reply: done,
  },
} as const satisfies VerbDeclarations;
