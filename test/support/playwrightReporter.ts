import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { relative } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { costsOf, writeReport, type TestOutcome } from '../runner/report.ts';
import { processorAnnotation } from './testCost.ts';

const outcomes = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'repeated',
  skipped: 'skipped',
} as const satisfies Record<ReturnType<TestCase['outcome']>, TestOutcome['outcome']>;

const firstLine = ({ message = 'an error outside the tests' }: TestError): string =>
  stripVTControlCharacters(message).split('\n', 1)[0] ?? '';
const fileOf = (test: TestCase): string => relative(process.cwd(), test.location.file).replaceAll('\\', '/');

const titleOf = (test: TestCase): string =>
  [test.parent.project()?.name ?? '', `line ${String(test.location.line)}`, test.title]
    .filter(Boolean)
    .join(' › ');

/** Names a failure when it comes, and leaves the report of the run for the runner. */
export default class PlaywrightReporter implements Reporter {
  #tests: readonly TestCase[] = [];
  readonly #errors: string[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  onTestEnd(test: TestCase, { status, errors: [error] }: TestResult): void {
    if (status !== 'passed' && status !== 'skipped')
      process.stdout.write(`\nFAILED ${fileOf(test)} › ${titleOf(test)}: ${firstLine(error ?? {})}\n`);
  }

  onError(error: TestError): void {
    this.#errors.push(firstLine(error));
  }

  onEnd(): void {
    writeReport({
      tests: this.#tests.map((test) => {
        const error = test.results.flatMap(({ errors }) => errors)[0];
        return {
          file: fileOf(test),
          title: titleOf(test),
          outcome: outcomes[test.outcome()],
          ...(error === undefined ? {} : { message: firstLine(error) }),
        };
      }),
      errors: this.#errors,
      costs: costsOf(
        this.#tests.flatMap((test) =>
          test.results.map(({ duration, annotations }) => {
            const measured = annotations.find(({ type }) => type === processorAnnotation)?.description;
            return {
              file: fileOf(test),
              wall: duration / 1000,
              processor: measured === undefined ? null : Number(measured),
            };
          }),
        ),
      ),
    });
  }
}
