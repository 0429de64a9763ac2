import { defineConfig } from 'vitest/config';

/** The modules' own tests: every test that merely passes by a mutant would be run for it too. */
export default defineConfig({
  test: {
    environment: 'node',
    include: [
      'test/core/service/transport/authorize.test.ts',
      'test/core/features/missions/{decider,decisions,disk}.test.ts',
      'test/core/features/uploads/machine.test.ts',
      'test/core/service/session/session.test.ts',
      'test/core/features/incidents/sync/ledger.test.ts',
      'test/core/vault/vaultRepository.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
