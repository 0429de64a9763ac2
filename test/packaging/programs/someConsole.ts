/** Stands for an installed console: its first argument says how it behaves, the rest are a console's own. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [behaviour, ...args] = process.argv.slice(2);
const valueOf = (name: string): string | undefined =>
  args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
const report = valueOf('--self-test-report');
const dataDir = valueOf('--data-dir');

if (report !== undefined) {
  const step = { phrases: null, id: 'page', name: 'The page is loaded', milliseconds: 1 };
  const outcome = behaviour === 'fails' ? 'failed' : 'passed';
  const versions = { electron: '45.4.1', chrome: '150.0.0.0', node: '24.1.0' };
  const made = {
    version: '0.1.0',
    versions,
    passed: true,
    steps: [{ ...step, outcome, detail: 'Seen <b>.' }],
  };
  if (behaviour === 'mute') {
    process.stderr.write('No display');
    process.exitCode = 1;
  } else writeFileSync(report, JSON.stringify(behaviour === 'odd' ? { steps: 1 } : made));
} else if (dataDir !== undefined) {
  if (behaviour === 'mute') process.exit(1);
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const status = behaviour === 'fails' ? 1 : 0;
  process.on('SIGTERM', () => process.exit(status));
  appendFileSync(join(dataDir, 'logs', 'console.log'), '{"msg":"console-open"}\n');
  setInterval(() => undefined, 1_000);
}
