import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { arch, release, tmpdir, version as systemVersion } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { createClock } from '../../src-main/adapters/clock.ts';
import { executableIn, makeDrivable, packedFolder } from '../drivable.ts';
import { downloadElectron, electronBinary } from '../electron-binary.mjs';
import { sandboxProblem } from '../sandbox.mjs';
import { electronApplication, type Application, type Running } from './application.ts';
import { archiveOf, remains } from './archive.ts';
import { inOrder, isPackage, tryPackage } from './packages.ts';
import { countOf, reportSchema, type Report, type SystemName } from './report.ts';
import { standInApplication } from './standIn.ts';
import { createStepList } from './stepList.ts';
import { driveConsole, killMain, selfTest } from './steps.ts';

export const usage = `Usage: npm run first-light -- [options]

  --install FILE  also install this package, test it and remove it again; may be given several times
  --megabytes N   the largest upload, 64 to 4096 (2048)
  --out DIR       where the report goes (test-results/first-light)
  --stand-in      on the stand-in of Electron, to try the steps; never a first light
`;

/** Of `npm run first-light`. */
export const exitStatus = { passed: 0, failed: 1, refused: 2, notTried: 4 } as const;

export interface Wish {
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
  return {
    install: inOrder(values.install),
    megabytes,
    out: resolve(values.out),
    standIn: values['stand-in'],
  };
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

/** The value of each of the kernel's switches with which programs have namespaces, and so Chromium its sandbox. */
const allowing: Readonly<Record<string, string>> = {
  'kernel.apparmor_restrict_unprivileged_userns': '0',
  'kernel.unprivileged_userns_clone': '1',
  'user.max_user_namespaces': '15000',
};

/** Why the program would abort at its start, and what mends it until the next start of the computer; null: nothing. */
export function sandboxAdvice(problem: ReturnType<typeof sandboxProblem>): string | null {
  if (problem === null) return null;
  const setting = Object.keys(allowing).find((name) => problem.reason.startsWith(name));
  const mend =
    setting === undefined
      ? 'allow them, or run this on a computer that does'
      : `for the time of the test: sudo sysctl -w ${setting}=${allowing[setting] ?? ''}`;
  return `this system keeps from programs the namespaces that Chromium's sandbox needs (${problem.reason}); ${mend}`;
}

/** What is started, or half a sentence that says why nothing can be. */
async function applicationOf(wish: Wish, folder: string): Promise<Application | string> {
  if (!existsSync(resolve('out/main/desktop.js')))
    return 'it is not built; run "npm run package -- --dir" before';
  if (wish.standIn) return standInApplication(folder);
  if (electronBinary() === null) {
    say('Downloading Electron (only once) ...');
    const failure = await downloadElectron(process.execPath);
    if (failure !== null) return `Electron could not be downloaded (${failure})`;
  }
  let packed;
  try {
    packed = packedFolder();
  } catch (error) {
    return (error as Error).message;
  }
  const electron = electronBinary() ?? '';
  const program = packed === null ? electron : executableIn(packed.folder);
  const advice = process.platform === 'linux' ? sandboxAdvice(sandboxProblem(program)) : null;
  if (advice !== null) return advice;
  if (packed === null) {
    // The folder, not a file in it: only then Electron reads the application's name.
    return electronApplication('the build, not packed', [electron, resolve('.')], () =>
      Promise.resolve(electron),
    );
  }
  return electronApplication(packed.name, [program], () => makeDrivable(packed.folder, join(folder, 'copy')));
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
      return exitStatus.notTried;
    }
    mkdirSync(wish.out, { recursive: true });
    const { report, others } = await reportOf(application, wish, folder);
    const archive = join(wish.out, `${report.system}.zip`);
    writeFileSync(archive, archiveOf(report, others));
    const failed = countOf(report, 'failed');
    say(
      `${report.host} (${report.started}): ${String(countOf(report, 'passed'))} passed, ${String(failed)} failed, ${String(countOf(report, 'not-run'))} not run.`,
    );
    say(`To send back: ${archive}. Attach it to an issue of the repository (docs/first-light/README.md).`);
    return failed === 0 ? exitStatus.passed : exitStatus.failed;
  } finally {
    if (typeof application !== 'string') await application.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Takes all steps. Each is printed, and written as a line to the folder of the report, as it comes. */
async function reportOf(
  application: Application,
  wish: Wish,
  folder: string,
): Promise<{ readonly report: Report; readonly others: Readonly<Record<string, string>> }> {
  const at = new Date().toISOString();
  const system = systemOf(process.platform, process.env);
  const lines = join(wish.out, `${system}.jsonl`);
  writeFileSync(lines, '');
  const clock = createClock();
  const list = createStepList({
    clock,
    cannot: application.cannot,
    onStep: (step) => {
      appendFileSync(lines, `${JSON.stringify(step)}\n`);
      say(`${step.outcome.padEnd(8)} ${step.id.padEnd(20)} ${step.detail}`);
    },
  });
  const runs: Running[] = [];
  const starts = { list, application, onStart: (running: Running): void => void runs.push(running) };
  const dataDirs = ['driven', 'killed'].map((name) => join(folder, name));
  const [driven = '', killed = ''] = dataDirs;
  const seen = await selfTest(starts, join(folder, 'self-test.jsonl'));
  const wayland = system === 'linux-wayland';
  await driveConsole(starts, {
    ...{ dataDir: driven, megabytes: wish.megabytes, wayland, clock },
    platform: process.platform,
  });
  await killMain(starts, killed);
  for (const file of wish.install) await tryPackage(list, file, folder);
  const report = reportSchema.parse({
    version: 1,
    ...{ host: application.host, system, started: application.started, at },
    versions: {
      console: seen?.version ?? packageJson.version,
      system: `${process.platform} ${release()} (${systemVersion()})`.slice(0, 200),
      architecture: arch(),
      ...(seen?.versions ?? { electron: null, chrome: null, node: null }),
    },
    steps: [...list.steps],
  } satisfies Report);
  return { report, others: remains(runs, dataDirs) };
}

if (import.meta.filename === process.argv[1]) process.exitCode = await firstLight(process.argv.slice(2));
