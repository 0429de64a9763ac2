import { z } from 'zod';

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
