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
export type NearbyPlace = z.infer<typeof nearbySchema>;
