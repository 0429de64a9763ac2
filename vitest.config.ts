import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { patience, repeats } from './test/support/patience.ts';

/** Minutes rather than seconds: not in `npm test`, but in `npm run test:slow`. */
const slow = 'test/**/*.slow.test.ts';
/** These draw their cases at random: a part of them in `npm test`, and again with all of them in the slow tier. */
const cases = 'test/**/*.cases.test.ts';
const pure = ['test/core/**/*.test.ts', 'test/renderer/**/*.test.ts'];
const desktop = 'test/hosts/desktop/**/*.test.ts';
const faults = 'test/faults/**/*.test.ts';

/** That no test file falls out of all projects is proven by `test/runner/projects.test.ts`. */
export default defineConfig({
  test: {
    environment: 'node',
    // No test is cut since a machine is slow: these end only what stands still.
    testTimeout: patience.test,
    hookTimeout: patience.test,
    expect: { poll: { timeout: patience.step } },
    setupFiles: ['test/support/fileCost.ts'],
    retry: repeats,
    // One more than two cores: many tests wait for a disk, a process or a socket.
    maxWorkers: 3,
    // Consoles that tests start anchor their vaults there, and not beside those of whoever runs the tests.
    env: { FIELD_CONSOLE_STATE_DIR: join(tmpdir(), 'field-console-test-state') },
    // For the threads that tests start and kill.
    execArgv: ['--import', new URL('test/support/compressionLock.ts', import.meta.url).href],
    projects: [
      {
        extends: true,
        // One thread takes file after file: it loads each module once.
        test: { name: 'pure', include: pure, exclude: [slow], pool: 'threads', isolate: false },
      },
      {
        extends: true,
        // A process takes file after file here too: to load what nearly every file imports took a third of the time.
        test: {
          name: 'real',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...pure, desktop, faults, slow],
        },
      },
      {
        extends: true,
        test: { name: 'desktop', isolate: false, include: [desktop], exclude: [slow] },
      },
      // What a campaign met by chance it may not meet again.
      { extends: true, test: { name: 'faults', retry: 0, include: [faults], exclude: [slow] } },
      { extends: true, test: { name: 'slow', include: [slow, cases] } },
    ],
  },
});
