import { existsSync, readFileSync } from 'node:fs';
import { patternOf, type Attack } from './attacks.ts';
import { costsOf, type FileCost, type RunReport, type TestOutcome } from './report.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed. */
  readonly names: readonly string[];
  /** The tests that passed only when repeated. */
  readonly repeated: readonly string[];
  readonly costs: readonly FileCost[];
}

/** What a stage counts for, and the seconds that it took; `processor` is null where the system counts none. */
export interface Result extends Counts {
  readonly stage: string;
  readonly wall: number;
  readonly processor: number | null;
}

const nothing: Counts = { passed: 0, failed: 0, skipped: 0, names: [], repeated: [], costs: [] };

/** A stage that cannot run on this machine. */
export const skipped: Counts = { ...nothing, skipped: 1 };

/**
 * Counts a report. A test that passed only when repeated counts as passed, unless it is one of `attacks`: what must
 * always hold has to hold at once.
 */
export function count({ tests, errors, costs }: RunReport, attacks: readonly Attack[]): Counts {
  const isAttack = ({ file, title }: TestOutcome): boolean =>
    attacks.some(({ test }) => test.file === file && new RegExp(`${patternOf(test.title)}$`).test(title));
  const failures = tests.filter(
    (test) =>
      test.outcome === 'failed' ||
      test.outcome === 'unended' ||
      (test.outcome === 'repeated' && isAttack(test)),
  );
  const repeated = tests.filter((test) => test.outcome === 'repeated' && !failures.includes(test));
  const nameOf = ({ file, title, outcome, message }: TestOutcome): string => {
    const why = { failed: message, unended: 'did not end', repeated: 'passed only when repeated' };
    return [`${file} › ${title}`, why[outcome as keyof typeof why]].filter(Boolean).join(': ');
  };
  return {
    passed: tests.filter(({ outcome }) => outcome === 'passed').length + repeated.length,
    failed: failures.length + errors.length,
    skipped: tests.filter(({ outcome }) => outcome === 'skipped').length,
    names: [...failures.map(nameOf), ...errors],
    repeated: repeated.map(({ file, title }) => `${file} › ${title}`),
    costs,
  };
}

/**
 * What a stage that ended with this status counts for. `report` is the file that its tests leave; a stage without one,
 * such as formatting, counts as one.
 */
export function countsOf(
  name: string,
  report: string | undefined,
  status: number,
  attacks: readonly Attack[],
): Counts {
  if (report === undefined)
    return status === 0 ? { ...nothing, passed: 1 } : { ...nothing, failed: 1, names: [name] };
  const ended = `${name}: ended with status ${String(status)} and`;
  if (!existsSync(report)) return { ...nothing, failed: 1, names: [`${ended} without a report`] };
  const counts = count(JSON.parse(readFileSync(report, 'utf8')) as RunReport, attacks);
  // A runner that failed without a failed test (a crash, a threshold, no test found) is still a failure.
  return status !== 0 && counts.failed === 0
    ? { ...counts, failed: 1, names: [`${ended} no failed test`] }
    : counts;
}

/** How many of the dearest files a run names. */
const dearest = 20;
const seconds = (processor: number | null): string =>
  processor === null ? 'not measured' : `${processor.toFixed(processor < 10 ? 1 : 0)} s`;

/**
 * The last lines of a run: its dearest files, each stage with its wall and processor seconds, then what was repeated
 * and what failed, where a reader of a long run finds it, then one sum.
 */
export function summaryOf(done: readonly Result[]): string {
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    String(done.reduce((total, counts) => total + counts[key], 0));
  const stages = done.map(
    ({ stage, wall, processor, passed, failed, skipped }) =>
      `${failed > 0 ? 'FAILED ' : 'passed '} ${stage}: ${String(passed)} passed, ${String(failed)} failed, ` +
      `${String(skipped)} skipped, ${seconds(wall)}, processor ${seconds(processor)}`,
  );
  const files = costsOf(done.flatMap(({ costs }) => costs))
    .toSorted((a, b) => (b.processor ?? b.wall) - (a.processor ?? a.wall))
    .slice(0, dearest)
    .map(({ file, wall, processor }) => `${file}: ${seconds(wall)}, processor ${seconds(processor)}`);
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}\n\n`;
  return (
    `\n${list('Dearest files', files)}${stages.join('\n')}\n\n` +
    list(
      'Passed only when repeated',
      done.flatMap(({ repeated }) => repeated),
    ) +
    list(
      'Failed',
      done.flatMap(({ names }) => names),
    ) +
    `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`
  );
}
