import { z } from 'zod';

/** Changes of so many incidents are kept at most; of more the oldest are forgotten. */
export const mostChanged = 1_000;

export const changeFields = ['severity', 'status', 'evidence', 'type', 'location'] as const;
const value = z.union([z.string(), z.number()]).nullable();

/** What is another now than when somebody looked last; of a location only that it is. */
export const incidentChangeSchema = z.strictObject({
  field: z.enum(changeFields),
  from: value,
  to: value,
  /** Station time of the last change. */
  at: z.number(),
});
export type IncidentChange = z.infer<typeof incidentChangeSchema>;

const ids = z.array(z.string()).max(mostChanged);

/** The ids of incidents that changed, or came, since the operator last opened their details; the oldest first. */
export const changesSchema = z.strictObject({ changed: ids, fresh: ids });
export type Changes = z.infer<typeof changesSchema>;
