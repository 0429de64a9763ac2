import type { LineState } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { responseTime } from './format.ts';
import { bytesText } from './storage.ts';

/** Below this a page of 200 incidents takes seconds, bytes a second. */
const slowBytesPerSecond = 32_000;

/** `Slow link, about 7 kB/s`; null where it is not slow, or not measured. */
export function slowWords(line: LineState | undefined): string | null {
  const rate = line?.bytesPerSecond ?? null;
  return rate === null || rate >= slowBytesPerSecond ? null : t('status.slowLine', { size: bytesText(rate) });
}

/** What the status bar says of the line: that data is saved, or that it is slow; null for neither. */
export const lineWords = (line: LineState | undefined): string | null =>
  line?.saving ? t('status.savingData') : slowWords(line);

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
