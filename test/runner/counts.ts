import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import type { Stage } from './stages.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The tests that failed. */
  readonly names?: readonly string[];
  /** The tests that passed only when repeated. */
  readonly repeated?: readonly string[];
  /** The tests that began and did not end, and the files of which no test began. */
  readonly unended?: readonly string[];
}

export interface Result extends Counts {
  readonly stage: string;
  readonly seconds: number;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** What a file failed with outside its tests. */
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

interface PlaywrightSuite {
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly { readonly status: string; readonly projectName: string }[];
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

function countVitest(report: VitestReport): Counts {
  const nameOf = (file: { readonly name: string }) => relative(process.cwd(), file.name);
  const testsOf = (wanted: string) =>
    report.testResults.flatMap((file) =>
      file.assertionResults
        .filter(({ status }) => status === wanted)
        .map(({ fullName }) => `${nameOf(file)} › ${fullName}`),
    );
  // A file that fails to load, or to set up or clear away what its tests need, has no failed test.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    names: [
      ...broken.map((file) => [nameOf(file), ...file.message.split('\n', 1)].join(': ')),
      ...testsOf('failed'),
    ],
    unended: [
      ...report.testResults
        .filter(({ status, assertionResults }) => status !== 'failed' && assertionResults.length === 0)
        .map(nameOf),
      ...testsOf('pending'),
    ],
  };
}

function countPlaywright({ stats, suites, errors }: PlaywrightReport): Counts {
  const names = errors.map((error) => error.message ?? 'an error outside the tests');
  const repeated: string[] = [];
  const collect = ({ specs = [], suites: inner = [] }: PlaywrightSuite) => {
    for (const { title, file, line, tests } of specs)
      for (const { status, projectName } of tests)
        if (status === 'unexpected' || status === 'flaky')
          (status === 'flaky' ? repeated : names).push(`[${projectName}] ${file}:${String(line)} › ${title}`);
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
  const errors =
    report.errors !== undefined && existsSync(report.errors) ? read<string[]>(report.errors) : [];
  const counts =
    report.of === 'vitest'
      ? countVitest(read<VitestReport>(report.file))
      : countPlaywright(read<PlaywrightReport>(report.file));
  // A runner that failed without a failed test (a crash, a threshold, no test found) is still a failure.
  return status !== 0 && counts.failed === 0
    ? {
        ...counts,
        failed: 1,
        names: [
          ...(counts.names ?? []),
          `${without}no failed test`,
          ...(counts.unended ?? []).map((what) => `${what}: did not end`),
          ...errors.map((message) => `outside all tests: ${message}`),
        ],
      }
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
