import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  readFileSync,
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

const ownerSchema = z.object({
  pid: z.int(),
  host: z.enum(['desktop', 'browser']),
  /** Where the console can be reached, without its launch code; absent for the desktop. */
  url: z.string().optional(),
  /** Unix milliseconds of that computer's clock. */
  startedAt: z.number(),
});

/** Who owns a data folder, as its owner wrote it down for the next one to read. */
export type Owner = z.infer<typeof ownerSchema>;

/** The lock while it is held. */
export interface OwnerLock {
  readonly owned: true;
  /** Writes down who the owner is now, for example once its address is known. */
  announce(owner: Owner): void;
  /**
   * Looks whether the lock is still the one that the next console meets: its file may have been removed, and a lock
   * on a removed file keeps no process out. `taken-again` where it was and no other process had come yet; `lost` where
   * another console has the folder now.
   */
  check(): 'held' | 'taken-again' | 'lost';
  release(): void;
}

export type OwnerLockResult =
  | OwnerLock
  /** Another process has the folder; `owner` is null when it has not said yet who it is. */
  | { readonly owned: false; readonly owner: Owner | null }
  | { readonly owned: false; readonly owner: null; readonly sentence: string };

/**
 * Takes the data folder for this process, or says who has it.
 *
 * The lock is the system's own lock on a SQLite file: it is gone in the moment the process is gone,
 * SIGKILL included, where a file with a process id would lock the operator out or be believed about
 * a stranger who was given the same id. `owner.json` beside it only describes the owner and is never
 * taken as proof that there is one.
 *
 * On a read-only disk nothing can be locked: the lock is then on a file of this folder's own name in the folder
 * that the system gives this user for such things. A process that comes when the disk is writable again looks there too.
 */
export function takeOwnership(dataDir: string, owner: Owner): OwnerLockResult {
  const sqlite = process.getBuiltinModule('node:sqlite');
  // The runtime may have been built without it; types do not know that.
  if (!(sqlite as typeof sqlite | undefined)?.DatabaseSync) {
    return {
      owned: false,
      owner: null,
      sentence: `This runtime (${process.version}) lacks SQLite, which the console needs for its data folder.`,
    };
  }
  const described = join(dataDir, 'owner.json');
  const path = join(dataDir, 'owner.lock');
  const outside = lockOutside(dataDir);
  const paths = isReadOnly(dataDir) ? [outside] : exists(outside) ? [path, outside] : [path];
  const databases: DatabaseSync[] = [];
  const close = (): void => {
    for (const database of databases) database.close();
  };
  for (const one of paths) {
    const about = lstatSync(one, { throwIfNoEntry: false });
    // A link would lock another file than the next console does, and opening a named pipe waits for ever.
    if (about !== undefined && !about.isFile()) {
      close();
      return { owned: false, owner: null, sentence: `${one} is not a plain file. Remove it.` };
    }
    // The folder of passing files may be everybody's: who made a file there could hold it for ever.
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
      // A new file: a link that was put there is not followed.
      rmSync(beside, { force: true });
      writeFileSync(beside, JSON.stringify(now), { flag: 'wx', mode: 0o600 });
      renameSync(beside, described);
    } catch {
      // On a full or read-only disk the next start learns that there is an owner, and not who.
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
        // On a read-only disk it stays, and no process believes it.
      }
      close();
    },
  };
}

/**
 * Locks a file for as long as the database is open; makes it where there is none.
 *
 * @throws when another process has the lock, or the file cannot be locked
 */
function lockFile(Database: typeof DatabaseSync, path: string): DatabaseSync {
  const database = new Database(path);
  try {
    // A journal in memory: on a full disk there is no room for a file.
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

/** Where a data folder on a read-only disk is locked. */
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
    return ownerSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
