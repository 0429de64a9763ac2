import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, release, tmpdir, version as systemVersion } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { executableIn } from '../drivable.ts';
import { downloadElectron, electronBinary } from '../electron-binary.mjs';
import { electronApplication, type Application } from './application.ts';
import { isPackage, tryPackage } from './packages.ts';
import { pageOf } from './page.ts';
import { countOf, reportSchema, type Report, type SystemName } from './report.ts';
import { standInApplication } from './standIn.ts';
import { killMain, runInConsole } from './steps.ts';

export const usage = `Usage: npm run first-light -- [options]

  --app FILE      the executable to try; without it, the packed application in dist, else the built one
  --install FILE  also install this package, test it and remove it again; may be given several times
  --megabytes N   the largest upload, 64 to 4096 (2048)
  --out DIR       where the report goes (test-results/first-light)
  --stand-in      on the stand-in of Electron, to try the steps; never a first light
`;

/** Of `npm run first-light`. */
export const exitStatus = { passed: 0, failed: 1, refused: 2, noElectron: 4 } as const;

export interface Wish {
  readonly app: string | null;
  readonly install: readonly string[];
  readonly megabytes: number;
  readonly out: string;
  readonly standIn: boolean;
}

/** What the arguments ask for, or a sentence that says what is wrong with them. */
export function readWish(argv: readonly string[]): Wish | string {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        app: { type: 'string' },
        install: { type: 'string', multiple: true, default: [] },
        megabytes: { type: 'string', default: '2048' },
        out: { type: 'string', default: 'test-results/first-light' },
        'stand-in': { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return (error as Error).message;
  }
  const megabytes = Number(values.megabytes);
  if (!Number.isInteger(megabytes) || megabytes < 64 || megabytes > 4_096) {
    return '--megabytes needs a number from 64 to 4096.';
  }
  const strange = values.install.find((file) => !isPackage(file) || !existsSync(file));
  if (strange !== undefined) return `--install needs a package that exists: ${strange}`;
  if (values['stand-in'] && values.app !== undefined) return '--stand-in and --app exclude each other.';
  const { app = null, install, out } = values;
  return { app: app && resolve(app), install, megabytes, out: resolve(out), standIn: values['stand-in'] };
}

/** The kind of system that this is, of those that each need a first light. */
export function systemOf(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): SystemName {
  if (platform === 'win32') return 'windows';
  if (platform === 'darwin') return 'macos';
  return env['WAYLAND_DISPLAY'] ? 'linux-wayland' : 'linux-x11';
}

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

/** What is started, or half a sentence that says why there is nothing to start. */
async function applicationOf(wish: Wish, folder: string): Promise<Application | string> {
  if (wish.standIn) return standInApplication(folder);
  if (wish.app !== null)
    return existsSync(wish.app) ? electronApplication([wish.app]) : `${wish.app} is not there`;
  if (electronBinary() === null) {
    say('Downloading Electron (only once) ...');
    const failure = await downloadElectron(process.execPath);
    if (failure !== null) return `Electron could not be downloaded (${failure})`;
  }
  const folders = { win32: 'win-unpacked', darwin: 'mac-universal' } as Partial<
    Record<NodeJS.Platform, string>
  >;
  const packed = executableIn(resolve('dist', folders[process.platform] ?? 'linux-unpacked'));
  if (existsSync(packed)) return electronApplication([packed]);
  // The folder, not a file in it: only then Electron reads the application's name.
  return electronApplication([electronBinary() ?? '', resolve('.')]);
}

async function firstLight(argv: readonly string[]): Promise<number> {
  const wish = readWish(argv);
  if (typeof wish === 'string') {
    process.stderr.write(`${wish}\n\n${usage}`);
    return exitStatus.refused;
  }
  const folder = await mkdtemp(join(tmpdir(), 'field-console-first-light-'));
  const application = await applicationOf(wish, folder);
  try {
    if (typeof application === 'string') {
      process.stderr.write(`No first light: ${application}. Nothing was tried.\n`);
      return exitStatus.noElectron;
    }
    const report = await reportOf(application, wish, folder);
    await mkdir(wish.out, { recursive: true });
    const path = join(wish.out, report.system);
    await writeFile(`${path}.json`, `${JSON.stringify(report, null, 2)}\n`);
    await writeFile(`${path}.html`, pageOf(report));
    for (const { outcome, id, detail } of report.steps)
      say(`${outcome.padEnd(8)} ${id.padEnd(20)} ${detail}`);
    const failed = countOf(report, 'failed');
    say(
      `${report.host}: ${String(countOf(report, 'passed'))} passed, ${String(failed)} failed, ${String(countOf(report, 'not-run'))} not run. Report: ${path}.html`,
    );
    return failed === 0 ? exitStatus.passed : exitStatus.failed;
  } finally {
    if (typeof application !== 'string') await application.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function reportOf(application: Application, wish: Wish, folder: string): Promise<Report> {
  const at = new Date().toISOString();
  const seen = await runInConsole(application, wish.megabytes, join(folder, 'self-test.json'));
  const steps = [...seen.steps, ...(await killMain(application, join(folder, 'data')))];
  for (const file of wish.install) steps.push(...(await tryPackage(file, folder)));
  return reportSchema.parse({
    version: 1,
    host: application.host,
    system: systemOf(process.platform, process.env),
    at,
    versions: {
      console: seen.version ?? packageJson.version,
      system: `${process.platform} ${release()} (${systemVersion()})`.slice(0, 200),
      architecture: arch(),
      ...seen.versions,
    },
    steps,
  } satisfies Report);
}

if (import.meta.filename === process.argv[1]) process.exitCode = await firstLight(process.argv.slice(2));
