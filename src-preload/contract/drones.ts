import { z } from 'zod';
import { shownFieldSchema } from './evidence.ts';
import { callers, type VerbDeclarations } from './verb.ts';

const count = z.int().min(0);

/** Of more drones than these, the ones that were silent for longest are forgotten. */
export const mostDrones = 5_000;
/** How long no position of a drone has come before it counts as silent, and before it is forgotten; milliseconds. */
export const droneSilentMs = 60_000;
export const droneGoneMs = 600_000;
/** A trail is no longer than this, in points and in milliseconds; the page drops what is older or over. */
export const trailPoints = 120;
export const trailMs = 600_000;

/** Where the drones are, as far as the event stream says so (interface: Events): counts, and why there are none. */
export const dronesSchema = z.strictObject({
  /** What is taken for a position: nothing, what certainly is one, or the fields that the deployment names. */
  source: z.enum(['off', 'auto', 'fields']),
  /** Counts up with every change of what `readDrones` answers; written a few times a second at most. */
  version: count,
  /** Positions since the vault was opened. */
  received: count,
  known: count,
  /** Of the known ones, those without a position for `droneSilentMs`. */
  silent: count,
  /** Dropped because there were more than `mostDrones`. */
  forgotten: count,
  /**
   * Why no drone is known; null while one is. `off`: the deployment wants none. `no-stream`: no event stream is
   * named, or it has ended for good. `stream-away`: it is not open. `none-yet`: it is open, and no event of it was a
   * position. `none-left`: none came for `droneGoneMs`.
   */
  empty: z.enum(['off', 'no-stream', 'stream-away', 'none-yet', 'none-left']).nullable(),
});
export type DronesState = z.infer<typeof dronesSchema>;

const droneId = z.string().min(1).max(128);
const numbers = z.array(z.number());
const shown = z.array(z.number().nullable());
const names = z.array(z.string().nullable());

/**
 * Drones in columns: all arrays have the length of `ids`, and a drone is the same index in each. Degrees, WGS 84.
 * Altitudes and speeds are as they came: their units are not specified.
 */
export const dronesReadSchema = z.strictObject({
  /** What to ask for next. */
  version: count,
  /** These are not changes: whatever was read before is to be dropped. */
  complete: z.boolean(),
  /** There are more: read again, from `version`. */
  more: z.boolean(),
  ids: z.array(droneId),
  latitudes: numbers,
  longitudes: numbers,
  altitudes: shown,
  /** Degrees clockwise from north, 0 to 360 without 360. */
  headings: shown,
  speeds: shown,
  /** Of the last position, server time in Unix milliseconds: when it came, or when it was taken where it says so. */
  at: numbers,
  /** What its last events named. */
  missionIds: names,
  incidentIds: names,
  /** Points of their trails that are new since, each drone's oldest first; the present position need not be one. */
  trail: z.strictObject({
    /** Indices into `ids`. */
    drones: z.array(count),
    latitudes: numbers,
    longitudes: numbers,
    at: numbers,
  }),
  /** Drones that are known no more. */
  gone: z.array(droneId),
});
export type DronesRead = z.infer<typeof dronesReadSchema>;

/** What is known of one drone beside its position. */
export const droneDetailSchema = z.strictObject({
  /** Of the last event that gave its position. */
  kind: z.string().max(128),
  fields: z.array(shownFieldSchema).max(64),
  /** Missions that name it, and that its events named. */
  missionIds: z.array(z.string()).max(64),
  incidentIds: z.array(z.string()).max(64),
  /** CIDs of the evidence that names it, newest first, and how many items name it. */
  cids: z.array(z.string()).max(64),
  evidence: count,
});
export type DroneDetail = z.infer<typeof droneDetailSchema>;

export const droneVerbs = {
  /** The drones that changed since a version; null for all of them with their whole trails. */
  readDrones: {
    access: callers.operators,
    request: z.strictObject({ since: count.max(Number.MAX_SAFE_INTEGER).nullable() }),
    reply: dronesReadSchema,
  },
  readDrone: {
    access: callers.operators,
    request: z.strictObject({ id: droneId }),
    reply: droneDetailSchema,
  },
} as const satisfies VerbDeclarations;
