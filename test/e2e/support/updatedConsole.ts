import { resolve } from 'node:path';
import type { CheckedPackage } from '../../../src-main/core/features/updates/updateHost.ts';
import type { UpdateTarget } from '../../../src-main/core/features/updates/release.ts';
import { serveConsole, type ServedConsole } from './launch.ts';

/** What the console of a test believes about updates, and where they may lie. */
export interface UpdatedConsole {
  readonly version: string;
  /** What build/update-keys.json would hold. */
  readonly trust: unknown;
  readonly target: UpdateTarget;
  /** PEM of the update server. */
  readonly ca: string;
  /** The folder that an operator would choose. */
  readonly stick: string;
}

/** Stands before a package that was handed over, as JSON on a line of the program's output. */
export const handedOver = 'Handed to the installer: ';

/** Starts the browser host with updates as a desktop has them (programs/updatedConsole.ts). */
export const serveUpdated = (
  dataDir: string,
  args: readonly string[],
  updated: UpdatedConsole,
): Promise<ServedConsole> =>
  serveConsole(dataDir, args, [resolve('test/e2e/programs/updatedConsole.ts'), JSON.stringify(updated)]);

/** What was handed to the installer, first to last. */
export const installedBy = ({ output }: ServedConsole): CheckedPackage[] =>
  output()
    .stdout.split('\n')
    .filter((line) => line.startsWith(handedOver))
    .map((line) => JSON.parse(line.slice(handedOver.length)) as CheckedPackage);
