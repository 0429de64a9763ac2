import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Runs the spoken tests on a screen, a bus and a home that nothing else uses: Orca, its settings and the bus of the
 * assistive technologies belong to a session, and must not be those of the person who runs the tests.
 */
const home = mkdtempSync(join(tmpdir(), 'field-console-spoken-'));
const run = [
  process.execPath,
  'node_modules/@playwright/test/cli.js',
  'test',
  '-c',
  'test/spoken/playwright.config.ts',
];
try {
  const { status } = spawnSync(
    'dbus-run-session',
    [
      '--',
      'xvfb-run',
      '--auto-servernum',
      '--server-args=-screen 0 1600x1000x24',
      ...run,
      ...process.argv.slice(2),
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_DATA_HOME: join(home, '.local'),
        XDG_CACHE_HOME: join(home, '.cache'),
        XDG_RUNTIME_DIR: home,
      },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
