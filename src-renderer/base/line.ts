import { isSlowLine, type LineState } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { responseTime, shortTime, type Zone } from './format.ts';
import type { ConnectionLevel } from './liveState.ts';
import { bytesText } from './storage.ts';

/** `Slow link, about 7 kB/s`; null where it is not slow, or not measured. */
const slowWords = (line: LineState | undefined): string | null =>
  line && isSlowLine(line) ? t('status.slowLine', { size: bytesText(line.bytesPerSecond ?? 0) }) : null;

/** What status bar and wallboard say of the line: the hour's data, that data is saved, or that it is slow; null for none. */
export function lineWords(line: LineState | undefined, level: ConnectionLevel, zone: Zone): string | null {
  const limit = line?.limit ?? null;
  if (limit?.state === 'used-up') return t('status.dataUsedUp', { time: shortTime(limit.until, zone) });
  if (line?.saving) return t('status.savingData');
  return level === 'Offline' ? null : slowWords(line);
}

/** A file that the slow line carries sooner is not worth a word, seconds. */
const longSeconds = 60;

/** How long the slow line needs for so many bytes, seconds; null where it is not slow, or not long. */
export function secondsOnLine(line: LineState | undefined, bytes: number): number | null {
  if (line === undefined || !isSlowLine(line)) return null;
  const seconds = bytes / (line.bytesPerSecond ?? 1);
  return seconds < longSeconds ? null : seconds;
}

/** `5% of the last requests were cut or not answered`; null where none was, or too few are known. */
export const lossWords = ({ loss }: LineState): string | null =>
  loss === null || loss === 0 ? null : t('sync.loss', { percent: Math.max(1, Math.round(loss * 100)) });

/** `About 7 kB/s, first byte after 0.7 s`. */
export function rateWords({ bytesPerSecond, roundTripMs }: LineState): string {
  if (bytesPerSecond === null) return t('sync.notMeasured');
  const size = bytesText(bytesPerSecond);
  return roundTripMs === null
    ? t('sync.rateOf', { size })
    : t('sync.rateAfter', { size, time: responseTime(roundTripMs) });
}

/** `1.2 MB received, 88 kB sent`. */
export const bytesWords = ({ sent, received }: LineState['hour']): string =>
  t('sync.bytes', { received: bytesText(received), sent: bytesText(sent) });

/** `1.2 MB of 2.0 MB`; null where the hour has no limit. */
export const limitWords = ({ limit }: LineState): string | null =>
  limit === null ? null : t('sync.usedOf', { used: bytesText(limit.used), limit: bytesText(limit.bytes) });
