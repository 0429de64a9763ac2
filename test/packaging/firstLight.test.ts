import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { electronApplication, type Application } from '../../build/first-light/application.ts';
import { readWish, systemOf } from '../../build/first-light/main.ts';
import { tryPackage } from '../../build/first-light/packages.ts';
import { pageOf } from '../../build/first-light/page.ts';
import { isFirstLight, reportSchema, sentenceOf, type Report } from '../../build/first-light/report.ts';
import { killMain, runInConsole } from '../../build/first-light/steps.ts';

const step = { id: 'page', name: 'The page', outcome: 'passed', detail: 'Seen.', milliseconds: 3 } as const;
const report = (change: Partial<Report> = {}): Report => ({
  version: 1,
  host: 'desktop',
  system: 'windows',
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

  test('changes with a report of Electron in which nothing failed, and with no other', () => {
    const never = sentenceOf([]);
    expect(never).toBe(
      'First light of the desktop application: Ubuntu on X11: never run yet; Ubuntu on Wayland: never run yet; ' +
        'Windows: never run yet; macOS: never run yet.',
    );
    expect(sentenceOf([report()])).toContain(
      'Windows: run on 2026-11-23 with Electron 45.4.1; macOS: never run yet',
    );
    expect(sentenceOf([report({ host: 'desktop host on stand-in' })])).toBe(never);
    expect(sentenceOf([report({ steps: [step, { ...step, outcome: 'failed' }] })])).toBe(never);
    expect(isFirstLight(report({ versions: { ...report().versions, electron: null } }))).toBe(false);
    const later = report({ at: '2026-12-01T10:00:00.000Z' });
    expect(sentenceOf([report(), later])).toContain('run on 2026-12-01');
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
      ...{ app: null, install: [], megabytes: 2_048, standIn: false },
      out: resolve('test-results/first-light'),
    });
  });

  test.each([
    [['--megabytes', '10'], '--megabytes needs a number from 64 to 4096.'],
    [['--install', 'package.json'], '--install needs a package that exists: package.json'],
    [['--install', 'gone.deb'], '--install needs a package that exists: gone.deb'],
    [['--stand-in', '--app', 'x'], '--stand-in and --app exclude each other.'],
  ])('%j are refused', (argv, sentence) => {
    expect(readWish(argv)).toBe(sentence);
  });
});

describe('a first light', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'field-console-first-light-test-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const consoleThat = (behaviour: string): Application =>
    electronApplication([process.execPath, resolve('test/packaging/programs/someConsole.ts'), behaviour]);
  const outcomes = (steps: Report['steps']): string =>
    steps.map(({ id, outcome }) => `${id} ${outcome}`).join(', ');

  test('reports what the console found out, with its versions', async () => {
    const seen = await runInConsole(consoleThat('works'), 64, join(folder, 'works.json'));
    expect(seen).toMatchObject({ version: '0.1.0', versions: { electron: '45.4.1' } });
    expect(outcomes(seen.steps)).toMatch(/^self-test passed, page passed, quit (passed|not-run)$/);
  });

  test('says what a console wrote that left without a report', async () => {
    const { steps } = await runInConsole(consoleThat('mute'), 64, join(folder, 'mute.json'));
    expect(steps).toMatchObject([
      { outcome: 'failed', detail: 'It left with status 1 and no report: No display' },
    ]);
  });

  test('fails where the report cannot be read', async () => {
    const { steps } = await runInConsole(consoleThat('odd'), 64, join(folder, 'odd.json'));
    expect(outcomes(steps)).toBe('self-test passed, self-test failed');
  });

  test('leaves out what cannot succeed on a stand-in, with the reason', async () => {
    const application = { ...consoleThat('fails'), cannot: { page: 'There is no page.' } };
    const { steps } = await runInConsole(application, 64, join(folder, 'fails.json'));
    expect(steps[1]).toMatchObject({ id: 'page', outcome: 'not-run', detail: 'There is no page.' });
  });

  test.skipIf(process.platform === 'win32')('kills the main process and starts another one', async () => {
    expect(outcomes(await killMain(consoleThat('works'), join(folder, 'killed')))).toBe(
      'main-killed passed, main-again passed, quit-in-order passed',
    );
    expect(outcomes(await killMain(consoleThat('fails'), join(folder, 'failing')))).toBe(
      'main-killed passed, main-again passed, quit-in-order failed',
    );
    expect(outcomes(await killMain(consoleThat('mute'), join(folder, 'mute')))).toBe('main-killed failed');
  });

  test('does not touch a package of another system', async () => {
    const foreign = process.platform === 'darwin' ? 'a.msi' : 'a.dmg';
    expect(outcomes(await tryPackage(foreign, folder))).toMatch(/^package-(msi|dmg) not-run$/);
  });
});
