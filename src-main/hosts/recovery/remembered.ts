import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { nothingRemembered, type Remembered } from './machine.ts';

/** The document's name in the data folder. */
export const recoveryFile = 'recovery.json';

/** A GPU is tried again after a week: its driver may have been mended meanwhile. */
const gpuOffForMs = 7 * 24 * 60 * 60_000;

const rememberedSchema = z.object({
  format: z.literal(1),
  relaunches: z.array(z.number().int().nonnegative()).max(16),
  gpuOffSince: z.number().int().nonnegative().nullable(),
});

export const encodeRemembered = ({ relaunches, gpuOffSince }: Remembered): string =>
  JSON.stringify({ format: 1, relaunches: [...relaunches], gpuOffSince });

/**
 * What the document says; nothing where it is missing or damaged, since a console that does not start
 * for the sake of this file would be the worse failure. `wallNow`: Unix milliseconds.
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
  const { relaunches, gpuOffSince } = read.data;
  const isOff = gpuOffSince !== null && Math.abs(wallNow - gpuOffSince) < gpuOffForMs;
  return { relaunches, gpuOffSince: isOff ? gpuOffSince : null };
}

/**
 * What must be known before Electron is ready, and so before the console has its data folder: read at
 * once, and never a reason not to start. `wallNow`: Unix milliseconds.
 */
export function readRecoveryAdvice(dataDir: string, wallNow: number): { readonly withoutGpu: boolean } {
  let text: string | null = null;
  try {
    text = readFileSync(join(dataDir, recoveryFile), 'utf8');
  } catch {
    text = null;
  }
  return { withoutGpu: decodeRemembered(text, wallNow).gpuOffSince !== null };
}
