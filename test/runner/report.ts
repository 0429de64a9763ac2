import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';

/** What came of one test. `repeated`: it passed only when it ran again. `unended`: its process died before its end. */
export interface TestOutcome {
  /** From the root, with slashes. */
  readonly file: string;
  /** With the titles of the groups around it, and with Playwright its project and line. */
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'repeated' | 'unended';
  /** The first line of why it failed. */
  readonly message?: string;
}

/** What the tests of one file took, in seconds. `processor` is null where it was not measured. */
export interface FileCost {
  readonly file: string;
  readonly wall: number;
  readonly processor: number | null;
}

/** What a stage of tests leaves for the runner: the same for Vitest and for Playwright. */
export interface RunReport {
  readonly tests: readonly TestOutcome[];
  /** First lines of what failed outside all tests: a file that does not load, a worker that died. */
  readonly errors: readonly string[];
  readonly costs: readonly FileCost[];
}

/** Writes the report of a run where its stage wants it; a run by hand has no stage and wants none. */
export function writeReport(report: RunReport): void {
  const file = process.env['FIELD_CONSOLE_REPORT'];
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(report));
}

/** Adds up what the tests of each file took. */
export function costsOf(costs: readonly FileCost[]): FileCost[] {
  const files = new Map<string, FileCost>();
  for (const { file, wall, processor } of costs) {
    const sum = files.get(file) ?? { file, wall: 0, processor: null };
    const both = processor === null ? sum.processor : (sum.processor ?? 0) + processor;
    files.set(file, { file, wall: sum.wall + wall, processor: both });
  }
  return [...files.values()];
}
