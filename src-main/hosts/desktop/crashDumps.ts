import type { App } from 'electron';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DesktopElectron } from './electron.ts';

/** A dump has several MB. This many of the latest are enough to show a repeated crash. */
const mostDumps = 5;

interface Dump {
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
}

export interface CrashDumps {
  /** The existing dumps, for the diagnostics page. */
  describe(): string;
}

/**
 * Stores a dump of each crashed process in `crashes` of the data folder, readable only by this user, and sends none: a
 * dump has parts of the memory, and so perhaps data that an operator saw or typed. Call it before Electron is ready. A
 * full or read-only disk stores no dumps, but does not prevent the start.
 */
export function keepCrashDumps(options: {
  readonly app: Pick<App, 'setPath'>;
  readonly crashReporter: Pick<DesktopElectron['crashReporter'], 'start'>;
  readonly dataDir: string;
}): CrashDumps {
  const { app, crashReporter, dataDir } = options;
  const folder = join(dataDir, 'crashes');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { path } of dumpsIn(folder).slice(mostDumps)) rmSync(path, { force: true });
  } catch {
    return { describe: () => 'not kept: the folder cannot be written' };
  }
  app.setPath('crashDumps', folder);
  crashReporter.start({ uploadToServer: false });
  return {
    describe: () => {
      const dumps = dumpsIn(folder);
      const lines = dumps.map(
        ({ at, bytes }) => `${new Date(at).toISOString().slice(0, 19)}Z (${(bytes / 1e6).toFixed(1)} MB)`,
      );
      return lines.length === 0 ? 'none' : `${String(lines.length)}: ${lines.join(', ')}`;
    },
  };
}

/** The latest first. Their place below Crashpad's folder differs between systems. */
function dumpsIn(folder: string): Dump[] {
  const dumps: Dump[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.dmp')) continue;
    const path = join(folder, name);
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.isFile() === true) dumps.push({ path, at: status.mtimeMs, bytes: status.size });
  }
  return dumps.sort((a, b) => b.at - a.at);
}
