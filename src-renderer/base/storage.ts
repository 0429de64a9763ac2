import type { ApiConnection, Failure, StorageState, VaultSummary } from '../../src-preload/contract/index.ts';
import { computed } from 'vue';
import { t } from '../i18n/index.ts';
import { count, listed, locale, shortMoment, shortSpan, type Zone } from './format.ts';

export const keepingWords = (keeping: StorageState['keeping']): string => t(`storage.keeping.${keeping}`);

/** `data as of 14:02 UTC, 6 h ago`. `now` is server time. */
export function dataAsOf(at: number | null, now: number, zone: Zone): string {
  return at === null
    ? t('storage.nothingStored')
    : t('storage.dataAsOf', { time: shortMoment(at, now, zone), age: shortSpan(now - at) });
}

/** `3 unsent`; empty when all was sent. */
export const unsentWords = (unsent: number): string => (unsent === 0 ? '' : t('storage.unsent', {}, unsent));

/** What a vault that no known password opens holds: `1,707 incidents and 2 uploads`; empty if unknown. */
export function sealedWords({ incidents, unsent }: { incidents: number; unsent: number }): string {
  const parts: string[] = [];
  if (incidents > 0) parts.push(t('storage.heldIncidents', {}, incidents));
  if (unsent > 0) parts.push(t('storage.heldUploads', {}, unsent));
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
      ? t('storage.neverStored')
      : t('storage.fromService', {
          time: shortMoment(lastSyncAt, now, zone),
          age: shortSpan(now - lastSyncAt),
        }),
  ];
  sentences.push(unsent > 0 ? t('storage.unsentLost', {}, unsent) : t('storage.nothingUnsent'));
  if (setAside) sentences.push(t('storage.setAside'));
  return sentences;
}

/** Whether what was typed repeats the number that is lost. */
export const repeats = (typed: string, unsent: number): boolean =>
  unsent === 0 || typed.replaceAll(/\D/g, '') === String(unsent);

const units = [
  'storage.bytes',
  'storage.kilobytes',
  'storage.megabytes',
  'storage.gigabytes',
  'storage.terabytes',
] as const;
const tenths = computed(
  () => new Intl.NumberFormat(locale.value, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);

/** `812 B`, `1.4 MB`: decimal units, as disks are sold and folders are listed. */
export function bytesText(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const n = unit === 0 || value >= 99.95 ? count(Math.round(value)) : tenths.value.format(value);
  return t(units[unit] ?? 'storage.terabytes', { n });
}

const cutOff: ReadonlySet<Failure['code']> = new Set([
  'unreachable',
  'timed-out',
  'tls-refused',
  'answered-by-something-else',
]);

/**
 * What a password can do while the service cannot be reached; null while it can, or while that is not
 * known.
 *
 * @param failure how the last sign-in failed, null when none did.
 * @param opening how many vaults of the deployment a password can open.
 * @param said a failure beside it says already that the service was not reached.
 */
export function offlineSignIn(
  connection: ApiConnection['state'],
  failure: Failure['code'] | null,
  opening: number,
  said = false,
): string | null {
  if (connection !== 'offline' && (failure === null || !cutOff.has(failure))) return null;
  if (said) return t(opening > 0 ? 'storage.passwordOpens' : 'storage.passwordOpensNothing');
  return t(opening > 0 ? 'storage.offlineOpens' : 'storage.offlineNothing');
}
