import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { noDeviceSecret, type DeviceSecretSource } from '../core/base/ports.ts';
import { noControl, type HostControl, type Ports } from '../core/scopes/ports.ts';
import { createClock } from './clock.ts';
import { createDiagnosticTools } from './diagnostics/tools.ts';
import { createDocuments } from './documents.ts';
import { createHandoverFiles } from './handoverFiles.ts';
import { createHasher } from './hasher.ts';
import { createLog, type LogLevel } from './log.ts';
import { createMapFiles } from './maps/mapFiles.ts';
import { openFile } from './openedFile.ts';
import { createRandom } from './random.ts';
import { readTextFile } from './textFile.ts';
import { anchorsFolder } from './vault/folder.ts';
import { createRecordFolders } from './vault/records/folders.ts';
import { createVaultStorage } from './vault/storage.ts';

export { anchorsFolderOf, defaultDataFolder, openDataFolder } from './dataFolder.ts';
export { takeOwnership, type Owner } from './ownerLock.ts';

/**
 * How far the heap grows beyond what was alive at the last collection before the next one, in percent. On
 * machines with much memory V8 waits for up to 300, so that some large answers leave it hundreds of megabytes.
 */
const growingPercent = 50;
/** The most that a thread's half of the space for new objects takes, in MB where pointers are compressed. */
const newObjects = 8;

interface NodePortsOptions {
  /** A folder that `openDataFolder` has proven to be usable. */
  readonly dataDir: string;
  /** Where what shows that an older data folder was put back lies; in the data folder by default, as in measurements. */
  readonly anchorsDir?: string;
  readonly logLevel: LogLevel;
  /** Opens an https address in the system's browser; false when there is none. */
  readonly openExternal: (url: string) => Promise<boolean>;
  /** None by default: a console without a host, as in measurements. */
  readonly control?: HostControl;
  readonly deviceSecret?: DeviceSecretSource;
}

/** What the core needs from outside, as Node gives it. Bounds the heap of the process. `close` flushes the log. */
export function createNodePorts({
  dataDir,
  anchorsDir = join(dataDir, anchorsFolder),
  logLevel,
  openExternal,
  control = noControl,
  deviceSecret = noDeviceSecret,
}: NodePortsOptions): Ports & { close(): Promise<void> } {
  boundHeapGrowth();
  const clock = createClock();
  const logger = createLog({ dataDir, level: logLevel, wallNow: () => clock.wallNow() });
  const onThreadLost = (name: string) => (): void => {
    logger.error('thread-lost', { name });
    control.workerLost?.(name);
  };
  const vaults = createVaultStorage({ dataDir, anchorsDir, clock, onThreadLost: onThreadLost('cache') });
  const records = createRecordFolders({ dataDir, anchorsDir, clock, onThreadLost: onThreadLost('actions') });
  return {
    clock,
    random: createRandom(),
    logger,
    documents: createDocuments(dataDir),
    hasher: createHasher(),
    vaults,
    records,
    handovers: createHandoverFiles({ dataDir, secretDir: anchorsDir, deviceSecret }),
    maps: createMapFiles({ dataDir, clock }),
    readTextFile,
    openFile,
    openExternal,
    diagnostics: createDiagnosticTools({ dataDir }),
    control,
    deviceSecret,
    close: async () => {
      await records.close();
      await vaults.close();
      await logger.close();
    },
  };
}

/**
 * Bounds what V8 keeps for garbage, in the process and in threads that begin later. The space for the main
 * thread's new objects is measured out when the process starts (build/node-options.mjs).
 */
function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${String(growingPercent)}`);
  setFlagsFromString(`--scavenger-max-new-space-capacity-mb=${String(newObjects)}`);
}
