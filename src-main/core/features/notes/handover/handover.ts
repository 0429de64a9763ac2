import { ok, type Result } from '../../../../../src-preload/contract/index.ts';
import type { Download, Downloads } from '../../exports/index.ts';
import { collectFacts, type HandoverMessages, type HandoverSources, type WatchKept } from './facts.ts';
import { handoverReport } from './report.ts';

/**
 * Makes the handover report as one HTML file and makes it a download. In English without a `wording`.
 *
 * @param picture of the map, a PNG; null for none
 */
export async function makeHandover(
  sources: HandoverSources & { readonly downloads: Pick<Downloads, 'put'> },
  kept: WatchKept,
  words: HandoverMessages,
  picture: Uint8Array | null,
): Promise<Result<Download>> {
  const facts = await collectFacts(sources, kept, words);
  const minute = new Date(facts.madeAt).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  const bytes = new TextEncoder().encode(handoverReport(facts, words.wording, picture));
  return ok(sources.downloads.put(`handover-${minute}.html`, bytes));
}
