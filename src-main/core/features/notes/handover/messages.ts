import type { ShiftEntry } from '../../../../../src-preload/contract/index.ts';
import type { Formatter } from '../../../base/messages/formatter.ts';
import { isPhraseId, type PhraseId } from '../../../base/messages/message.ts';
import type { HandoverFacts } from './facts.ts';

/** How complete the incidents were, and as of when: whole sentences, one after the other. */
export function completenessOf({ incidents, sync }: HandoverFacts, formatter: Formatter): string {
  const { completeness, count: n, lastReadAt } = incidents;
  const { completeAsOf, uncertain } = sync;
  const sentences: string[] = [];
  if (completeness === 'complete') {
    sentences.push(
      completeAsOf === null
        ? formatter.format('handover.complete', { n })
        : formatter.format('handover.completeAsOf', { n, time: formatter.instant(completeAsOf) }),
    );
  } else if (completeness === 'unknown' || uncertain.count === 0) {
    sentences.push(formatter.format('handover.atLeastUnknown', { n }));
  } else {
    sentences.push(formatter.format('handover.atLeast', { n }));
    sentences.push(formatter.format('handover.windows', { n: uncertain.count }));
  }
  sentences.push(
    lastReadAt === null
      ? formatter.format('handover.neverRead')
      : formatter.format('handover.lastRead', { time: formatter.instant(lastReadAt) }),
  );
  return sentences.join(' ');
}

/** What a line of the log says was done; with how it came out, where that has a name. */
export function deedOf({ kind, outcome }: Pick<ShiftEntry, 'kind' | 'outcome'>): PhraseId {
  const came = `handover.outcomes.${outcome ?? ''}`;
  return isPhraseId(came) ? came : `handover.kinds.${kind}`;
}
