import { defineConfig } from '@playwright/test';
import { systemBrowser } from '../support/chromium.ts';
import { patience, repeats } from '../support/patience.ts';

/** What a person hears: the console in the system's browser, read by Orca. `test/spoken/run.ts` starts it. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spoken.ts',
  outputDir: '../../test-results/spoken',
  // There is one speech.
  workers: 1,
  timeout: patience.test,
  expect: { timeout: patience.step },
  retries: repeats,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['../support/playwrightReporter.ts']],
  projects: [{ name: 'screen reader', metadata: { host: 'browser' } }],
  use: {
    launchOptions: {
      executablePath: systemBrowser() ?? '',
      headless: false,
      args: [
        '--no-sandbox',
        '--no-first-run',
        '--force-renderer-accessibility',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
      ],
    },
  },
});
