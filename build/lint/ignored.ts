/** What no lint looks at. */
export const ignored = [
  'out/',
  'dist/',
  'coverage/',
  'node_modules/',
  'test/fixtures/',
  'test-results/',
  // electron-vite writes its configuration so for a moment, while a build runs beside the lint.
  'electron.vite.config.ts.*.mjs',
];
