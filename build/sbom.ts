/**
 * The bill of materials of the packed application, in CycloneDX 1.6. `npm sbom` lists everything that
 * was installed, also what only builds and tests; this one lists what is inside: the packages whose
 * modules were bundled, and Electron.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundledPackage } from './bundled.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
}
interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const purl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** An SPDX id or expression, as CycloneDX tells them apart. */
const licences = (spdx: string) =>
  / (OR|AND|WITH) /.test(spdx) ? [{ expression: spdx }] : [{ license: { id: spdx } }];

/** The digests that npm's lock file knows, by name and version. */
function digests(lock: Lock): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [path, { version, integrity }] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').at(-1);
    const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? '') ?? [];
    if (digest !== undefined) known.set(`${name}@${version}`, Buffer.from(digest, 'base64').toString('hex'));
  }
  return known;
}

/** A UUID made from the content, so that the same bill always has the same number. */
function serialNumber(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'[parseInt(hex.charAt(16), 16) % 4];
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The bill as JSON. `root` is the project, built: out/bundled-packages.json is there. */
export async function sbom(root: string): Promise<string> {
  const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));
  const project: Package = await read('package.json');
  const electron: Package = await read('node_modules/electron/package.json');
  const bundled: readonly BundledPackage[] = await read('out/bundled-packages.json');
  const lock: Lock = await read('package-lock.json');
  const known = digests(lock);
  const component = ({ name, version, licence, bundles }: BundledPackage) => {
    const hash = known.get(`${name}@${version}`);
    return {
      type: 'library',
      'bom-ref': purl(name, version),
      name,
      version,
      purl: purl(name, version),
      licenses: licences(licence),
      ...(hash ? { hashes: [{ alg: 'SHA-512', content: hash }] } : {}),
      properties: bundles.map((bundle) => ({ name: 'field-console:bundle', value: bundle })),
    };
  };
  const components = [
    ...bundled.map(component),
    {
      type: 'framework',
      'bom-ref': purl('electron', electron.version),
      name: 'electron',
      version: electron.version,
      purl: purl('electron', electron.version),
      licenses: licences(electron.license),
    },
    {
      type: 'data',
      'bom-ref': 'natural-earth',
      name: 'Natural Earth',
      licenses: [{ license: { name: 'public domain' } }],
    },
    {
      type: 'data',
      'bom-ref': 'usgs-earthquakes',
      name: 'USGS earthquakes of one week',
      licenses: [{ license: { name: 'public domain' } }],
    },
  ];
  const main = {
    type: 'application',
    'bom-ref': purl(project.name, project.version),
    name: project.name,
    version: project.version,
    purl: purl(project.name, project.version),
    licenses: licences(project.license),
  };
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: main },
    components,
    dependencies: [{ ref: main['bom-ref'], dependsOn: components.map((entry) => entry['bom-ref']) }],
  };
  const { bomFormat, specVersion, ...rest } = bill;
  const numbered = { bomFormat, specVersion, serialNumber: serialNumber(JSON.stringify(bill)), ...rest };
  return `${JSON.stringify(numbered, null, 2)}\n`;
}
