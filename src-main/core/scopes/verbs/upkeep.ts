import type { VerbContext, VerbTable } from './table.ts';

type UpkeepVerb =
  | 'checkForUpdate'
  | 'takeUpdate'
  | 'takeUpdateFromFolder'
  | 'installUpdate'
  | 'dismissUpdate'
  | 'readDiagnostics'
  | 'runSelfTest'
  | 'prepareBundle';

/** Updates and diagnostics: the console as something that is looked after. */
export const upkeepVerbs = ({ updates, diagnostics }: VerbContext): Pick<VerbTable, UpkeepVerb> => ({
  checkForUpdate: () => updates.check(),
  takeUpdate: () => updates.take(),
  takeUpdateFromFolder: () => updates.takeFromFolder(),
  installUpdate: ({ version }) => updates.install(version),
  dismissUpdate: () => updates.dismiss(),
  readDiagnostics: ({ page }) => diagnostics.report(page),
  runSelfTest: ({ page }) => diagnostics.selfTest(page),
  prepareBundle: ({ page }) => diagnostics.bundle(page),
});
