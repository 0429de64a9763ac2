import { writeFileSync } from 'node:fs';
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

interface Unhandled {
  readonly message: string;
  readonly cause?: unknown;
}

/** Keeps what failed outside all tests, which Vitest's own report leaves out: a worker that died, say. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly Unhandled[]): void {
    const file = process.env['FIELD_CONSOLE_UNHANDLED_ERRORS'];
    if (file === undefined) throw new Error('FIELD_CONSOLE_UNHANDLED_ERRORS names no file');
    // Of a process that died only the cause says with which signal, and in which file.
    const said = errors.map(({ message, cause }) => (cause instanceof Error ? cause.message : message));
    writeFileSync(file, JSON.stringify(said.map((text) => text.split('\n', 1)[0])));
  }
}
