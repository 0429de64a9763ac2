import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './test/support/chromium.ts';

const { executablePath, args, label } = await chromiumLaunch();
process.env['FIELD_CONSOLE_BROWSER_LABEL'] = label;

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/e2e',
  // Two cores hold a Chromium that draws in software, a console and a service.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }], ['./test/support/hostReporter.ts']],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath, args },
    locale: 'en-GB',
    timezoneId: 'UTC',
  },
  projects: [
    { name: 'browser host', metadata: { host: 'browser' } },
    { name: 'desktop host', metadata: { host: 'desktop' } },
  ],
});
