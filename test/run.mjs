/**
 * Runs the whole of the tests, or the stages named as arguments, and ends with one line of counts:
 * `N passed, N failed, N skipped`. A stage that is one command (formatting, say) counts as one.
 *
 * A stage that fails does not stop the next ones, so that one run tells everything.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

const results = 'test-results';
const node = process.execPath;
const bin = (path) => [node, `node_modules/${path}`];
const tsc = (project) => [...bin('typescript/bin/tsc'), '-p', `tsconfig.${project}.json`];

const one = (command) => ({ command });
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
  runtime: one([node, 'build/check-runtime.mjs']),
  format: one([...bin('prettier/bin/prettier.cjs'), '--check', '.']),
  lint: one([...bin('eslint/bin/eslint.js'), '.', '--max-warnings=0']),
  'types:core': one(tsc('core')),
  'types:main': one(tsc('main')),
  'types:preload': one(tsc('preload')),
  'types:renderer': one([...bin('vue-tsc/bin/vue-tsc.js'), '-p', 'tsconfig.renderer.json']),
  'types:test': one(tsc('test')),
  walls: one([
    ...bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    ...['src-main', 'src-preload', 'src-renderer', '--config', '.dependency-cruiser.cjs'],
  ]),
  unused: one([...bin('knip/bin/knip.js')]),
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
  check: Object.keys(stages).filter(
    (name) =>
      ![
        'build',
        'package',
        'security',
        'unit',
        'desktop',
        'faults',
        'faults:whole',
        'e2e',
        'e2e:packed',
      ].includes(name),
  ),
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

function run([program, ...args], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function runStage(name) {
  const { command, count, env } = stages[name];
  const report = reportOf(name);
  if (existsSync(report)) rmSync(report);
  const status = await run(command, env);
  if (!count)
    return status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = count();
  // A runner that failed without a failed test (a crash, no test found) is still a failure.
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const asked = process.argv.slice(2);
const names = asked.length === 0 ? groups.usual : asked.flatMap((name) => groups[name] ?? [name]);
const unknown = names.filter((name) => !(name in stages));
if (unknown.length > 0) {
  process.stderr.write(`No such stage: ${unknown.join(', ')}. Stages: ${Object.keys(stages).join(', ')}\n`);
  process.exit(2);
}

mkdirSync(results, { recursive: true });
const total = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
// Said once more at the end, where whoever reads the last lines of a long run finds them.
const failures = [];
const secondTries = [];
for (const name of names) {
  process.stdout.write(`\n── ${name}\n`);
  const counts = await runStage(name);
  for (const key of Object.keys(total)) total[key] += counts[key];
  failures.push(...(counts.names ?? []));
  secondTries.push(...(counts.repeated ?? []));
  lines.push(
    `${counts.failed > 0 ? 'FAILED ' : 'passed '} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  );
}
process.stdout.write(`\n${lines.join('\n')}\n\n`);
if (secondTries.length > 0) process.stdout.write(`Passed only when repeated:\n${secondTries.join('\n')}\n\n`);
if (failures.length > 0) process.stdout.write(`Failed:\n${failures.join('\n')}\n\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed > 0 ? 1 : 0);
