import type { Browser } from '@playwright/test';
import { readFile } from 'node:fs/promises';

/** What a process has in memory, as words; Linux says it, other systems do not. */
export async function residentWords(pid: number): Promise<string> {
  const bytes = await residentBytes(pid);
  return bytes === null ? 'not said by this system' : `${String(Math.round(bytes / 1_048_576))} MB resident`;
}

/** The same of the largest of a browser's page processes, with its part of JavaScript objects and buffers. */
export async function largestPageWords(browser: Browser): Promise<string> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const sizes = await Promise.all(pages.map(residentBytes));
  const largest = Math.max(...sizes.map((bytes) => bytes ?? 0));
  return largest === 0 ? 'not said by this system' : `${String(Math.round(largest / 1_048_576))} MB resident`;
}

async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
