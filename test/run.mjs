/**
 * Runs the whole of the tests, or the stages named as arguments, and ends with one line of counts:
 * `N passed, N failed, N skipped`. A stage that is one command (formatting, say) counts as one.
 *
 * A stage that fails does not stop the next ones, so that one run tells everything. Stages of the group "check"
 * run two at a time: each is one process that mostly computes on one core.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

const results = 'test-results';
const node = process.execPath;
const bin = (path) => [node, `node_modules/${path}`];
/** Where the type checks, lint and formatter keep what they found, so that the next run looks at changes only. */
const caches = 'node_modules/.cache/check';
const types = (program, project) => [
  ...bin(program),
  ...[
    '-p',
    `tsconfig.${project}.json`,
    '--incremental',
    '--tsBuildInfoFile',
    `${caches}/${project}.tsbuildinfo`,
  ],
];
const tsc = (project) => types('typescript/bin/tsc', project);

const one = (command) => ({ command });
/** A stage of "check": it may run beside another one. */
const check = (command) => ({ command, beside: true });
const vitest = (name, ...filters) => ({
  command: [
    ...bin('vitest/vitest.mjs'),
    'run',
    ...filters,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}/${name}.json`,
  ],
  count: () => countVitest(`${results}/${name}.json`),
});

const stages = {
  runtime: check([node, 'build/check-runtime.mjs']),
  lint: check([
    ...bin('eslint/bin/eslint.js'),
    ...['.', '--max-warnings=0', '--cache', '--cache-strategy=content', `--cache-location=${caches}/eslint`],
  ]),
  'types:renderer': check(types('vue-tsc/bin/vue-tsc.js', 'renderer')),
  'types:test': check(tsc('test')),
  format: check([
    ...bin('prettier/bin/prettier.cjs'),
    ...['--check', '.', '--cache', '--cache-strategy=content', `--cache-location=${caches}/prettier`],
  ]),
  'types:main': check(tsc('main')),
  'types:core': check(tsc('core')),
  'types:preload': check(tsc('preload')),
  walls: check([
    ...bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    ...['src-main', 'src-preload', 'src-renderer', '--config', '.dependency-cruiser.cjs'],
  ]),
  unused: check([...bin('knip/bin/knip.js')]),
  build: one([...bin('electron-vite/bin/electron-vite.js'), 'build']),
  package: one([node, 'build/package.mjs', '--dir', '--no-build']),
  security: one([node, 'build/security/check.mjs']),
  unit: vitest('unit', '--exclude', 'test/faults/**', '--exclude', 'test/hosts/desktop/**'),
  // Where Electron cannot be started its host is proven by its fake, so that has to reach all of it.
  desktop: vitest(
    'desktop',
    'test/hosts/desktop',
    '--coverage',
    '--coverage.include=src-main/hosts/desktop/**',
    '--coverage.reporter=text',
    '--coverage.thresholds.lines=95',
    '--coverage.thresholds.branches=95',
  ),
  faults: vitest('faults', 'test/faults'),
  // Minutes rather than seconds, so only on request: each campaign with all of its cases.
  'faults:whole': {
    ...vitest('faults-whole', 'test/faults'),
    env: { CAMPAIGN: 'whole' },
    onRequest: true,
  },
  page: {
    command: [...bin('@playwright/test/cli.js'), 'test', '-c', 'test/page/playwright.config.ts'],
    count: () => countPlaywright(`${results}/page.json`),
  },
  e2e: {
    command: [...bin('@playwright/test/cli.js'), 'test'],
    count: () => countPlaywright(`${results}/e2e.json`),
  },
  // The usual run takes the tests tagged @smoke to the package; this one takes all of them.
  'e2e:packed': {
    command: [...bin('@playwright/test/cli.js'), 'test', '--project=packed application'],
    env: { FIELD_CONSOLE_PACKED: 'whole', FIELD_CONSOLE_E2E_REPORT: `${results}/e2e-packed.json` },
    count: () => countPlaywright(`${results}/e2e-packed.json`),
    onRequest: true,
  },
};

const groups = {
  check: Object.keys(stages).filter((name) => stages[name].beside),
  usual: Object.keys(stages).filter((name) => !stages[name].onRequest),
};

// A colon is no part of a file's name on Windows.
const reportOf = (name) => `${results}/${name.replace(':', '-')}.json`;

function countVitest(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  // A file that fails to load has no failed test, only a failed suite.
  const brokenFiles = report.testResults.filter(
    (f) => f.status === 'failed' && f.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    names: [
      ...brokenFiles.map((f) => relative(process.cwd(), f.name)),
      ...report.testResults.flatMap((f) =>
        f.assertionResults
          .filter((test) => test.status === 'failed')
          .map((test) => `${relative(process.cwd(), f.name)} › ${test.fullName}`),
      ),
    ],
  };
}

function countPlaywright(file) {
  const { stats, suites, errors } = JSON.parse(readFileSync(file, 'utf8'));
  const names = errors.map((error) => error.message ?? 'an error outside the tests');
  const repeated = [];
  const collect = ({ specs = [], suites: inner = [] }) => {
    for (const { title, file: spec, line, tests } of specs)
      for (const { status, projectName } of tests)
        if (status === 'unexpected' || status === 'flaky')
          (status === 'flaky' ? repeated : names).push(`[${projectName}] ${spec}:${line} › ${title}`);
    inner.forEach(collect);
  };
  suites.forEach(collect);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    names,
    repeated,
  };
}

/** Runs a command to its end. `hold` keeps its output for the end: two stages side by side would mix their lines. */
function run([program, ...args], { env = {}, hold = false }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', hold ? 'pipe' : 'inherit', hold ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
    });
    const held = [];
    child.stdout?.on('data', (chunk) => held.push(chunk));
    child.stderr?.on('data', (chunk) => held.push(chunk));
    child.on('error', (error) => resolve({ status: 1, output: `${Buffer.concat(held)}${error.message}\n` }));
    child.on('close', (code) => resolve({ status: code ?? 1, output: `${Buffer.concat(held)}` }));
  });
}

async function runStage(name) {
  const { command, count, env, beside: hold } = stages[name];
  const report = reportOf(name);
  if (existsSync(report)) rmSync(report);
  const begun = performance.now();
  if (!hold) process.stdout.write(`\n── ${name}\n`);
  const { status, output } = await run(command, { env, hold });
  if (hold) process.stdout.write(`\n── ${name}\n${output}`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { name, seconds, ...countsOf(status, count, report) };
}

function countsOf(status, count, report) {
  if (!count)
    return status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = count();
  // A runner that failed without a failed test (a crash, no test found) is still a failure.
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Stages that may run beside another one first, two at a time; then the others, one after the other. */
async function runStages(names) {
  const waiting = names.filter((name) => stages[name].beside);
  const done = [];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      done.push(await runStage(name));
  };
  await Promise.all([lane(), lane()]);
  for (const name of names.filter((name) => !stages[name].beside)) done.push(await runStage(name));
  return done;
}

const asked = process.argv.slice(2);
const names = asked.length === 0 ? groups.usual : asked.flatMap((name) => groups[name] ?? [name]);
const unknown = names.filter((name) => !(name in stages));
if (unknown.length > 0) {
  process.stderr.write(`No such stage: ${unknown.join(', ')}. Stages: ${Object.keys(stages).join(', ')}\n`);
  process.exit(2);
}

mkdirSync(results, { recursive: true });
const done = await runStages(names);
const sum = (key) => done.reduce((total, counts) => total + counts[key], 0);
const namesIn = (key) => done.flatMap((counts) => counts[key] ?? []);
const lines = done.map(
  ({ name, seconds, passed, failed, skipped }) =>
    `${failed > 0 ? 'FAILED ' : 'passed '} ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s`,
);
process.stdout.write(`\n${lines.join('\n')}\n\n`);
// Said once more at the end, where a reader of the last lines of a long run finds them.
const secondTries = namesIn('repeated');
const failures = namesIn('names');
if (secondTries.length > 0) process.stdout.write(`Passed only when repeated:\n${secondTries.join('\n')}\n\n`);
if (failures.length > 0) process.stdout.write(`Failed:\n${failures.join('\n')}\n\n`);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
process.exit(sum('failed') > 0 ? 1 : 0);
