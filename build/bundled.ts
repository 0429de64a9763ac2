/**
 * Records the npm packages in the three bundles, so that their licences can be shipped with them. A package that the
 * bundler left out needs no notice. One that it included needs one, whichever package imported it.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import { noticesText, type Notice } from './notices.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const bundles = ['main', 'preload', 'renderer'] as const;
type Bundle = (typeof bundles)[number];
/** Of out/bundled-packages.json. */
export interface BundledPackage extends Omit<Notice, 'text'> {
  readonly bundles: readonly Bundle[];
}
type FoundPackage = BundledPackage & Notice;

/** Whose published files already hold the packages they depend on. */
const prebuilt = ['maplibre-gl'];
/** Who wrote the modules that the tools add themselves. */
const helpers: readonly (readonly [prefix: string, name: string])[] = [
  ['\0rolldown/', 'rolldown'],
  ['\0vite/', 'vite'],
  ['\0plugin-vue:', '@vitejs/plugin-vue'],
];
/** The shortest licence that people use, ISC, is longer than so many characters. */
const shortestText = 400;
/** Packages without a licence file whose licence needs a text; the folder says where each came from. */
const textsFolder = join(root, 'build/licences');

/** The folder of the package that a module belongs to, or null for the console's own. */
export function packageFolderOf(id: string): string | null {
  const helper = helpers.find(([prefix]) => id.startsWith(prefix));
  if (helper) return join(modules, helper[1]);
  const path = id
    .replace(/^\0/, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/');
  const at = path.lastIndexOf('/node_modules/');
  if (at < 0) return null;
  const [first = '', second] = path.slice(at + '/node_modules/'.length).split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return `${path.slice(0, at)}/node_modules/${name}`;
}

/** Packages that name no licence and bring its text: which one it is. */
const byTheirText = new Map([['png-js', 'MIT']]);

/** What is read of a package.json. */
interface Metadata {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type: string }[];
  readonly dependencies?: Readonly<Record<string, string>>;
}
const metadataOf = (folder: string): Metadata =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function spdxOf(metadata: Metadata): string | null {
  const { license, licenses } = metadata;
  if (typeof license === 'string') return license;
  if (typeof license?.type === 'string') return license.type;
  if (Array.isArray(licenses)) return licenses.map(({ type }) => type).join(' OR ');
  return byTheirText.get(metadata.name) ?? null;
}

/**
 * What a notice needs of a package. Without a licence or its text the package must not be shipped:
 * that is `lacking`, as a sentence.
 */
function describe(folder: string): Notice & { readonly lacking: string | null } {
  const metadata = metadataOf(folder);
  const { name, version } = metadata;
  const licence = spdxOf(metadata);
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(file) && !/\.(js|ts|json)$/.test(file))
    .sort();
  const own = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  // Some have a file that only says which licences there are.
  const isWhole = own.some((text) => text.length > shortestText);
  const texts = isWhole ? own : [...own, ...givenText(name, licence)];
  const lacking =
    licence === null
      ? `${name} ${version} names no licence`
      : !texts.some((text) => text.length > shortestText)
        ? `${name} ${version} (${licence}) has no licence text`
        : null;
  return {
    name,
    version,
    licence: licence ?? '',
    text: texts.join('\n\n').replaceAll('\r\n', '\n'),
    lacking,
  };
}

/** The text for a package that brings none; Apache's names no author, so the project's own copy serves. */
function givenText(name: string, licence: string | null): readonly string[] {
  const file = `${name.replace('/', '__')}.txt`;
  if (readdirSync(textsFolder).includes(file)) {
    return [readFileSync(join(textsFolder, file), 'utf8').trim()];
  }
  const offered = licence === null ? [] : licence.replace(/[()]/g, '').split(/ OR /);
  return offered.includes('Apache-2.0') ? [readFileSync(join(root, 'LICENSE'), 'utf8').trim()] : [];
}

/** A package and everything it depends on, as far as it is installed. */
function withDependencies(folder: string, seen: Set<string>): void {
  if (seen.has(folder)) return;
  seen.add(folder);
  const { dependencies = {} } = metadataOf(folder);
  for (const name of Object.keys(dependencies)) {
    // The nearest one upwards is the one that npm gave it.
    const places = [join(folder, 'node_modules', name), join(modules, name)];
    const place = places.find((path) => exists(path));
    // Types are not in any bundle.
    if (place && !name.startsWith('@types/')) withDependencies(place, seen);
  }
}

function exists(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'package.json')).length > 0;
  } catch {
    return false;
  }
}

/** The folders of the packages in each bundle. */
type Noted = ReadonlyMap<Bundle, ReadonlySet<string>>;

/**
 * The bundles' packages, by name and version, each with the bundles it is in.
 *
 * @throws Error naming those without a licence or its text.
 */
function listPackages(noted: Noted): readonly FoundPackage[] {
  const found = new Map<string, Notice & { bundles: Bundle[]; readonly lacking: string | null }>();
  for (const [bundle, folders] of noted) {
    const all = new Set<string>();
    for (const folder of folders) {
      if (prebuilt.some((name) => folder.endsWith(`/node_modules/${name}`))) withDependencies(folder, all);
      else all.add(folder);
    }
    for (const folder of all) {
      const described = describe(folder);
      const key = `${described.name}@${described.version}`;
      const entry = found.get(key) ?? { ...described, bundles: [] };
      if (!entry.bundles.includes(bundle)) entry.bundles.push(bundle);
      found.set(key, entry);
    }
  }
  const lacking = [...found.values()].flatMap((entry) => entry.lacking ?? []);
  if (lacking.length > 0) {
    throw new Error(`Not to be shipped; put the texts into build/licences: ${lacking.join('; ')}`);
  }
  return [...found.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { lacking: _lacking, ...entry }]) => entry);
}

/**
 * Vite plugins that share one list: give `of(bundle)` to each of the three builds and to the
 * renderer's workers. The renderer's, which is built last, writes `third-party-notices.txt` into its
 * own output and `bundled-packages.json` beside the outputs (it is not shipped).
 */
export function bundledPackages(): { of(bundle: Bundle): Plugin; inside(bundle: Bundle): Plugin } {
  const noted = new Map<Bundle, Set<string>>();
  const note = (bundle: Bundle, ids: readonly string[]) => {
    const folders = noted.get(bundle) ?? new Set<string>();
    noted.set(bundle, folders);
    for (const id of ids) {
      const folder = packageFolderOf(id);
      if (folder !== null) folders.add(folder);
    }
  };
  /** Also of files that a style sheet alone names, such as fonts: no module loads those. */
  const idsOf = (output: Rolldown.OutputBundle) =>
    Object.values(output).flatMap((file) =>
      file.type === 'chunk'
        ? file.moduleIds
        : file.originalFileNames.map((name) => resolve(root, 'src-renderer', name)),
    );
  return {
    /** For the workers inside the renderer. */
    inside: (bundle) => ({
      name: 'note-bundled-packages-inside',
      generateBundle: (_options, output) => note(bundle, idsOf(output)),
    }),
    of: (bundle) => ({
      name: 'note-bundled-packages',
      apply: 'build',
      generateBundle(_options, output) {
        note(bundle, idsOf(output));
        if (bundle !== 'renderer') return;
        const missing = bundles.filter((name) => !noted.has(name));
        if (missing.length > 0) {
          throw new Error(`The licences are of all bundles at once; not built: ${missing.join(', ')}`);
        }
        const packages = listPackages(noted);
        this.emitFile({
          type: 'asset',
          fileName: 'third-party-notices.txt',
          source: noticesText(packages),
        });
        mkdirSync(join(root, 'out'), { recursive: true });
        const plain = packages.map(({ text: _text, ...rest }) => rest);
        writeFileSync(join(root, 'out/bundled-packages.json'), `${JSON.stringify(plain, null, 2)}\n`);
      },
    }),
  };
}
