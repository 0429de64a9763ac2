/** Mutation testing of the pure modules that must not err: on request, as it takes tens of minutes (docs/testing.md). */
export default {
  mutate: [
    'src-main/core/service/transport/authorize.ts',
    'src-main/core/features/missions/decider.ts',
    'src-main/core/features/uploads/machine.ts',
    'src-main/core/service/session/session.ts',
    'src-main/core/features/incidents/sync/ledger.ts',
    'src-main/core/vault/vaultKeys.ts',
  ],
  testRunner: 'vitest',
  // Looking for related files again at each mutant costs several times what its tests do.
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Vitest runs the sources without checking types.
  disableTypeChecks: false,
  // A machine shared with others stalls for seconds: that kills no mutant.
  timeoutMS: 20_000,
  ignorePatterns: ['dist', 'docs', 'out', 'test-results'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: 'test-results/mutation.json' },
  clearTextReporter: { reportTests: false },
};
