import { z } from 'zod';
import { failureSchema } from './failure.ts';

const instant = z.number();

/** One event of the stream, as it came; kinds and payloads are not specified (interface: Events). */
export const liveEventSchema = z.strictObject({
  /** Counts up from 1 within a session. */
  number: z.int(),
  at: instant,
  kind: z.string().max(128),
  text: z.string().max(512),
  /** The known incident, and the mission, that it names. */
  incidentId: z.string().nullable(),
  missionId: z.string().nullable(),
});
export type LiveEvent = z.infer<typeof liveEventSchema>;

export const eventsSchema = z.strictObject({
  /** `off`: the deployment names no stream, or no operator is signed in. */
  state: z.enum(['off', 'connecting', 'open', 'waiting']),
  since: instant.nullable(),
  /** When the next connection is tried, while waiting. */
  until: instant.nullable(),
  failure: failureSchema.nullable(),
  received: z.int().min(0),
  /** Too large, or not text. */
  dropped: z.int().min(0),
  /** The latest, newest first. */
  recent: z.array(liveEventSchema).max(100),
});
export type EventsState = z.infer<typeof eventsSchema>;
