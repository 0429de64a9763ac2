import { join } from 'node:path';
import { isMissing } from '../../core/base/errors.ts';
import type { LogFields } from '../../core/base/ports.ts';
import type { LogTail } from '../../core/features/diagnostics/tools.ts';
import { openPlain, UnfitFileError } from '../plainFile.ts';
import { scrubFields } from '../redaction.ts';

/** The current file, after the one before it. */
const names = ['console.log.1', 'console.log'] as const;

/** The last `bytes` of the log in `<dataDir>/logs`, masked again with the present rules. */
export async function readLogTail(dataDir: string, bytes: number): Promise<LogTail> {
  const texts: string[] = [];
  let left = bytes;
  for (const name of names.toReversed()) {
    const text = await lastOf(join(dataDir, 'logs', name), left);
    texts.unshift(text);
    left -= Buffer.byteLength(text);
  }
  const lines: LogFields[] = [];
  let unreadable = 0;
  for (const text of texts.join('').split('\n')) {
    if (text === '') continue;
    const line = readLine(text);
    if (line) lines.push(scrubFields(line));
    else unreadable += 1;
  }
  return { lines, unreadable };
}

/** From the first complete line on. */
async function lastOf(path: string, bytes: number): Promise<string> {
  if (bytes <= 0) return '';
  try {
    const { file, about } = await openPlain(path);
    try {
      const length = Math.min(about.size, bytes);
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await file.read(buffer, 0, length, about.size - length);
      const text = buffer.toString('utf8', 0, bytesRead);
      return length === about.size ? text : text.slice(text.indexOf('\n') + 1);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error) || error instanceof UnfitFileError) return '';
    throw error;
  }
}

/** Null when it is not a flat object, as every line of the log is. */
function readLine(text: string): LogFields | null {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return null;
  const isFlat = Object.values(line).every((value) => value === null || typeof value !== 'object');
  return isFlat ? (line as LogFields) : null;
}
