import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Running } from './application.ts';
import { pageOf } from './page.ts';
import type { Report } from './report.ts';

/** Of a long text the end, which is where a process died. */
const mostBytes = 20_000;

const endOf = (path: string): string | null => {
  try {
    return readFileSync(path).subarray(-mostBytes).toString('utf8');
  } catch {
    return null;
  }
};

/** What was there when the application ended: what it wrote, its log, its memory of failures, its crash dumps by name. */
export function remains(runs: readonly Running[], dataDirs: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {};
  const keep = (name: string, text: string | null): void => {
    if (text !== null && text !== '') files[name] = text;
  };
  for (const [at, run] of runs.entries())
    keep(`start-${String(at + 1)}-stderr.txt`, run.output().stderr.slice(-mostBytes));
  for (const dataDir of dataDirs) {
    const name = basename(dataDir);
    keep(`${name}-console.log`, endOf(join(dataDir, 'logs', 'console.log')));
    keep(`${name}-recovery.json`, endOf(join(dataDir, 'recovery.json')));
    keep(`${name}-crash-dumps.txt`, namesIn(join(dataDir, 'crashes')).join('\n'));
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.dmp'));
  } catch {
    return [];
  }
}

/** The one file to send back: the report, its page, and the texts of `others` by their names. */
export function archiveOf(report: Report, others: Readonly<Record<string, string>>): Uint8Array {
  const files = {
    [`${report.system}.json`]: `${JSON.stringify(report, null, 2)}\n`,
    [`${report.system}.html`]: pageOf(report),
    ...others,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}
