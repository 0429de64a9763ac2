import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { readPlainNow } from '../../adapters/plainFile.ts';
import { nothingRemembered, recover, startRecovery, type Now, type Remembered } from './machine.ts';

/** The document's name in the data folder. */
export const recoveryFile = 'recovery.json';

/** Bytes: a larger file does not come from the console. */
const largestFile = 4096;

/** A GPU is tried again after a week: its driver may have been repaired meanwhile. */
const gpuOffForMs = 7 * 24 * 60 * 60_000;

/** The version that draws. A GPU that one version of Electron cannot use is tried again by the next one. */
const runtime = process.versions['electron'] ?? 'none';

const instant = z.number().int().nonnegative();
const rememberedSchema = z.object({
  format: z.literal(1),
  relaunches: z.array(instant).max(16),
  gpuOffSince: instant.nullable(),
  gpuOffRuntime: z.string().max(64).default(''),
  brokeAt: instant.nullable().default(null),
});

export const encodeRemembered = ({ relaunches, gpuOffSince, brokeAt }: Remembered): string =>
  JSON.stringify({ format: 1, relaunches: [...relaunches], gpuOffSince, gpuOffRuntime: runtime, brokeAt });

/**
 * The content of the document. Empty when it is missing or damaged, since a console that does not start because of this
 * file would be the worse failure. `wallNow`: Unix milliseconds.
 */
export function decodeRemembered(text: string | null, wallNow: number): Remembered {
  let value: unknown = null;
  try {
    value = text === null ? null : JSON.parse(text);
  } catch {
    return nothingRemembered;
  }
  const read = rememberedSchema.safeParse(value);
  if (!read.success) return nothingRemembered;
  const { relaunches, gpuOffSince, gpuOffRuntime, brokeAt } = read.data;
  const isOff =
    gpuOffSince !== null && Math.abs(wallNow - gpuOffSince) < gpuOffForMs && gpuOffRuntime === runtime;
  return { relaunches, gpuOffSince: isOff ? gpuOffSince : null, brokeAt };
}

/** What a start has to know before Electron is ready. */
export type RecoveryAdvice = Pick<Remembered, 'gpuOffSince' | 'brokeAt'>;

/**
 * Reads what must be known before Electron is ready, and so before the console has its data folder. Synchronous, and
 * never a reason not to start. `wallNow`: Unix milliseconds.
 */
export function readRecoveryAdvice(dataDir: string, wallNow: number): RecoveryAdvice {
  return readRemembered(dataDir, wallNow);
}

function readRemembered(dataDir: string, wallNow: number): Remembered {
  let text: string | null = null;
  try {
    text = readPlainNow(join(dataDir, recoveryFile), largestFile)?.toString() ?? null;
  } catch {
    text = null;
  }
  return decodeRemembered(text, wallNow);
}

/**
 * Writes synchronously that this process ends because of an exception. Returns whether the console may be started
 * again, or was too often within an hour. `unknown` when nothing can be written: starts that leave no trace could
 * repeat without end.
 *
 * `again`: the note was made before, but a document that was being written meanwhile may have replaced it.
 */
export function noteBreak(dataDir: string, now: Now, again = false): 'relaunch' | 'stop' | 'unknown' {
  const path = join(dataDir, recoveryFile);
  const remembered = readRemembered(dataDir, now.wall);
  if (again && remembered.brokeAt === now.wall) return 'relaunch';
  const { state, step } = recover(startRecovery(remembered), { kind: 'console-broke' }, now);
  const beside = `${path}.break`;
  try {
    // A new file: a link in its place is not followed.
    rmSync(beside, { force: true });
    writeFileSync(beside, encodeRemembered(state.remembered), { flag: 'wx', mode: 0o600, flush: true });
    renameSync(beside, path);
  } catch {
    rmSync(beside, { force: true });
    return 'unknown';
  }
  return step.kind === 'relaunch' ? 'relaunch' : 'stop';
}
