import { lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../core/base/errors.ts';
import type { Clock, ForkProgram, IncomingMap, MapFile, MapFiles } from '../../core/base/ports.ts';
import { beginFile, freeBytes, makeFolder, readAt, syncFolder } from '../durableFiles.ts';
import { openPlain } from '../plainFile.ts';
import { forkProgram } from '../threads/childPrograms.ts';
import { openTileDatabase, readingBudget, type ReadingBudget } from './tileDatabase.ts';

const idRule = /^[0-9a-f]{16}$/;
const keptName = /^([0-9a-f]{16})\.map$/;

/**
 * Map packages as files of `<dataDir>/maps` (mode 0700, files 0600): `<id>.map` when complete, `<id>.part` before.
 * Names consist of checked ids only, so no name leaves the folder.
 */
export function createMapFiles({
  dataDir,
  clock,
  fork = forkProgram,
}: {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Default: a process of Node. */
  readonly fork?: ForkProgram | undefined;
}): MapFiles {
  const folder = join(dataDir, 'maps');
  const budgets = new Map<string, ReadingBudget>();
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
      if (isMissing(error)) return [];
      throw error;
    }
  };

  return {
    free: () => freeBytes(dataDir),
    receive: async (id) => {
      await makeFolder(folder);
      return receiveInto({ folder, part: pathOf(id, 'part'), kept: pathOf(id, 'map') });
    },
    open: async (id, state) => readable(await openPlain(await find(id, state))),
    openDatabase: async (id, state) => {
      const path = await find(id, state);
      if (state === 'incoming') return openTileDatabase({ path, clock, fork, isIncoming: true });
      const budget = budgets.get(id) ?? readingBudget();
      budgets.set(id, budget);
      return openTileDatabase({ path, clock, fork, budget });
    },
    list: async () => {
      const kept = new Map<string, number>();
      for (const name of await names()) {
        const id = keptName.exec(name)?.[1];
        if (id === undefined) continue;
        const facts = await lstat(join(folder, name));
        if (facts.isFile()) kept.set(id, facts.size);
      }
      return kept;
    },
    remove: async (id) => {
      budgets.delete(id);
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

const readable = ({ file, about: { size } }: Awaited<ReturnType<typeof openPlain>>): MapFile => ({
  bytes: size,
  read: (offset, length) =>
    readAt(file, offset, new Uint8Array(Math.min(length, Math.max(0, size - offset)))),
  close: () => file.close(),
});

async function receiveInto(paths: {
  readonly folder: string;
  readonly part: string;
  readonly kept: string;
}): Promise<IncomingMap> {
  const { folder, part, kept } = paths;
  const { write, finish, discard } = await beginFile(part);
  return {
    write,
    finish,
    keep: async () => {
      await rename(part, kept);
      await syncFolder(folder);
    },
    discard,
  };
}
