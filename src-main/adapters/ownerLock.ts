import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { codeOf } from '../core/base/errors.ts';
import { readPlainNow } from './plainFile.ts';

const ownerSchema = z.object({
  pid: z.int(),
  host: z.enum(['desktop', 'browser']),
  /** The console's address, without its launch code; absent for the desktop. */
  url: z.string().optional(),
  /** Unix milliseconds of that computer's clock. */
  startedAt: z.number(),
});

const describedName = 'owner.json';
/** Bytes: a larger file does not come from the console. */
const largestOwner = 4096;

/** The owner of a data folder, as it describes itself for other processes. */
export type Owner = z.infer<typeof ownerSchema>;

/** The lock while this process has it. */
export interface OwnerLock {
  readonly owned: true;
  /** Writes the owner's facts, for example when its address is known. */
  announce(owner: Owner): void;
  /**
   * Checks that other processes still meet this lock: its file may have been removed, and a lock on a removed file
   * keeps no process out. `taken-again`: that happened, and no other process had come yet. `lost`: another console has
   * the folder now.
   */
  check(): 'held' | 'taken-again' | 'lost';
  release(): void;
}

export type OwnerLockResult =
  | OwnerLock
  /** Another process has the folder. `owner` is null when that process has not written its facts yet. */
  | { readonly owned: false; readonly owner: Owner | null }
  | { readonly owned: false; readonly owner: null; readonly sentence: string };

/**
 * Takes the data folder for this process, or returns who has it.
 *
 * The lock is the system's lock on a SQLite file: it ends with the process, even after SIGKILL. A file with a process
 * id could lock the operator out, or name an unrelated process that got the same id. `owner.json` beside it only
 * describes the owner; it never proves that there is one.
 *
 * On a read-only disk nothing can be locked. Then the lock is on a file named after this folder, in the system's folder
 * for this user's runtime files. A process that comes when the disk is writable again checks that lock too.
 */
export function takeOwnership(dataDir: string, owner: Owner): OwnerLockResult {
  const sqlite = process.getBuiltinModule('node:sqlite');
  // The runtime may have been built without it, which its types do not show.
  if (!(sqlite as typeof sqlite | undefined)?.DatabaseSync) {
    return {
      owned: false,
      owner: null,
      sentence: `This runtime (${process.version}) lacks SQLite, which the console needs for its data folder.`,
    };
  }
  const described = join(dataDir, describedName);
  const path = join(dataDir, 'owner.lock');
  const outside = lockOutside(dataDir);
  const paths = isReadOnly(dataDir) ? [outside] : exists(outside) ? [path, outside] : [path];
  const databases: DatabaseSync[] = [];
  const close = (): void => {
    for (const database of databases) database.close();
  };
  for (const one of paths) {
    const about = lstatSync(one, { throwIfNoEntry: false });
    // With a link, the next console might lock another file; opening a named pipe waits without end, and so may reading
    // a database, where the lock is empty.
    if (about !== undefined && (!about.isFile() || about.size > 0)) {
      close();
      return { owned: false, owner: null, sentence: `${one} is not an empty plain file. Remove it.` };
    }
    // The folder of temporary files may be open to all users: the owner of a file there could hold the lock without
    // end.
    if (one === outside && about !== undefined && about.uid !== (process.getuid?.() ?? about.uid)) {
      close();
      return { owned: false, owner: null, sentence: `${one} belongs to another user. Remove it.` };
    }
    try {
      databases.push(lockFile(sqlite.DatabaseSync, one));
    } catch (error) {
      close();
      if (isBusy(error)) return { owned: false, owner: readOwner(described) };
      return {
        owned: false,
        owner: null,
        sentence: `The data folder ${dataDir} cannot be locked: ${said(error)}.`,
      };
    }
  }
  const announce = (now: Owner): void => {
    const beside = `${described}.tmp`;
    try {
      // A new file: a link in its place is not followed.
      rmSync(beside, { force: true });
      writeFileSync(beside, JSON.stringify(now), { flag: 'wx', mode: 0o600 });
      renameSync(beside, described);
    } catch {
      // On a full or read-only disk the next start learns that there is an owner, but not who.
    }
  };
  announce(owner);
  let released = false;
  let held = inodeOf(path);
  return {
    owned: true,
    announce,
    check: () => {
      if (released || !paths.includes(path) || (held !== null && inodeOf(path) === held)) return 'held';
      try {
        databases.push(lockFile(sqlite.DatabaseSync, path));
      } catch (error) {
        return isBusy(error) ? 'lost' : 'held';
      }
      held = inodeOf(path);
      announce(owner);
      return 'taken-again';
    },
    release: () => {
      if (released) return;
      released = true;
      try {
        rmSync(described, { force: true });
      } catch {
        // On a read-only disk it stays, and no process relies on it.
      }
      close();
    },
  };
}

/**
 * Locks a file while the database is open; creates it if needed.
 *
 * @throws when another process has the lock, or the file cannot be locked
 */
function lockFile(Database: typeof DatabaseSync, path: string): DatabaseSync {
  const database = new Database(path);
  try {
    // A journal in memory: a full disk has no space for a file.
    database.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
    chmodSync(path, 0o600);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const inodeOf = (path: string): bigint | null =>
  lstatSync(path, { throwIfNoEntry: false, bigint: true })?.ino ?? null;

/** The lock's file for a data folder on a read-only disk. */
function lockOutside(dataDir: string): string {
  const named = process.env['XDG_RUNTIME_DIR'];
  const folder = named !== undefined && isAbsolute(named) ? named : tmpdir();
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  return join(folder, `field-console-${name}.lock`);
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function isReadOnly(dataDir: string): boolean {
  try {
    accessSync(dataDir, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}

const busyCode = 5;
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busyCode;
const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readOwner(path: string): Owner | null {
  try {
    return ownerSchema.parse(JSON.parse(String(readPlainNow(path, largestOwner))));
  } catch {
    return null;
  }
}

/** Whether the process that describes itself as a data folder's owner runs. It proves no owner: see `takeOwnership`. */
export function hasLiveOwner(dataDir: string): boolean {
  const owner = readOwner(join(dataDir, describedName));
  if (owner === null) return false;
  try {
    return process.kill(owner.pid, 0);
  } catch (error) {
    // It is another user's.
    return codeOf(error) === 'EPERM';
  }
}
