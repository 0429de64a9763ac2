import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import process from 'node:process';

/** Says at the end which hosts and which browser the suite ran in, and which it could not, by name. */
export default class HostReporter implements Reporter {
  readonly #ran = new Map<string, number>();
  readonly #skipped = new Map<string, number>();

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.retry > 0) return;
    const host = test.parent.project()?.name ?? 'unknown host';
    const counts = result.status === 'skipped' ? this.#skipped : this.#ran;
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }

  onEnd(): void {
    const browser = process.env['FIELD_CONSOLE_BROWSER_LABEL'] ?? 'unknown browser';
    const without = process.env['FIELD_CONSOLE_NO_DESKTOP'];
    const write = (line: string) => process.stdout.write(`${line}\n`);
    write('');
    for (const [host, count] of this.#ran) {
      const where = host === 'desktop host' ? 'Electron' : browser;
      write(`${host}: ran ${count} tests (${where})`);
    }
    for (const [host, count] of this.#skipped) {
      write(`${host}: skipped ${count} tests, each with its reason above`);
    }
    if (without !== undefined) write(`desktop host: not run here (${without})`);
  }
}
