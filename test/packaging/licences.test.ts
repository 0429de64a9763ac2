import { readdir, readFile, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { extractFile } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pack, type Packed } from './support/packed.ts';

const bundledSchema = z.array(
  z.strictObject({
    name: z.string(),
    version: z.string(),
    licence: z.string().min(1),
    bundles: z.array(z.enum(['main', 'preload', 'renderer'])).min(1),
  }),
);

const licenceSchema = z.union([
  z.strictObject({
    license: z.union([z.strictObject({ id: z.string() }), z.strictObject({ name: z.string() })]),
  }),
  z.strictObject({ expression: z.string() }),
]);
/** The essentials of CycloneDX 1.6. */
const billSchema = z.strictObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  serialNumber: z
    .string()
    .regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  version: z.int().min(1),
  metadata: z.strictObject({
    component: z.looseObject({ type: z.literal('application'), name: z.string(), version: z.string() }),
  }),
  components: z.array(
    z.strictObject({
      type: z.enum(['library', 'framework', 'data']),
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string().optional(),
      purl: z
        .string()
        .regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/)
        .optional(),
      licenses: z.array(licenceSchema).min(1),
      hashes: z
        .array(z.strictObject({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) }))
        .optional(),
      properties: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
    }),
  ),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

describe.skipIf(process.platform !== 'linux')('works of others in the package', () => {
  let packed: Packed;
  let bundled: z.infer<typeof bundledSchema>;
  let bill: z.infer<typeof billSchema>;
  let notices: string;
  beforeAll(async () => {
    packed = await pack();
    const read = async (path: string): Promise<unknown> =>
      JSON.parse(await readFile(join(packed.root, path), 'utf8'));
    bundled = bundledSchema.parse(await read('out/bundled-packages.json'));
    const { version } = z.object({ version: z.string() }).parse(await read('package.json'));
    bill = billSchema.parse(await read(`dist/field-console-${version}.cdx.json`));
    notices = extractFile(packed.archive, 'out/renderer/third-party-notices.txt').toString('utf8');
  }, 300_000);
  afterAll(() => rm(packed.root, { recursive: true, force: true }));

  /** The text under a package's headline, which other packages with the same text may share. */
  const textOf = (name: string, version: string, licence: string): string => {
    const at = notices.indexOf(`\n${name} ${version} (${licence})\n`);
    expect(at, `${name} ${version} has no notice`).toBeGreaterThanOrEqual(0);
    return notices.slice(at).split(/^-{80}$/m)[1] ?? '';
  };

  test('every bundled package is named with its licence and the text of it', () => {
    expect(bundled.length).toBeGreaterThan(50);
    for (const { name, version, licence } of bundled) {
      expect(textOf(name, version, licence).trim().length, name).toBeGreaterThan(400);
    }
  });

  test('the packages that the code of the main process imports are all among them', async () => {
    const named = new Set<string>();
    for (const folder of ['src-main', 'src-preload']) {
      for (const file of await readdir(folder, { recursive: true })) {
        if (!file.endsWith('.ts') || file.endsWith('.d.ts')) continue;
        const code = await readFile(join(folder, file), 'utf8');
        for (const [, from = ''] of code.matchAll(/(?:from |import\()'([^.'][^']*)'/g)) {
          const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(from) ?? [];
          if (!isBuiltin(from) && name !== 'electron') named.add(name);
        }
      }
    }
    expect(named.size).toBeGreaterThan(15);
    const listed = new Set(bundled.map(({ name }) => name));
    expect([...named].filter((name) => !listed.has(name))).toEqual([]);
  });

  test('what is known to be in the page is among them: its framework, its map, its fonts', () => {
    const inPage = bundled.filter(({ bundles }) => bundles.includes('renderer')).map(({ name }) => name);
    expect(inPage).toEqual(
      expect.arrayContaining([
        ...['@vue/runtime-dom', 'pinia', 'reka-ui', 'maplibre-gl', 'earcut', 'zod'],
        ...['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'],
      ]),
    );
    const fonts = bundled.filter(({ name }) => name.startsWith('@fontsource'));
    const licences = fonts.map(({ name, licence }) => [name.replace(/.*\//, ''), licence]);
    expect(licences).toEqual(
      ['inter', 'jetbrains-mono', 'noto-sans-arabic', 'noto-sans-devanagari', 'noto-sans-sc'].map((name) => [
        name,
        'OFL-1.1',
      ]),
    );
  });

  test('what only builds and tests is not', () => {
    const names = bundled.map(({ name }) => name);
    for (const tool of ['electron-builder', 'vitest', '@playwright/test', 'typescript', 'eslint']) {
      expect(names).not.toContain(tool);
    }
  });

  test('the notices lead to Electron’s and Chromium’s, and name the data', () => {
    expect(notices).toContain('LICENSES.chromium.html');
    expect(notices).toContain('Natural Earth');
    expect(notices).toContain('U.S. Geological Survey');
  });

  test('the bill of materials names every bundled package, and Electron, with licences', () => {
    const listed = new Map(bill.components.map((component) => [component['bom-ref'], component]));
    for (const { name, version, bundles } of bundled) {
      const component = listed.get(`pkg:npm/${name.replace('@', '%40')}@${version}`);
      expect(component, `${name} ${version}`).toBeDefined();
      expect(component?.properties?.map(({ value }) => value)).toEqual(bundles);
      expect(component?.hashes, `${name} ${version}`).toBeDefined();
    }
    expect(bill.components.filter(({ type }) => type === 'framework').map(({ name }) => name)).toEqual([
      'electron',
    ]);
    expect(bill.components).toHaveLength(bundled.length + 3);
  });

  test('its references are unique and lead somewhere', () => {
    const references = bill.components.map((component) => component['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
    expect(bill.dependencies[0]?.dependsOn).toEqual(references);
  });
});
