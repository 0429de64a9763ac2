/**
 * Runs the desktop application once on a system that has Electron, and reports what it saw: `npm run first-light`.
 * See build/first-light/main.ts for the arguments. This file is for any Node: it says which one is wanted before
 * another one fails at TypeScript.
 */
import process from 'node:process';
import './check-runtime.mjs';

const { firstLight } = await import('./first-light/main.ts');
process.exitCode = await firstLight(process.argv.slice(2));
