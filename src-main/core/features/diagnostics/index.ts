import type { diagnosticsVerbs } from '../../../../src-preload/contract/index.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import { Diagnostics, type Examined } from './diagnostics.ts';

export { RequestJournal } from './requestJournal.ts';

export function openDiagnostics(app: AppContext, examined: Examined) {
  const diagnostics = new Diagnostics(app, examined);
  const verbs: VerbHandlers<typeof diagnosticsVerbs> = {
    readDiagnostics: ({ page }) => diagnostics.report(page),
    runSelfTest: ({ page }) => diagnostics.selfTest(page),
    prepareBundle: ({ page }) => diagnostics.bundle(page),
  };
  return { verbs };
}
