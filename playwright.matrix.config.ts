import base from './playwright.config.ts';

/**
 * The full product of states, themes and languages: minutes rather than seconds, so with a script of its
 * own, `npm run test:matrix`.
 */
export default {
  ...base,
  testDir: 'test/e2e-matrix',
  outputDir: 'test-results/e2e-matrix',
  timeout: 1_800_000,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e-matrix.json' }]],
  projects: [{ name: 'browser host', metadata: { host: 'browser' } }],
};
