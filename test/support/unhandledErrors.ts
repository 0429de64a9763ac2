import { writeFileSync } from 'node:fs';
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

/** Keeps what failed outside all tests, which Vitest's own report leaves out: a worker that died, say. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
    const file = process.env['FIELD_CONSOLE_UNHANDLED_ERRORS'];
    if (file === undefined) throw new Error('FIELD_CONSOLE_UNHANDLED_ERRORS names no file');
    writeFileSync(file, JSON.stringify(errors.map(({ message }) => message.split('\n', 1)[0])));
  }
}
