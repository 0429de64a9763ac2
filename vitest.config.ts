import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A machine shared with others stalls for seconds; what never comes still ends the test.
    expect: { poll: { timeout: 20_000 } },
    // Two cores are shared with the servers that the tests start.
    maxWorkers: 2,
  },
});
