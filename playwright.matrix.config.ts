import process from 'node:process';
import base from './playwright.config.ts';

/**
 * The full product of states, themes and languages: minutes rather than seconds, so with a script of its
 * own, `npm run test:matrix`.
 */
export default {
  ...base,
  testDir: 'test/e2e-matrix',
  outputDir: 'test-results/e2e-matrix',
  workers: 1,
  timeout: 1_800_000,
  // Signing in derives a key at full cost; others use the machine meanwhile.
  expect: { timeout: 60_000 },
  reporter: [
    ['list', { printSteps: true }],
    ['json', { outputFile: process.env['FIELD_CONSOLE_E2E_REPORT'] ?? 'test-results/matrix.json' }],
    ['./test/support/lookReporter.ts'],
  ],
  projects: [{ name: 'browser host', metadata: { host: 'browser' } }],
};
