import { defineConfig } from '@playwright/test';
import { chromiumLaunch, withoutWebgl } from '../support/chromium.ts';

const { executablePath, args } = await chromiumLaunch();
/** The page tier: `npm run test:page`. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.page.ts',
  outputDir: '../../test-results/page',
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['dot'], ['json', { outputFile: '../../test-results/page.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath,
      // No test here is about the map.
      args: withoutWebgl(args),
    },
  },
});
