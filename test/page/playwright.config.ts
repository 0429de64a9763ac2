import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '../support/chromium.ts';

const { executablePath, args } = await chromiumLaunch();
/** No map is drawn: in software it costs more than all the rest of the page, and no test here is about it. */
const withoutWebgl = ['--disable-3d-apis'];

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
      args: [...args.filter((arg) => !arg.includes('swiftshader')), ...withoutWebgl],
    },
  },
});
