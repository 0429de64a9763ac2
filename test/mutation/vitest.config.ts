import { defineConfig } from 'vitest/config';

/** The modules' own tests: every test that merely passes by a mutant would be run for it too. */
export default defineConfig({
  test: {
    environment: 'node',
    include: [
      'test/core/api/authorize.test.ts',
      'test/core/missions/{decider,decisions,disk}.test.ts',
      'test/core/outbox/machine.test.ts',
      'test/core/session/session.test.ts',
      'test/core/sync/{ledger,ledgerWindows}.test.ts',
      'test/core/vault/vaultBook.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
