import { z } from 'zod';
import { languages } from './preferences.ts';
import { callers, nothing, type VerbDeclarations } from './verb.ts';

export const compassPoints = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
export type CompassPoint = (typeof compassPoints)[number];

/** Where an incident is, as seen from the nearest town. */
export const nearbySchema = z.strictObject({
  /** The incident's. */
  key: z.int(),
  /** In the language that was asked for, where the town has a name in it; else in English. */
  town: z.string(),
  /** ISO 3166 alpha-2; empty where a territory has none. */
  country: z.string(),
  metres: z.number(),
  /** In which direction from the town; null beside its middle. */
  from: z.enum(compassPoints).nullable(),
});
/** A town of the gazetteer, by its number there: two towns may share a name. */
export const townSchema = z.strictObject({
  id: z.int().min(0).max(65_534),
  /** In the language that was asked for, as in `nearbySchema`. */
  name: z.string(),
  english: z.string(),
  country: z.string(),
});
export type TownName = z.infer<typeof townSchema>;

export type NearbyPlace = z.infer<typeof nearbySchema>;

export const placeVerbs = {
  /** The list of towns as build/towns.ts describes it, a line for each: the page finds them by name. */
  readTownList: {
    access: callers.operators,
    request: nothing,
    reply: z.strictObject({ towns: z.array(z.string()).readonly() }),
  },
  /** The towns nearest to incidents; one that is not known, or has no location, is left out of the answer. */
  readNearby: {
    access: callers.operators,
    request: z.strictObject({
      keys: z.array(z.int().min(0).max(4_294_967_295)).min(1).max(200),
      language: z.enum(languages),
    }),
    reply: z.strictObject({ places: z.array(nearbySchema) }),
  },
  /**
   * Which town is nearest to each of many incidents, for grouping and searching all of them: `of` has the number of a
   * town for each key in order, -1 for one that is not known or has no location; `towns` names those that are in it.
   */
  readTowns: {
    access: callers.operators,
    request: z.strictObject({
      keys: z.array(z.int().min(0).max(4_294_967_295)).min(1).max(2_000),
      language: z.enum(languages),
    }),
    reply: z.strictObject({
      towns: z.array(townSchema).max(2_000),
      of: z.array(z.int().min(-1).max(65_534)).max(2_000),
    }),
  },
} as const satisfies VerbDeclarations;
