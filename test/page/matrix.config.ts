import base from './playwright.config.ts';

/** Every state of the gallery in all themes, sizes and languages: minutes, so no part of the page tier. */
export default {
  ...base,
  testMatch: '*.matrix.ts',
  outputDir: '../../test-results/page-matrix',
};
