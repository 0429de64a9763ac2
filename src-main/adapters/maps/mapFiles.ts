import { chmod, mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, IncomingMap, MapFile, MapFiles } from '../../core/base/ports.ts';
import { syncFolder } from '../durableFiles.ts';
import { openTileDatabase } from './tileDatabase.ts';

const idRule = /^[0-9a-f]{16}$/;
const keptName = /^([0-9a-f]{16})\.map$/;

/**
 * Map packages as files of `<dataDir>/maps` (mode 0700, files 0600): `<id>.map` when complete,
 * `<id>.part` before. Names are made of checked ids only, so no name leads out of the folder.
 */
export function createMapFiles({
  dataDir,
  clock,
}: {
  readonly dataDir: string;
  readonly clock: Clock;
}): MapFiles {
  const folder = join(dataDir, 'maps');
  const pathOf = (id: string, ending: 'map' | 'part'): string => {
    if (!idRule.test(id)) throw new RangeError('This is not the id of a map');
    return join(folder, `${id}.${ending}`);
  };
  const find = async (id: string, state: 'kept' | 'incoming'): Promise<string> => {
    const part = pathOf(id, 'part');
    const incoming = state === 'incoming' && (await stat(part).then(Boolean, () => false));
    return incoming ? part : pathOf(id, 'map');
  };
  const names = async (): Promise<string[]> => {
    try {
      return await readdir(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  };

  return {
    free: async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    receive: async (id) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      return receiveInto({ folder, part: pathOf(id, 'part'), kept: pathOf(id, 'map') });
    },
    open: async (id, state) => readable(await open(await find(id, state), 'r')),
    openDatabase: async (id, state) => openTileDatabase({ path: await find(id, state), clock }),
    list: async () => {
      const kept = new Map<string, number>();
      for (const name of await names()) {
        const id = keptName.exec(name)?.[1];
        if (id === undefined) continue;
        const facts = await stat(join(folder, name));
        if (facts.isFile()) kept.set(id, facts.size);
      }
      return kept;
    },
    remove: async (id) => {
      await rm(pathOf(id, 'map'), { force: true });
      await syncFolder(folder);
    },
    sweep: async (keep) => {
      for (const name of await names()) {
        const id = keptName.exec(name)?.[1];
        if (id === undefined || !keep.has(id)) await rm(join(folder, name), { force: true, recursive: true });
      }
    },
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

async function readable(file: FileHandle): Promise<MapFile> {
  try {
    const { size } = await file.stat();
    return {
      bytes: size,
      read: async (offset, length) => {
        const buffer = new Uint8Array(Math.min(length, Math.max(0, size - offset)));
        let filled = 0;
        while (filled < buffer.byteLength) {
          const { bytesRead } = await file.read(buffer, filled, buffer.byteLength - filled, offset + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return buffer.subarray(0, filled);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function receiveInto(paths: {
  readonly folder: string;
  readonly part: string;
  readonly kept: string;
}): Promise<IncomingMap> {
  const { folder, part, kept } = paths;
  const file = await open(part, 'wx', 0o600);
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await file.close();
  };
  return {
    write: async (bytes) => {
      let written = 0;
      while (written < bytes.byteLength) {
        const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written);
        written += bytesWritten;
      }
    },
    finish: async () => {
      await file.sync();
      await close();
    },
    keep: async () => {
      await rename(part, kept);
      await syncFolder(folder);
    },
    discard: async () => {
      await close().catch(() => undefined);
      // What cannot be removed now is removed at the next start.
      await rm(part, { force: true }).catch(() => undefined);
    },
  };
}
