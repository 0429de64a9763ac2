import type { diagnosticsVerbs } from '../../../../src-preload/contract/index.ts';
import type { VerbHandlers } from '../context.ts';
import type { Diagnostics } from './diagnostics.ts';

export { Diagnostics } from './diagnostics.ts';
export { RequestJournal } from './requestJournal.ts';

export const diagnosticsHandlers = (diagnostics: Diagnostics): VerbHandlers<typeof diagnosticsVerbs> => ({
  readDiagnostics: ({ page }) => diagnostics.report(page),
  runSelfTest: ({ page }) => diagnostics.selfTest(page),
  prepareBundle: ({ page }) => diagnostics.bundle(page),
});
