import { z } from 'zod';
import { failureSchema } from './failure.ts';

const text = z.string().max(4096);

/** Names a package, and the import that it comes from. */
export const mapIdSchema = z.string().regex(/^[0-9a-f]{16}$/);

/** An imported map package. Texts come from its metadata: they are text, never markup. */
export const mapPackageSchema = z.strictObject({
  id: mapIdSchema,
  name: text,
  attribution: text,
  format: z.enum(['pmtiles', 'mbtiles']),
  kind: z.enum(['raster', 'vector']),
  tileType: z.enum(['png', 'jpg', 'webp', 'avif', 'mvt']),
  /** Edge of a raster tile in pixels. */
  tileSize: z.int().min(64).max(4096),
  minZoom: z.int().min(0).max(30),
  maxZoom: z.int().min(0).max(30),
  /** West, south, east, north, in degrees. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  bytes: z.number(),
  /** Of a vector package: its layers, and which default style fits them. */
  layers: z.array(z.strictObject({ id: text, minZoom: z.int(), maxZoom: z.int() })).max(256),
  scheme: z.enum(['openmaptiles', 'protomaps', 'plain', 'raster']),
  visible: z.boolean(),
});
export type MapPackage = z.infer<typeof mapPackageSchema>;

export const mapImportSchema = z.strictObject({
  id: mapIdSchema,
  fileName: text,
  bytes: z.number(),
  received: z.number(),
  state: z.enum(['waiting', 'receiving', 'checking', 'refused']),
  failure: failureSchema.nullable(),
});
export type MapImport = z.infer<typeof mapImportSchema>;

/** Imported map packages, the lowest layer first, and what is being imported. */
export const mapsSchema = z.strictObject({
  packages: z.array(mapPackageSchema),
  imports: z.array(mapImportSchema),
  /** Packages whose files can no longer be read. */
  missing: z.array(z.strictObject({ id: mapIdSchema, name: text })),
});
export type MapsState = z.infer<typeof mapsSchema>;
