/**
 * A process in which something breaks, for desktop/breakdown.test.ts: Electron's `app` is the only stand-in, and it
 * starts this program again as Electron does. Arguments: data folder, what happens, how it was started.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { watchForBreakdown } from '../../../src-main/hosts/desktop/breakdown.ts';
import { patience } from '../../support/patience.ts';

const [dataDir = '', what = '', how = ''] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const log = (event: string, fields: object = {}): void => print(`log ${event} ${JSON.stringify(fields)}`);
let again = false;

const breakdown = watchForBreakdown({
  process,
  app: {
    relaunch: () => (again = true),
    exit: (status = 0) => {
      print(`exit ${String(status)}`);
      if (again) spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' });
      process.exit(status);
    },
  },
  clock: createClock(),
  logger: { debug: log, info: log, warn: log, error: log },
  dataDir: how === 'self-test' ? null : dataDir,
  supervised: how === 'supervised',
  relaunch: {},
  say: (sentence) => void process.stderr.write(`${sentence}\n`),
  tellStopped: () => print('box'),
});

print('start');
if (how !== 'early') {
  breakdown.attach({
    close: async () => {
      if (what === 'twice') process.nextTick(() => happen['again']?.());
      await new Promise((resolve) => setImmediate(resolve));
      print('closed');
    },
    showStopped: () => {
      if (how !== 'shown') return false;
      print('page stopped.html');
      // An operator closes the window in the end.
      setTimeout(() => process.exit(0), 200);
      return true;
    },
  });
}
class Answer extends Error {
  override readonly name = 'hunter2 is no name';
}
const secret = 'Unexpected token h in JSON: "password":"hunter2"\n    at hunter2';
const happen: Readonly<Record<string, () => void>> = {
  exception: () => {
    throw new TypeError(secret);
  },
  rejection: () => void Promise.reject(new SyntaxError(secret)),
  twice: () => {
    throw new TypeError(secret);
  },
  // While the console closes.
  again: () => {
    throw new RangeError(secret);
  },
  // No stack, no message: anything can be thrown.
  value: () => void Promise.reject(Object.assign(Object.create(null) as object, { password: 'hunter2' })),
  named: () => {
    throw new Answer(secret);
  },
};
if (how === 'early') happen[what]?.();
else setTimeout(() => happen[what]?.(), 5);
// It would live on, half dead.
setTimeout(() => {
  print('still here');
  process.exit(7);
}, patience.step);
