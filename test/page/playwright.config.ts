import { defineConfig } from '@playwright/test';
import process from 'node:process';
import { chromiumLaunch, composedInSoftware, withoutWebgl } from '../support/chromium.ts';
import { patience, repeats } from '../support/patience.ts';

const { executablePath, args } = await chromiumLaunch();
/** The page tier: `npm run test:page`. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.page.ts',
  outputDir: '../../test-results/page',
  // One more than two cores: a test waits for frames and timers of its page.
  workers: 3,
  fullyParallel: true,
  timeout: patience.test,
  expect: { timeout: patience.step },
  retries: repeats,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['dot'], ['../support/playwrightReporter.ts']],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath,
      // No test here but mapEdge.page.ts, mapKeys.page.ts, mapView.page.ts and droneMarks.page.ts is about the map. A
      // page that lives for a second gains nothing from optimised code: making it took a third of the processor's time
      // of this tier (102 s with it, 68 s without, of the tests of the panels). Its heap has a limit, as documents that
      // were left are collected late: a hundred of them held 650 MB.
      args: [
        ...withoutWebgl(args),
        ...composedInSoftware,
        '--js-flags=--no-maglev --no-opt --max-old-space-size=512',
      ],
    },
  },
});
