import { resolve } from 'node:path';
import process from 'node:process';
import { noScreenReader } from '../spoken/needed.ts';
import { systemBrowser } from '../support/chromium.ts';

/** What `npm test` runs, what `npm run test:slow` runs, and what is run only by its name. */
export type Tier = 'usual' | 'slow' | 'named';

export interface Stage {
  readonly tier: Tier;
  readonly command: readonly string[];
  /** Part of `npm run check`: nothing is run, the files are looked at. */
  readonly check?: true;
  /** A stage that computes on one core runs beside another such one. Any other has the machine for itself. */
  readonly cores: 1 | 2;
  /** Stages whose results this one reads. They come first when they are asked for too. */
  readonly after?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Why it cannot run on this machine; null where it can. */
  readonly notHere?: () => string | null;
  /** The file with the report of its tests (report.ts). A stage without one, such as formatting, counts as one. */
  readonly report?: string;
}

export const results = 'test-results';
const node = process.execPath;
const bin = (path: string) => [node, `node_modules/${path}`];
/** Where the type checks and lint keep what they found, so that the next run looks at changes only. */
const caches = 'node_modules/.cache/check';

/**
 * What Node compiled is kept, also for the processes and threads that tests start: they start in half the time. Not
 * for campaigns, which end threads at any moment: Node 24 aborts the process where that comes while a stream of zlib
 * is being made ("close before init"), and with this it comes there in most runs.
 */
const compiled = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') };

const check = (...command: string[]): Stage => ({ tier: 'usual', command, check: true, cores: 1 });
const types = (program: string, project: string): Stage =>
  check(
    ...bin(program),
    ...['-p', `${project}.json`, '--incremental', '--tsBuildInfoFile', `${caches}/${project}.tsbuildinfo`],
  );
/** The compiler in Go; ESLint and vue-tsc still need the one in JavaScript (docs/adr/0034). */
const tsc = (project: string) => types('typescript7/bin/tsc', project);

/** What keeps Vitest from colours in a log, where they are nothing but signs between the words. */
export const withoutColours = (
  parent: Readonly<Record<string, string | undefined>>,
  terminal: boolean,
): Readonly<Record<string, string>> =>
  terminal || parent['FORCE_COLOR'] !== undefined ? {} : { NO_COLOR: '1' };

const vitest = (tier: Tier, name: string, ...args: string[]): Stage => ({
  tier,
  command: [
    ...bin('vitest/vitest.mjs'),
    'run',
    ...args,
    '--reporter=dot',
    '--reporter=./test/support/vitestReporter.ts',
  ],
  cores: 2,
  // Some tests start what the build made.
  after: ['build', 'package'],
  env: {
    ...withoutColours(process.env, process.stdout.isTTY),
    FIELD_CONSOLE_REPORT: `${results}/${name}.json`,
  },
  report: `${results}/${name}.json`,
});

const playwright = (tier: Tier, name: string, ...args: string[]): Stage => ({
  tier,
  command: [...bin('@playwright/test/cli.js'), 'test', ...args],
  cores: 2,
  after: ['build', 'package'],
  env: { ...compiled, FIELD_CONSOLE_REPORT: `${results}/${name}.json` },
  report: `${results}/${name}.json`,
});
const pages = ['-c', 'test/page/playwright.config.ts'];
const unpacked = ['--project=browser host*', '--project=desktop host'];
const standIn = '--project=desktop host on stand-in*';
const packed = '--project=packed application*';
/** Without it the packed application gets the tests tagged @smoke. */
const wholePacked = { FIELD_CONSOLE_PACKED: 'whole' };

export const stages: Readonly<Record<string, Stage>> = {
  lint: check(
    ...bin('eslint/bin/eslint.js'),
    ...['.', '--max-warnings=0', '--cache', '--cache-strategy=content', `--cache-location=${caches}/eslint`],
  ),
  styles: check(
    ...bin('stylelint/bin/stylelint.mjs'),
    ...['src-renderer/**/*.{vue,css}', '--max-warnings=0'],
  ),
  build: { tier: 'usual', command: [...bin('electron-vite/bin/electron-vite.js'), 'build'], cores: 1 },
  'types:renderer': types('vue-tsc/bin/vue-tsc.js', 'tsconfig.renderer'),
  'types:test': tsc('tsconfig'),
  'lint:types': check(node, 'build/lint/typed.ts', '.', '--ignore-pattern=test/fixtures/'),
  format: check(...bin('oxfmt/bin/oxfmt'), '--check'),
  'types:main': tsc('tsconfig.main'),
  'types:core': tsc('tsconfig.core'),
  'types:preload': tsc('tsconfig.preload'),
  walls: check(
    ...bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    ...['src-main', 'src-preload', 'src-renderer', '--config', '.dependency-cruiser.cjs'],
  ),
  unused: check(...bin('knip/bin/knip.js')),
  'unused:words': check(node, 'build/lint/unusedWords.ts'),
  'plain:words': check(node, 'build/lint/plainWords.ts'),
  package: {
    tier: 'usual',
    command: [node, 'build/package.ts', '--dir', '--no-build'],
    cores: 1,
    after: ['build'],
  },
  security: { tier: 'usual', command: [node, 'build/security/check.ts'], cores: 1, after: ['build'] },

  unit: withEnv(vitest('usual', 'unit', '--project=pure', '--project=real'), compiled),
  // Where Electron cannot be started its host is proven by its fake, so that has to reach all of it.
  desktop: beside(
    vitest(
      'usual',
      'desktop',
      '--project=desktop',
      '--coverage',
      '--coverage.include=src-main/hosts/desktop/**',
      '--coverage.reporter=text-summary',
      '--coverage.thresholds.lines=95',
      '--coverage.thresholds.branches=95',
    ),
  ),
  faults: beside(vitest('usual', 'faults', '--project=faults')),
  // Tells of the attacks of docs/security-evidence.md what those two tried and what held.
  'abuse:part': {
    tier: 'usual',
    command: [node, 'test/runner/abuse.ts', '--of', `${results}/unit.json`, `${results}/faults.json`],
    cores: 1,
    after: ['unit', 'faults'],
  },
  page: playwright('usual', 'page', ...pages, '--grep-invert=@slow'),
  journeys: beside(playwright('usual', 'journeys', '--grep=@journey', ...unpacked)),
  'journeys:desktop': beside(playwright('usual', 'journeys-desktop', '--grep=@stand-in', standIn)),
  packed: beside(playwright('usual', 'packed', packed)),

  'unit:slow': withEnv(vitest('slow', 'unit-slow', '--project=slow'), { ...compiled, CAMPAIGN: 'whole' }),
  'faults:slow': withEnv(vitest('slow', 'faults-slow', '--project=faults'), { CAMPAIGN: 'slow' }),
  'e2e:slow': playwright('slow', 'e2e-slow', '--grep-invert=@journey', ...unpacked),
  'e2e:desktop': playwright('slow', 'e2e-desktop', '--grep-invert=@stand-in', standIn),
  // @packed: what another build could break besides.
  'packed:slow': withEnv(
    playwright('slow', 'packed-slow', '--grep=@journey|@packed', '--grep-invert=@smoke', packed),
    wholePacked,
  ),
  // In the full browser that many computers have, rather than in the headless shell of the other runs.
  'page:system': {
    ...withEnv(playwright('slow', 'page-system', ...pages, '--grep-invert=@slow'), {
      FIELD_CONSOLE_CHROMIUM: 'system',
    }),
    notHere: () => (systemBrowser() === undefined ? 'no browser of the system' : null),
  },
  // What a person hears who does not see the page.
  spoken: {
    ...playwright('slow', 'spoken'),
    command: [node, 'test/spoken/run.ts'],
    notHere: noScreenReader,
  },
  // The same looks in other languages, sizes and themes.
  'page:looks': playwright('slow', 'page-looks', ...pages, '--grep=@slow'),
  // Every state of the gallery in all themes, of which the usual run takes one each; the main ones in all languages.
  'page:slow': playwright(
    'slow',
    'page-matrix',
    '-c',
    'test/page/matrix.config.ts',
    '--grep=axe finds|in its own words',
  ),

  'faults:whole': withEnv(vitest('named', 'faults-whole', '--project=faults'), { CAMPAIGN: 'whole' }),
  abuse: { ...vitest('named', 'abuse'), command: [node, 'test/runner/abuse.ts'] },
  e2e: playwright('named', 'e2e'),
  // With all languages and sizes: too long to be part of every run.
  matrix: playwright('named', 'page-matrix', '-c', 'test/page/matrix.config.ts'),
  'e2e:packed': withEnv(playwright('named', 'e2e-packed', packed), wholePacked),
};

/** It waits for keys, backoffs, kills and services for half of its time: alone it would leave a core unused. */
function beside(stage: Stage): Stage {
  return { ...stage, cores: 1 };
}

function withEnv(stage: Stage, env: Readonly<Record<string, string>>): Stage {
  return { ...stage, env: { ...stage.env, ...env } };
}

const namesWhere = (holds: (stage: Stage) => boolean) =>
  Object.entries(stages)
    .filter(([, stage]) => holds(stage))
    .map(([name]) => name);

/** Names that stand for several stages. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  check: namesWhere((stage) => stage.check === true),
  usual: namesWhere((stage) => stage.tier === 'usual'),
  // What its tests start has to be there also when nothing was run before.
  slow: ['build', 'package', ...namesWhere((stage) => stage.tier === 'slow')],
};
