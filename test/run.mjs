/**
 * Runs tests and ends with one line of counts, `N passed, N failed, N skipped`. See test/runner/main.ts for its
 * arguments. This file is for any Node: it says which one is wanted before another one fails at TypeScript.
 */
import '../build/check-runtime.mjs';

await import('./runner/main.ts');
