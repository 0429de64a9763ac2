import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { patience } from '../support/patience.ts';
import type { ConsoleState, IncidentDetail, VerbReply } from '../../src-preload/contract/index.ts';

/** A snapshot as JSON: the incident frame is base64. */
export interface RecordedPush {
  readonly slices: Partial<ConsoleState>;
  readonly incidents: string | null;
}

/** What record.ts writes. Each answer is the first page of its list. */
export interface Recorded {
  readonly signedOut: RecordedPush;
  readonly workspace: RecordedPush;
  /** By the key of the incident's row. */
  readonly details: Readonly<Record<number, IncidentDetail>>;
  readonly nearby: VerbReply<'readNearby'>;
  readonly evidence: VerbReply<'readEvidence'>;
  readonly uploads: VerbReply<'readUploads'>;
  readonly audit: VerbReply<'readAudit'>;
  readonly notes: VerbReply<'readNotes'>;
  readonly shift: VerbReply<'readShift'>;
  readonly diagnostics: VerbReply<'readDiagnostics'>;
  readonly selfTest: VerbReply<'runSelfTest'>;
}

const top = resolve(import.meta.dirname, '../..');
/** What a recording is made of. The manifest has a digest of each asset. */
const sources = [
  ...['src-main', 'src-preload', 'test/core', 'test/freeze', 'test/support', 'test/page/record.ts'],
  ...['build/assets/manifest.json', 'package-lock.json'],
];

/** The text of `file` if it is of these sources, else a text that is made, and kept there for the next process. */
export function kept(file: string, of: string, make: () => string): string {
  try {
    const before = JSON.parse(readFileSync(file, 'utf8')) as { readonly of: string; readonly text: string };
    if (before.of === of) return before.text;
  } catch {
    // There is none, or none that can be read.
  }
  const text = make();
  mkdirSync(dirname(file), { recursive: true });
  // Several processes may come here at once; none may read half a file.
  const whole = `${file}.${randomUUID()}`;
  writeFileSync(whole, JSON.stringify({ of, text }));
  renameSync(whole, file);
  return text;
}

/** Makes a recording, as JSON. Throws if that fails; what failed is on the error stream. */
export const record = (): string =>
  execFileSync(process.execPath, [join(import.meta.dirname, 'record.ts')], {
    encoding: 'utf8',
    maxBuffer: Infinity,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: patience.test,
  });

function digest(): string {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) {
    const path = join(top, source);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
          .map((entry) => join(entry.parentPath, entry.name))
      : [path];
    for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** What the states of the page start from. It takes some seconds to make. */
export const recorded = JSON.parse(
  kept(join(top, 'node_modules/.cache/recorded.json'), digest(), record),
) as Recorded;
