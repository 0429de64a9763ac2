import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpackedNames } from '../../build/drivable.ts';
import { electronApplication, type Application, type Running } from '../../build/first-light/application.ts';
import { archiveOf, remains } from '../../build/first-light/archive.ts';
import { connect, inspectorIn } from '../../build/first-light/inspector.ts';
import { limits } from '../../build/first-light/limits.ts';
import { readWish, sandboxAdvice, systemOf } from '../../build/first-light/main.ts';
import { inOrder, kinds, tryPackage } from '../../build/first-light/packages.ts';
import { pageOf } from '../../build/first-light/page.ts';
import { isFirstLight, reportSchema, sentenceOf, type Report } from '../../build/first-light/report.ts';
import { createStepList, NotRun, type StepList } from '../../build/first-light/stepList.ts';
import { killMain, selfTest } from '../../build/first-light/steps.ts';
import { createClock } from '../../src-main/adapters/clock.ts';
import { StillClock, until } from '../support/clock.ts';

const step = { id: 'page', name: 'The page', outcome: 'passed', detail: 'Seen.', milliseconds: 3 } as const;
const report = (change: Partial<Report> = {}): Report => ({
  version: 1,
  host: 'desktop',
  system: 'windows',
  started: 'win-unpacked',
  at: '2026-11-23T10:00:00.000Z',
  versions: {
    ...{ console: '0.1.0', system: 'win32 10', architecture: 'x64' },
    ...{ electron: '45.4.1', chrome: '150.0.0.0', node: '24.1.0' },
  },
  steps: [step],
  ...change,
});

describe('what is said of the systems on which the application has run', () => {
  test('follows from the reports in docs/first-light', async () => {
    const folder = resolve('docs/first-light');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    const reports = await Promise.all(
      names.map(async (name) => reportSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))),
    );
    expect(reports.map(({ system }) => `${system}.json`)).toEqual(names);
    for (const page of ['README.md', 'docs/install.md', 'CHANGELOG.md']) {
      const text = (await readFile(resolve(page), 'utf8')).replaceAll(/\s+/g, ' ');
      expect(text, page).toContain(sentenceOf(reports));
    }
  });

  test('changes with a report of Electron, and with no other', () => {
    const never = sentenceOf([]);
    expect(never).toBe(
      'First light of the desktop application: Ubuntu on X11: never run yet; Ubuntu on Wayland: never run yet; ' +
        'Windows: never run yet; macOS: never run yet.',
    );
    expect(sentenceOf([report()])).toContain(
      'Windows: ran on 2026-11-23 with Electron 45.4.1, 1 of 1 steps; macOS: never run yet',
    );
    expect(sentenceOf([report({ host: 'desktop host on stand-in' })])).toBe(never);
    expect(isFirstLight(report({ versions: { ...report().versions, electron: null } }))).toBe(false);
    const later = report({ at: '2026-12-01T10:00:00.000Z' });
    expect(sentenceOf([report(), later])).toContain('ran on 2026-12-01');
  });

  test('names what failed, and what the system has no step for', () => {
    const steps = [
      step,
      { ...step, id: 'lock', outcome: 'failed' as const },
      { ...step, id: 'full-screen', outcome: 'not-run' as const },
      { ...step, id: 'key-store', outcome: 'not-run' as const },
    ];
    expect(sentenceOf([report({ steps })])).toContain(
      'Windows: ran on 2026-11-23 with Electron 45.4.1, 1 of 4 steps (failed: lock; not run: full-screen, key-store);',
    );
  });

  test('takes no report of another form', () => {
    expect(reportSchema.safeParse({ ...report(), host: 'somebody' }).success).toBe(false);
    expect(reportSchema.safeParse({ ...report(), user: 'ann' }).success).toBe(false);
  });
});

test('the page of a report says what failed, and that a stand-in is no first light', () => {
  const page = pageOf(report({ steps: [{ ...step, outcome: 'failed', detail: '<script>' }] }));
  expect(page).toContain('0 passed, 1 failed, 0 not run');
  expect(page).toContain('&#60;script&#62;');
  expect(page).not.toContain('no first light');
  expect(pageOf(report({ host: 'desktop host on stand-in' }))).toContain('this is no first light');
});

test('the page of a report begins with what failed, and ends with what passed, each in the order it was tried', () => {
  const tried = ['passed', 'failed', 'not-run', 'passed', 'failed'] as const;
  const page = pageOf(
    report({ steps: tried.map((outcome, at) => ({ ...step, outcome, id: `step-${String(at)}` })) }),
  );
  expect(page.match(/step-\d/g)).toEqual(['step-1', 'step-4', 'step-2', 'step-0', 'step-3']);
});

test('nothing that a report holds becomes part of the page itself', () => {
  const odd = `"><img src=x onerror='alert(1)'>&amp;`;
  const page = pageOf(
    report({
      steps: [{ ...step, id: odd, name: odd, detail: odd }],
      versions: { ...report().versions, system: odd, console: odd },
    }),
  );
  expect(page).not.toContain('<img');
  expect(page).not.toContain('&amp;');
  expect(page.match(/&#34;&#62;&#60;img/g)).toHaveLength(5);
});

test('the page of a report fits the screen that it is read on', () => {
  expect(pageOf(report())).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
});

test('the kind of system is that of the session', () => {
  expect(systemOf('linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })).toBe('linux-wayland');
  expect(systemOf('linux', { DISPLAY: ':0' })).toBe('linux-x11');
  expect(systemOf('win32', {})).toBe('windows');
  expect(systemOf('darwin', {})).toBe('macos');
});

describe('the arguments', () => {
  test('are 2 GB and no package when nothing is said', () => {
    expect(readWish([])).toEqual({
      ...{ install: [], megabytes: 2_048, standIn: false },
      out: resolve('test-results/first-light'),
    });
  });

  test.each([
    [['--megabytes', '10'], '--megabytes needs a number from 64 to 4096.'],
    [['--install', 'package.json'], '--install needs a package that exists: package.json'],
    [['--install', 'gone.deb'], '--install needs a package that exists: gone.deb'],
  ])('%j are refused', (argv, sentence) => {
    expect(readWish(argv)).toBe(sentence);
  });
});

describe('what is started', () => {
  test.each([
    ['linux', 'x64', ['linux-unpacked']],
    ['linux', 'arm64', ['linux-arm64-unpacked']],
    ['win32', 'x64', ['win-unpacked']],
    ['win32', 'arm64', ['win-arm64-unpacked']],
    ['darwin', 'x64', ['mac', 'mac-universal']],
    ['darwin', 'arm64', ['mac-arm64', 'mac-universal']],
  ] as const)('on %s %s is what was packed for it', (platform, arch, names) => {
    expect(unpackedNames(platform, arch)).toEqual(names);
  });

  test('is nothing where Chromium has no sandbox, with the command that mends it', () => {
    expect(sandboxAdvice(null)).toBeNull();
    const helper = '/opt/chrome-sandbox';
    const reason = 'kernel.apparmor_restrict_unprivileged_userns is 1';
    expect(sandboxAdvice({ reason, helper })).toContain(
      'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    );
    expect(sandboxAdvice({ reason: 'making one was refused', helper })).toContain('making one was refused');
  });
});

test('says at once that there is no build, and leaves no report', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-first-light-test-'));
  const program = resolve('build/first-light/main.ts');
  const args = [program, '--stand-in', '--out', 'out-of-it'];
  const ended = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error: unknown) => error,
  );
  expect(ended).toMatchObject({
    code: 4,
    stderr: 'No first light: it is not built; run "npm run package -- --dir" before. Nothing was tried.\n',
  });
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

describe('packages', () => {
  test('are tried so that none finds what another one leaves', () => {
    expect(inOrder(['a.exe', 'b.msi'])).toEqual(['b.msi', 'a.exe']);
    const all = Object.values(kinds);
    for (const [at, kind] of all.entries())
      for (const later of all.slice(at + 1))
        for (const path of kind.stays ?? []) expect(later.left).not.toContain(path);
  });

  test('of another system are not touched', async () => {
    const list = listOf();
    await tryPackage(list, process.platform === 'darwin' ? 'a.msi' : 'a.dmg', tmpdir());
    expect(outcomes(list)).toMatch(/^package-(msi|dmg) not-run$/);
  });
});

describe('a list of steps', () => {
  test('tells each step as it ends, and why one was not run', async () => {
    const told: string[] = [];
    const list = createStepList({
      clock: createClock(),
      cannot: { b: 'Not here.' },
      onStep: ({ id, detail }) => told.push(`${id}: ${detail}`),
    });
    await list.step('a', 'A', () => Promise.reject(new NotRun('No window manager.')));
    expect(told).toEqual(['a: No window manager.']);
    await list.step('b', 'B', () => Promise.reject(new Error('Denied.')));
    await list.step('c', 'C', () => Promise.reject(new Error('Broken.')));
    expect(outcomes(list)).toBe('a not-run, b not-run, c failed');
    expect(told).toEqual(['a: No window manager.', 'b: Not here.', 'c: Broken.']);
  });

  test('ends a step in which nothing comes, and begins none when the time is over', async () => {
    const clock = new StillClock();
    const list = createStepList({ clock });
    const hanging = list.step('a', 'A', () => new Promise(() => undefined));
    clock.advance(limits.step);
    expect(await hanging).toBe(false);
    expect(list.steps[0]?.detail).toBe('Nothing came within 10 min.');
    clock.advance(limits.whole);
    let begun = false;
    await list.step('b', 'B', () => {
      begun = true;
      return Promise.resolve('');
    });
    expect(begun).toBe(false);
    expect(list.steps[1]?.outcome).toBe('not-run');
  });
});

const listOf = (): StepList => createStepList({ clock: createClock() });
const outcomes = ({ steps }: Pick<StepList, 'steps'>): string =>
  steps.map(({ id, outcome }) => `${id} ${outcome}`).join(', ');

describe('a first light', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'field-console-first-light-test-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const consoleThat = (behaviour: string): Application =>
    electronApplication(
      'a program',
      [process.execPath, resolve('test/packaging/programs/someConsole.ts'), behaviour],
      () => Promise.resolve(process.execPath),
    );
  const startsOf = (behaviour: string, runs: Running[] = []) => ({
    list: listOf(),
    application: consoleThat(behaviour),
    onStart: (running: Running): void => void runs.push(running),
  });

  test('reports what the console found out, with its versions', async () => {
    const starts = startsOf('works');
    const seen = await selfTest(starts, join(folder, 'works.jsonl'));
    expect(seen).toMatchObject({ version: '0.1.0', versions: { electron: '45.4.1' } });
    expect(outcomes(starts.list)).toBe('self-test passed, page passed');
  });

  test('says what a console wrote that left without a report', async () => {
    const starts = startsOf('mute');
    expect(await selfTest(starts, join(folder, 'mute.jsonl'))).toBeNull();
    expect(starts.list.steps).toMatchObject([
      { outcome: 'failed', detail: 'It left with status 1 and no result: No display' },
    ]);
  });

  test('has the steps of a console that died in the next one', async () => {
    const starts = startsOf('dies');
    await selfTest(starts, join(folder, 'dies.jsonl'));
    expect(outcomes(starts.list)).toBe('self-test failed, page passed, bridge passed, map failed');
  });

  test('fails where the report cannot be read', async () => {
    const starts = startsOf('odd');
    await selfTest(starts, join(folder, 'odd.jsonl'));
    expect(outcomes(starts.list)).toBe('self-test failed, page passed');
  });

  test('drives the main process of a copy, and notices its end', async () => {
    const dataDir = join(folder, 'driven');
    const running = await consoleThat('works').startInspected(['--data-dir', dataDir]);
    await until(() => inspectorIn(running.output().stderr) !== null, 'the inspector');
    await until(() => existsSync(join(dataDir, 'logs', 'console.log')), 'the program');
    const main = await connect(inspectorIn(running.output().stderr) ?? '');
    const greet = async ({ app }: { app: { name: string } }, by: string): Promise<string> =>
      Promise.resolve(`${app.name}, ${by}`);
    expect(await main.evaluate(greet as never, 'hello')).toBe('some console, hello');
    // What is nothing is an answer too.
    expect(await main.evaluate(() => undefined, null)).toBeUndefined();
    await expect(
      main.evaluate(() => {
        throw new TypeError('No such thing');
      }, null),
    ).rejects.toThrow(/^No such thing$/);
    const unanswered = main.evaluate(() => new Promise<null>(() => undefined), null);
    process.kill(running.pid, 'SIGKILL');
    await expect(unanswered).rejects.toThrow('The application has ended.');
    await main.ended;
  });

  test('does not hold a main process that ends on its own', async () => {
    const dataDir = join(folder, 'leaving');
    const running = await consoleThat('works').startInspected(['--data-dir', dataDir]);
    await until(() => inspectorIn(running.output().stderr) !== null, 'the inspector');
    await until(() => existsSync(join(dataDir, 'logs', 'console.log')), 'the program');
    const main = await connect(inspectorIn(running.output().stderr) ?? '');
    await main.evaluate(() => void setTimeout(() => globalThis.process.exit(3)), null);
    // Node keeps a process until its debugger has gone.
    expect(await running.exited).toBe(3);
    await main.ended;
  });

  test.skipIf(process.platform === 'win32')('kills the main process and starts another one', async () => {
    const tried = async (behaviour: string, name: string): Promise<string> => {
      const starts = startsOf(behaviour);
      await killMain(starts, join(folder, name));
      return outcomes(starts.list);
    };
    expect(await tried('works', 'killed')).toBe(
      'main-killed passed, main-again passed, quit-in-order passed',
    );
    expect(await tried('fails', 'failing')).toBe(
      'main-killed passed, main-again passed, quit-in-order failed',
    );
    expect(await tried('mute', 'mute')).toBe('main-killed failed');
  });

  test('gives back one archive, with what was there when the application died', () => {
    const dataDir = join(folder, 'died');
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
    mkdirSync(join(dataDir, 'crashes', 'pending'), { recursive: true });
    writeFileSync(join(dataDir, 'logs', 'console.log'), `${'x'.repeat(30_000)}end`);
    writeFileSync(join(dataDir, 'recovery.json'), '{}');
    writeFileSync(join(dataDir, 'crashes', 'pending', 'a.dmp'), 'secret');
    const said = { stdout: '', stderr: `${'y'.repeat(30_000)}FATAL` };
    const running: Running = {
      pid: 1,
      exited: Promise.resolve(1),
      output: () => said,
      quit: () => undefined,
    };
    const files = unzipSync(archiveOf(report(), remains([running], [dataDir])));
    const text = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
    expect(Object.keys(files).toSorted()).toEqual([
      ...['died-console.log', 'died-crash-dumps.txt', 'died-recovery.json'],
      ...['start-1-stderr.txt', 'windows.html', 'windows.json'],
    ]);
    expect(reportSchema.parse(JSON.parse(text('windows.json')))).toEqual(report());
    for (const [name, end] of [
      ['died-console.log', 'xend'],
      ['start-1-stderr.txt', 'yFATAL'],
    ] as const) {
      expect(text(name)).toHaveLength(20_000);
      expect(text(name).endsWith(end)).toBe(true);
    }
    // Its name only: a dump holds memory.
    expect(text('died-crash-dumps.txt')).toBe(join('pending', 'a.dmp'));
  });
});
