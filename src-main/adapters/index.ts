import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { noDeviceSecret, type DeviceSecretSource, type ForkProgram } from '../core/base/ports.ts';
import { noControl, type HostControl, type Ports } from '../core/features/ports.ts';
import type { Network } from '../core/service/transport/network.ts';
import { createClock } from './clock.ts';
import { createHasher, createRandom } from './crypto.ts';
import { createDiagnosticTools } from './diagnostics/tools.ts';
import { createDocuments } from './documents.ts';
import { openFile } from './durableFiles.ts';
import { createHandoverFiles } from './handoverFiles.ts';
import { createLog, type LogLevel } from './log.ts';
import { createMapFiles } from './maps/mapFiles.ts';
import { createNetwork } from './network.ts';
import { readTextFile } from './textFile.ts';
import { anchorsFolder } from './vault/folder.ts';
import { createRecordFolders } from './vault/records/folders.ts';
import { createVaultStorage } from './vault/storage.ts';

export { anchorsFolderOf, defaultDataFolder, moveRoamingData, openDataFolder } from './dataFolder.ts';
export { takeOwnership, type Owner } from './ownerLock.ts';

/**
 * How much the heap grows after a collection before the next one, in percent. With much memory V8 waits for up to 300,
 * so that some large answers would leave hundreds of megabytes.
 */
const growingPercent = 50;
/** The most memory for one half of a thread's space for new objects, in MB with compressed pointers. */
const newObjects = 8;

interface NodePortsOptions {
  /** A folder that `openDataFolder` has found usable. */
  readonly dataDir: string;
  /**
   * The folder for the anchors, which show that an older data folder was restored; default: in the data folder, as for
   * measurements.
   */
  readonly anchorsDir?: string;
  readonly logLevel: LogLevel;
  /** Opens an https address in the system's browser; false when there is none. */
  readonly openExternal: (url: string) => Promise<boolean>;
  /** Default: none, for a console without a host, as for measurements. */
  readonly control?: HostControl;
  readonly deviceSecret?: DeviceSecretSource;
  /** Default: with the proxies of the environment. */
  readonly network?: Network | undefined;
  /** Default: processes of Node, which Electron does not start. */
  readonly fork?: ForkProgram | undefined;
}

/** The core's ports in Node. Limits the heap of the process. `close` flushes the log. */
export function createNodePorts({
  dataDir,
  anchorsDir = join(dataDir, anchorsFolder),
  logLevel,
  openExternal,
  control = noControl,
  deviceSecret = noDeviceSecret,
  network = createNetwork(),
  fork,
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
    maps: createMapFiles({ dataDir, clock, fork }),
    readTextFile,
    openFile,
    openExternal,
    diagnostics: createDiagnosticTools({ dataDir }),
    network,
    control,
    deviceSecret,
    collectGarbage: garbageCollector(),
    close: async () => {
      await records.close();
      await vaults.close();
      await logger.close();
    },
  };
}

/** V8 gives its collector to contexts that are made while the flag is set. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => collect();
}

/**
 * Limits V8's memory for garbage, in the process and in threads that start later. The main thread's space for new
 * objects is set at the start of the process (build/node-options.mjs).
 */
function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${String(growingPercent)}`);
  setFlagsFromString(`--scavenger-max-new-space-capacity-mb=${String(newObjects)}`);
}
