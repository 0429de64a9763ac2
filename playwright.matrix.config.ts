import base from './playwright.config.ts';

/**
 * The full product of states, themes and languages, and the stored pictures: minutes rather than seconds,
 * so with a script of its own, `npm run test:matrix`. With `-- --update-snapshots` the pictures are made anew.
 */
export default {
  ...base,
  testDir: 'test/e2e-matrix',
  outputDir: 'test-results/e2e-matrix',
  snapshotPathTemplate: 'test/e2e-matrix/pictures/{arg}{ext}',
  timeout: 600_000,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e-matrix.json' }]],
  projects: [{ name: 'browser host', metadata: { host: 'browser' } }],
};
