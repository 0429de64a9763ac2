import type { DiagnosticTools } from '../../core/features/diagnostics/tools.ts';
import { readFolder } from './folderFacts.ts';
import { readLogTail } from './logTail.ts';
import { probeDatabase, probeFolder, probeThread } from './probes.ts';
import { readRuntime } from './runtime.ts';
import { zipFiles } from './zip.ts';

/** What the diagnostics of a console look at, on its own data folder. */
export const createDiagnosticTools = ({ dataDir }: { readonly dataDir: string }): DiagnosticTools => ({
  runtime: readRuntime,
  folder: () => readFolder(dataDir),
  writeProbe: () => probeFolder(dataDir),
  databaseProbe: (keys, now) => probeDatabase(dataDir, keys, now),
  threadProbe: probeThread,
  logTail: (bytes) => readLogTail(dataDir, bytes),
  zip: zipFiles,
});
