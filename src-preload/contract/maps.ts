import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { callers, done, type VerbDeclarations } from './verb.ts';

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
  /** Packages that are not drawn: the file is `gone` or changed, or reading it took too long. */
  missing: z.array(z.strictObject({ id: mapIdSchema, name: text, why: z.enum(['gone', 'endless']) })),
});
export type MapsState = z.infer<typeof mapsSchema>;

export const mapVerbs = {
  /** Announces a map package; its bytes follow as `PUT /spool/{importId}`. */
  beginMapImport: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({
      fileName: z.string().min(1).max(255),
      bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    }),
    reply: z.strictObject({ importId: mapIdSchema }),
  },
  cancelMapImport: {
    access: callers.unlocked,
    request: z.strictObject({ importId: mapIdSchema }),
    reply: done,
  },
  /** Takes a refused import off the list. */
  dismissMapImport: {
    access: callers.unlocked,
    request: z.strictObject({ importId: mapIdSchema }),
    reply: done,
  },
  setMapPackage: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({ id: mapIdSchema, visible: z.boolean() }),
    reply: done,
  },
  /** `to` is the place in the list of packages, 0 for the lowest. */
  moveMapPackage: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({ id: mapIdSchema, to: z.int().min(0).max(255) }),
    reply: done,
  },
  /** Removes a package and its file, or forgets one whose file is missing. */
  removeMapPackage: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({ id: mapIdSchema }),
    reply: done,
  },
} as const satisfies VerbDeclarations;
