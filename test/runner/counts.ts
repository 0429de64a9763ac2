import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import type { Stage } from './stages.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The tests that failed. */
  readonly names?: readonly string[];
  /** The tests that passed only when repeated. */
  readonly repeated?: readonly string[];
}

export interface Result extends Counts {
  readonly stage: string;
  readonly seconds: number;
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** What a file failed with outside its tests. */
    readonly message: string;
    readonly assertionResults: readonly {
      /** `pending` is a test that did not end, since its process died. */
      readonly status: 'passed' | 'failed' | 'skipped' | 'todo' | 'pending';
      readonly fullName: string;
    }[];
  }[];
}

interface PlaywrightSuite {
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly {
      readonly status: string;
      readonly projectName: string;
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number } & {
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly { readonly message?: string }[];
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

const firstLine = (text: string): string => stripVTControlCharacters(text).split('\n', 1)[0] ?? '';

/** Counts from what is said of each test: Vitest's own sums leave out the tests of a process that died. */
function countVitest({ testResults }: VitestReport, outside: readonly string[]): Counts {
  const nameOf = (file: { readonly name: string }) => relative(process.cwd(), file.name);
  const testsOf = (...wanted: readonly string[]) =>
    testResults.flatMap((file) =>
      file.assertionResults
        .filter(({ status }) => wanted.includes(status))
        .map(({ fullName }) => `${nameOf(file)} › ${fullName}`),
    );
  const failed = testsOf('failed');
  // A file that fails to load, or to set up or clear away what its tests need, has no failed test.
  const broken = testResults
    .filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
    )
    .map((file) => `${nameOf(file)}: ${firstLine(file.message)}`);
  const unended = [
    ...testResults
      .filter(({ status, assertionResults }) => status !== 'failed' && assertionResults.length === 0)
      .map(nameOf),
    ...testsOf('pending'),
  ].map((what) => `${what}: did not end`);
  return {
    passed: testsOf('passed').length,
    failed: failed.length + broken.length + unended.length,
    skipped: testsOf('skipped', 'todo').length,
    names: [...failed, ...broken, ...unended, ...outside.map((message) => `outside all tests: ${message}`)],
  };
}

function countPlaywright({ stats, suites, errors }: PlaywrightReport): Counts {
  const names = errors.map((error) => error.message ?? 'an error outside the tests');
  const repeated: string[] = [];
  const collect = ({ specs = [], suites: inner = [] }: PlaywrightSuite) => {
    for (const { title, file, line, tests } of specs)
      for (const { status, projectName, results } of tests) {
        if (status !== 'unexpected' && status !== 'flaky') continue;
        const said = results.flatMap(({ errors: own }) => own.map(({ message = '' }) => firstLine(message)));
        (status === 'flaky' ? repeated : names).push(
          [`[${projectName}] ${file}:${String(line)} › ${title}`, ...said.slice(0, 1)].join(': '),
        );
      }
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

/** What a stage that ended with this status counts for. */
export function countsOf(name: string, { report }: Stage, status: number): Counts {
  if (report === undefined)
    return status === 0
      ? { passed: 1, failed: 0, skipped: 0 }
      : { passed: 0, failed: 1, skipped: 0, names: [name] };
  const without = `${name}: ended with status ${String(status)} and `;
  if (!existsSync(report.file))
    return { passed: 0, failed: 1, skipped: 0, names: [`${without}without a report`] };
  const counts =
    report.of === 'vitest'
      ? countVitest(
          read<VitestReport>(report.file),
          existsSync(report.errors) ? read<string[]>(report.errors) : [],
        )
      : countPlaywright(read<PlaywrightReport>(report.file));
  // A runner that failed without a failed test (a crash, a threshold, no test found) is still a failure.
  return status !== 0 && counts.failed === 0
    ? { ...counts, failed: 1, names: [...(counts.names ?? []), `${without}no failed test`] }
    : counts;
}

/** The results of earlier runs in this file, and these. */
export function addTo(file: string, done: readonly Result[]): readonly Result[] {
  const all = [...(existsSync(file) ? read<Result[]>(file) : []), ...done];
  writeFileSync(file, JSON.stringify(all));
  return all;
}

/** The last lines of a run: each stage, then what failed, where a reader of a long run finds it, then one sum. */
export function summaryOf(done: readonly Result[]): string {
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    String(done.reduce((total, counts) => total + counts[key], 0));
  const lines = done.map(
    ({ stage, seconds, passed, failed, skipped }) =>
      `${failed > 0 ? 'FAILED ' : 'passed '} ${stage}: ${String(passed)} passed, ${String(failed)} failed, ` +
      `${String(skipped)} skipped, ${String(seconds)} s`,
  );
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? '' : `${title}:\n${names.join('\n')}\n\n`;
  return (
    `\n${lines.join('\n')}\n\n` +
    list(
      'Passed only when repeated',
      done.flatMap(({ repeated = [] }) => repeated),
    ) +
    list(
      'Failed',
      done.flatMap(({ names = [] }) => names),
    ) +
    `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`
  );
}
