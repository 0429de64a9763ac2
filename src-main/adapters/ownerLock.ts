import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
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
  const about = lstatSync(path, { throwIfNoEntry: false });
  // A link would lock another file than the next console does, and opening a named pipe waits for ever.
  if (about !== undefined && !about.isFile()) {
    return { owned: false, owner: null, sentence: `${path} is not a plain file. Remove it.` };
  }
  const database = new sqlite.DatabaseSync(path);
  try {
    database.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return { owned: false, owner: readOwner(described) };
    return {
      owned: false,
      owner: null,
      sentence: `The data folder ${dataDir} cannot be locked: ${said(error)}.`,
    };
  }
  chmodSync(path, 0o600);
  const announce = (now: Owner): void => {
    const beside = `${described}.tmp`;
    // A new file: a link that was put there is not followed.
    rmSync(beside, { force: true });
    writeFileSync(beside, JSON.stringify(now), { flag: 'wx', mode: 0o600 });
    renameSync(beside, described);
  };
  announce(owner);
  let released = false;
  return {
    owned: true,
    announce,
    release: () => {
      if (released) return;
      released = true;
      rmSync(described, { force: true });
      database.close();
    },
  };
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
