import type { ApiConnection, Failure, StorageState, VaultSummary } from '../../src-preload/contract/index.ts';
import { count, counted, listed, shortMoment, shortSpan, type Zone } from './format.ts';

export const keepingWords: Readonly<Record<StorageState['keeping'], string>> = {
  nothing: 'Nothing is being kept: no vault is open.',
  disk: 'What is known is kept encrypted on this computer. It opens with your password, also without the network.',
  memory: 'What is known is kept in memory only and is lost when the console ends.',
};

/** `data as of 14:02 UTC, 6 h ago`. `now` is station time. */
export function dataAsOf(at: number | null, now: number, zone: Zone): string {
  return at === null
    ? 'nothing stored yet'
    : `data as of ${shortMoment(at, now, zone)}, ${shortSpan(now - at)} ago`;
}

/** `3 unsent`; empty when all was sent. */
export const unsentWords = (unsent: number): string => (unsent === 0 ? '' : `${count(unsent)} unsent`);

/** What a vault that no known password opens holds: `1,707 incidents and 2 uploads`; empty if unknown. */
export function sealedWords({ incidents, unsent }: { incidents: number; unsent: number }): string {
  const parts: string[] = [];
  if (incidents > 0) parts.push(counted(incidents, 'incident', 'incidents'));
  if (unsent > 0) parts.push(counted(unsent, 'upload', 'uploads'));
  return listed(parts);
}

/** What erasing a vault costs, as sentences. */
export function lossSentences(
  { lastSyncAt, unsent, setAside }: VaultSummary,
  now: number,
  zone: Zone,
): string[] {
  const sentences = [
    lastSyncAt === null
      ? 'Nothing was ever stored in it.'
      : `Its ${dataAsOf(lastSyncAt, now, zone)}, can then be had from the service only.`,
  ];
  if (unsent > 0) {
    const things = counted(unsent, 'item that was', 'items that were');
    sentences.push(`${things} never sent to the service ${unsent === 1 ? 'is' : 'are'} lost for good.`);
  } else sentences.push('Nothing in it waits to be sent.');
  if (setAside) sentences.push('It is sealed with a previous password, and nobody can read it without that.');
  return sentences;
}

/** Whether what was typed repeats the number that is lost. */
export const repeats = (typed: string, unsent: number): boolean =>
  unsent === 0 || typed.replaceAll(/[,\s]/g, '') === String(unsent);

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `812 B`, `1.4 MB`: decimal units, as disks are sold and folders are listed. */
export function bytesText(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const figures = unit === 0 || value >= 99.95 ? Math.round(value).toString() : value.toFixed(1);
  return `${figures} ${units[unit] ?? 'TB'}`;
}

const cutOff: ReadonlySet<Failure['code']> = new Set([
  'unreachable',
  'timed-out',
  'tls-refused',
  'answered-by-something-else',
]);

/**
 * What a password can do while the service cannot be reached; null while it can, or while nobody
 * knows.
 *
 * @param failure how the last sign-in failed, null when none did.
 * @param opening how many vaults of the deployment a password can open.
 */
export function offlineSignIn(
  connection: ApiConnection['state'],
  failure: Failure['code'] | null,
  opening: number,
): string | null {
  if (connection !== 'offline' && (failure === null || !cutOff.has(failure))) return null;
  return opening > 0
    ? 'The service cannot be reached. Your password opens what is kept on this computer, read-only.'
    : 'The service cannot be reached, and nothing of it is kept on this computer. Signing in needs the service.';
}
