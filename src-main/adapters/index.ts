import type { Ports } from '../core/ports.ts';
import { createActionFolders } from './actions/folders.ts';
import { createClock } from './clock.ts';
import { createDocuments } from './documents.ts';
import { createHasher } from './hasher.ts';
import { createLog, type LogLevel } from './log.ts';
import { databaseProgram } from './maps/databaseProgram.ts';
import { createMapFiles } from './maps/mapFiles.ts';
import { createRandom } from './random.ts';
import { readTextFile } from './textFile.ts';
import { createVaultStorage } from './vault/storage.ts';

export { defaultDataFolder, openDataFolder } from './dataFolder.ts';
export { takeOwnership, type Owner } from './ownerLock.ts';

interface NodePortsOptions {
  /** A folder that `openDataFolder` has proven to be usable. */
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  /** Opens an https address in the system's browser; false when there is none. */
  readonly openExternal: (url: string) => Promise<boolean>;
}

/** What the core needs from outside, as Node gives it. `close` flushes the log. */
export function createNodePorts({
  dataDir,
  logLevel,
  openExternal,
}: NodePortsOptions): Ports & { close(): Promise<void> } {
  const clock = createClock();
  const vaults = createVaultStorage({ dataDir });
  const actions = createActionFolders({ dataDir });
  const logger = createLog({ dataDir, level: logLevel, wallNow: () => clock.wallNow() });
  return {
    clock,
    random: createRandom(),
    logger,
    documents: createDocuments(dataDir),
    hasher: createHasher(),
    vaults,
    actions,
    maps: createMapFiles({ dataDir, clock, databaseWorker: databaseProgram }),
    readTextFile,
    openExternal,
    close: async () => {
      await actions.close();
      await vaults.close();
      await logger.close();
    },
  };
}
