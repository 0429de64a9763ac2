import { failed, ok, type Result, type VerbReply } from '../../../../../src-preload/contract/index.ts';
import type { Download, Downloads } from '../../exports/index.ts';
import { collectFacts, type HandoverMessages, type HandoverSources, type WatchKept } from './facts.ts';
import type { Handovers } from './handovers.ts';
import { openActionsOf } from './openActions.ts';

export interface HandoverOptions extends HandoverSources {
  readonly username: string;
  readonly downloads: Pick<Downloads, 'put'>;
  readonly handovers: Pick<Handovers, 'give'>;
}

/**
 * Stores what the next operator sees, and offers the report's facts as a download where the policy allows exports.
 * `notStored`: why the next operator does not see it. When there is no report either, that is the failure.
 */
export async function giveHandover(
  options: HandoverOptions,
  kept: WatchKept,
  messages: HandoverMessages,
): Promise<Result<VerbReply<'handOver'>>> {
  const { store, username, handovers } = options;
  const report = store.slice('policy').exports ? await makeReport(options, kept, messages) : null;
  const { summary, successor } = messages;
  const notStored = await handovers.give({
    from: username,
    summary,
    successor,
    shift: kept.shift.startedAt,
    ...openActionsOf(options, kept.pins),
  });
  if (report === null && notStored !== null) return failed(notStored);
  return ok({ report, notStored });
}

/** The facts of a handover report as a JSON download. The page writes the report from it (docs/adr/0038). */
async function makeReport(
  options: HandoverOptions,
  kept: WatchKept,
  messages: HandoverMessages,
): Promise<Download> {
  const facts = await collectFacts(options, kept, messages);
  const minute = new Date(facts.madeAt).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  const bytes = new TextEncoder().encode(JSON.stringify(facts));
  return options.downloads.put(`handover-${minute}.html`, bytes);
}
