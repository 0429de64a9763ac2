import { Zip, ZipDeflate } from 'fflate';
import { readdir, stat } from 'node:fs/promises';
import { arch, availableParallelism, freemem, release, totalmem, type, uptime } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Yielding } from '../../core/base/yielding.ts';
import type {
  BundledFile,
  DiagnosticTools,
  FolderFacts,
  RuntimeFacts,
} from '../../core/features/diagnostics/tools.ts';
import { freeBytes } from '../durableFiles.ts';
import { readLogTail } from './logTail.ts';
import { probeDatabase, probeFolder, probeThread } from './probes.ts';

type Part = keyof FolderFacts['parts'];

const named: readonly Part[] = ['vaults', 'maps', 'logs', 'temporary'];

/** How much is compressed before the event loop gets its turn: some milliseconds of work. */
const pieceBytes = 128 * 1024;
/** The earliest date in a zip. */
const earliest = Date.UTC(1980, 0, 2);

/** The tools of the diagnostics, for one console's data folder. */
export const createDiagnosticTools = ({ dataDir }: { readonly dataDir: string }): DiagnosticTools => ({
  runtime: readRuntime,
  folder: () => readFolder(dataDir),
  writeProbe: () => probeFolder(dataDir),
  databaseProbe: (keys, now) => probeDatabase(dataDir, keys, now),
  threadProbe: probeThread,
  logTail: (bytes) => readLogTail(dataDir, bytes),
  zip: zipFiles,
});

/** The console's runtime and system, which do not say who uses them. */
function readRuntime(): RuntimeFacts {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  const versions = Object.entries(process.versions).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    versions: Object.fromEntries(versions),
    system: `${type()} ${release()}`,
    architecture: arch(),
    processors: availableParallelism(),
    memoryTotal: totalmem(),
    memoryFree: freemem(),
    memoryUsed: process.memoryUsage.rss(),
    computerUptimeMs: uptime() * 1_000,
    consoleUptimeMs: process.uptime() * 1_000,
    timeZone,
    locale,
  };
}

/** Sizes by purpose. Files that are removed meanwhile count as nothing. */
async function readFolder(dataDir: string): Promise<FolderFacts> {
  const parts: Record<Part, number> = { vaults: 0, maps: 0, logs: 0, temporary: 0, other: 0 };
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const part = named.find((name) => name === entry.name) ?? 'other';
    const path = join(dataDir, entry.name);
    parts[part] += entry.isDirectory() ? await bytesBelow(path) : await bytesOf(path);
  }
  const free = await freeBytes(dataDir).catch(() => null);
  return { free, parts };
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isFile()) bytes += await bytesOf(join(entry.parentPath, entry.name));
  }
  return bytes;
}

const bytesOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** A zip of `files` with the time `at` (Unix milliseconds). */
async function zipFiles(files: readonly BundledFile[], at: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const yielding = new Yielding();
  let broken: Error | null = null;
  const zip = new Zip((error, piece) => {
    if (error) broken = error;
    else pieces.push(piece);
  });
  for (const { name, bytes } of files) {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = Math.max(at, earliest);
    zip.add(file);
    let from = 0;
    do {
      const end = Math.min(from + pieceBytes, bytes.byteLength);
      file.push(bytes.subarray(from, end), end === bytes.byteLength);
      from = end;
      await yielding.next();
    } while (from < bytes.byteLength);
  }
  zip.end();
  if (broken !== null) throw broken as Error;
  return Buffer.concat(pieces);
}
