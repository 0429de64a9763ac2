import { relative } from 'node:path';
import process from 'node:process';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { writeReport, type TestOutcome } from '../runner/report.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of the file (test/support/fileCost.ts). */
    processorSeconds?: number;
  }
}

interface Said {
  readonly message: string;
  readonly cause?: unknown;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function outcomeOf(test: TestCase): Pick<TestOutcome, 'outcome' | 'message'> {
  const { state, errors } = test.result();
  if (state === 'pending') return { outcome: 'unended' };
  if (state === 'failed') return { outcome: 'failed', message: firstLine(errors[0]?.message ?? '') };
  return { outcome: state === 'passed' && test.diagnostic()?.flaky === true ? 'repeated' : state };
}

const fileOf = (module: TestModule): string => relative(process.cwd(), module.moduleId).replaceAll('\\', '/');

/** Names a failure when it comes, and leaves the report of the run for the runner. */
export default class VitestReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { outcome, message = '' } = outcomeOf(test);
    if (outcome === 'failed')
      process.stdout.write(`\nFAILED ${fileOf(test.module)} › ${test.fullName}: ${message}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Said[]): void {
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        file: fileOf(module),
        title: test.fullName,
        ...outcomeOf(test),
      })),
    );
    // A file that does not load, or whose set-up or clearing away failed, may have no failed test.
    const broken = modules.flatMap((module) => {
      const groups = [...module.children.allSuites()];
      const said = [module, ...groups].flatMap((one) => one.errors());
      const isEmpty = [...module.children.allTests()].length === 0 && module.state() !== 'skipped';
      const what = said.map(({ message }) => firstLine(message));
      if (what.length === 0 && isEmpty) what.push('did not end');
      return what.map((message) => `${fileOf(module)}: ${message}`);
    });
    // Of a process that died only the cause says with which signal, and in which file.
    const outside = unhandled.map(({ message, cause }) =>
      firstLine(cause instanceof Error ? cause.message : message),
    );
    writeReport({
      tests,
      errors: [...broken, ...outside.map((message) => `outside all tests: ${message}`)],
      costs: modules.map((module) => ({
        file: fileOf(module),
        wall: (module.diagnostic().duration + module.diagnostic().collectDuration) / 1000,
        processor: module.meta().processorSeconds ?? null,
      })),
    });
  }
}
