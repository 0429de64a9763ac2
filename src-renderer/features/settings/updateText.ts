import type { OutboxState, Release, UpdatesState } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { dateTime, type Zone } from '../../base/format.ts';
import { bytesText } from '../../base/storage.ts';

/** Why this console is not updated from here, and who does it instead. */
export const withheldWords = (why: Exclude<UpdatesState['offered'], 'yes'>): string =>
  t(`updates.withheld.${why}`);

/** `Version 1.1.0, 118 MB, released 19 Nov 2026, 08:00:00 UTC.` */
export const releaseText = ({ version, bytes, releasedAt }: Release, zone: Zone): string =>
  t('updates.release', { version, size: bytesText(bytes), at: dateTime(releasedAt, zone) });

/** How the last look at the server stands: `Last checked 18 Nov 2026, 14:02:31 UTC.` */
export const checkedText = (at: number | null, zone: Zone): string =>
  at === null ? t('updates.notChecked') : t('updates.checked', { at: dateTime(at, zone) });

/** `31% of 118 MB copied and checked`; whole per cent, and never a hundred before it is ready. */
export function takingText({
  release,
  bytes,
}: {
  readonly release: Release;
  readonly bytes: number;
}): string {
  const percent = Math.min(99, Math.floor((bytes / Math.max(1, release.bytes)) * 100));
  return t('updates.taken', { percent, size: bytesText(release.bytes) });
}

/** What an installation means for who works here, one sentence each. */
export function installSentences(
  outbox: Pick<OutboxState, 'unsent'> | undefined,
  live: boolean,
): readonly string[] {
  const unsent = outbox?.unsent ?? 0;
  return [
    t('updates.install.closes'),
    t(live ? 'updates.install.signedOut' : 'updates.install.offline'),
    unsent === 0 ? t('updates.install.nothingWaits') : t('updates.install.waits', {}, unsent),
  ];
}
