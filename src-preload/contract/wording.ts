import { z } from 'zod';
import { coordinateFormats, languages } from './preferences.ts';

/** Places of which a page says how they are written at most: those of a sheet, or of a report and its pins. */
export const mostPlaces = 2_600;

/**
 * How the operator of a page reads: its language and its form of coordinates. A page lends both to what the
 * console writes on paper, since the console itself knows English and decimal degrees only. What is not lent
 * is written in these.
 */
export const wordingSchema = z.strictObject({
  language: z.enum(languages),
  /** Messages in that language by their id (a path into core/words/en.json), in the syntax of that file. */
  messages: z.record(z.string().max(96), z.string().max(1_000)),
  places: z.strictObject({
    format: z.enum(coordinateFormats),
    /** Latitude and longitude in degrees exactly as the console told them, and how they are written. */
    texts: z
      .array(z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180), z.string().max(64)]))
      .max(mostPlaces),
  }),
});
export type Wording = z.infer<typeof wordingSchema>;
