/** Stands for an installed console: its first argument says how it behaves, the rest are a console's own. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const [behaviour, ...args] = process.argv.slice(2);
const valueOf = (name: string): string | undefined =>
  args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
const report = valueOf('--self-test-report');
const dataDir = valueOf('--data-dir');

// What the inspector of Electron's main process is given by `require`.
const source = 'export const app = { name: "some console" };';
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron'
      ? { url: 'some:electron', format: 'module', shortCircuit: true }
      : next(name, context),
  load: (url, context, next) =>
    url === 'some:electron' ? { format: 'module', source, shortCircuit: true } : next(url, context),
});

if (report !== undefined) {
  const step = { id: 'page', name: 'The page is loaded', detail: 'Seen <b>.', milliseconds: 1 };
  const write = (line: unknown): void => appendFileSync(report, `${JSON.stringify(line)}\n`);
  writeFileSync(report, '');
  const versions = { electron: '45.4.1', chrome: '150.0.0.0', node: '24.1.0' };
  if (behaviour === 'mute') {
    process.stderr.write('No display');
    process.exitCode = 1;
  } else {
    write({ ...step, outcome: behaviour === 'fails' ? 'failed' : 'passed' });
    if (behaviour === 'dies') {
      write({ ...step, id: 'bridge', outcome: 'passed' });
      write({ ...step, id: 'map', outcome: 'failed' });
      // The line in which it dies.
      appendFileSync(report, '{"id":"threa');
      process.kill(process.pid, 'SIGKILL');
    }
    write(behaviour === 'odd' ? { steps: 1 } : { version: '0.1.0', versions, passed: true, steps: [] });
  }
} else if (dataDir !== undefined) {
  if (behaviour === 'mute') process.exit(1);
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const status = behaviour === 'fails' ? 1 : 0;
  process.on('SIGTERM', () => process.exit(status));
  appendFileSync(join(dataDir, 'logs', 'console.log'), '{"msg":"console-open"}\n');
  setInterval(() => undefined, 1_000);
}
