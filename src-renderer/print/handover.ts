/* eslint-disable words/literal-text -- English in every language: names of interfaces. */
import type { CoordinateFormat, HandoverReport, ShiftEntry } from '../../src-preload/contract/index.ts';
import { count, type Zone } from '../base/format.ts';
import { t } from '../i18n/index.ts';
import type { PaperTimes } from './paperTime.ts';

/** A handover report, and how the page that writes it shows things. */
export interface Handover {
  readonly report: HandoverReport;
  readonly zone: Zone;
  /** In which places are written beside decimal degrees. */
  readonly coordinates: Exclude<CoordinateFormat, 'dd'>;
  /** The map as a `data:` address; null where it could not be drawn. */
  readonly picture: string | null;
  /** What a line of the log says was done. */
  readonly deed: (entry: ShiftEntry) => { readonly text: string; readonly isUnknown: boolean };
}

/** How complete the incidents were, and as of when: whole sentences, one after the other. */
export function dataText({ incidents, sync }: HandoverReport, { instant }: PaperTimes): string {
  const { completeness, count: n, lastReadAt } = incidents;
  const { completeAsOf, uncertain } = sync;
  const sentences: string[] = [];
  if (completeness === 'complete') {
    sentences.push(
      completeAsOf === null
        ? t('print.handover.complete', {}, n)
        : t('print.handover.completeAsOf', { time: instant(completeAsOf) }, n),
    );
  } else if (completeness === 'unknown' || uncertain === 0) {
    sentences.push(t('print.handover.atLeastUnknown', {}, n));
  } else {
    sentences.push(t('print.handover.atLeast', {}, n), t('print.handover.windows', {}, uncertain));
  }
  sentences.push(
    lastReadAt === null
      ? t('print.handover.neverRead')
      : t('print.handover.lastRead', { time: instant(lastReadAt) }),
  );
  return sentences.join(' ');
}

/** How many are open, and which of them are listed. */
export function openText({ open }: HandoverReport): string {
  const { critical, unranked, high, shown } = open;
  return [
    t('print.handover.openCounts', { critical: count(critical), high: count(high) }),
    ...(unranked > 0 ? [t('print.handover.openUnranked', { unranked: count(unranked) })] : []),
    ...(critical + unranked + high > shown.length
      ? [t('print.handover.openFirst', { shown: count(shown.length) })]
      : []),
  ].join(' ');
}

/** How each interface was reached. */
export const reachedTexts = ({ connection }: HandoverReport, { instant }: PaperTimes): string[] =>
  (
    [
      ['Infrastructure API', connection.infrastructure],
      ['Coordination API', connection.coordination],
    ] as const
  ).map(([api, { state, since }]) =>
    t(`print.handover.connections.${state}`, { api, since: instant(since) }),
  );
