import { failed, ok, type Result, type VerbReply } from '../../../../../src-preload/contract/index.ts';
import type { LocalAccount } from '../../context.ts';
import type { Download } from '../../exports/index.ts';
import { collectFacts, type FactSources, type HandoverMessages, type WatchKept } from './facts.ts';
import type { Handovers } from './handovers.ts';
import { openActionsOf } from './openActions.ts';

export interface HandoverSources extends FactSources {
  readonly handovers: Pick<Handovers, 'give'>;
}

/**
 * Stores what the next operator sees, and offers the report's facts as a download where the policy allows exports.
 * `notStored`: why the next operator does not see it. When there is no report either, that is the failure.
 */
export async function giveHandover(
  account: LocalAccount,
  sources: HandoverSources,
  kept: WatchKept,
  messages: HandoverMessages,
): Promise<Result<VerbReply<'handOver'>>> {
  const { store, username } = account;
  const report = store.slice('policy').exports ? await makeReport(account, sources, kept, messages) : null;
  const { summary, successor } = messages;
  const notStored = await sources.handovers.give({
    from: username,
    summary,
    successor,
    shift: kept.shift.startedAt,
    ...openActionsOf(account, sources, kept.pins),
  });
  if (report === null && notStored !== null) return failed(notStored);
  return ok({ report, notStored });
}

/** The facts of a handover report as a JSON download. The page writes the report from it (docs/adr/0038). */
async function makeReport(
  account: LocalAccount,
  sources: HandoverSources,
  kept: WatchKept,
  messages: HandoverMessages,
): Promise<Download> {
  const facts = await collectFacts(account, sources, kept, messages);
  const minute = new Date(facts.madeAt).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  const bytes = new TextEncoder().encode(JSON.stringify(facts));
  return account.downloads.put(`handover-${minute}.html`, bytes);
}
