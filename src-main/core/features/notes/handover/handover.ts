import { ok, type Result } from '../../../../../src-preload/contract/index.ts';
import type { Download, Downloads } from '../../exports/index.ts';
import { collectFacts, type HandoverMessages, type HandoverSources, type WatchKept } from './facts.ts';

/** Collects what the handover report says and makes it a download, as JSON: the page writes the report (docs/adr/0038). */
export async function makeHandover(
  sources: HandoverSources & { readonly downloads: Pick<Downloads, 'put'> },
  kept: WatchKept,
  messages: HandoverMessages,
): Promise<Result<Download>> {
  const facts = await collectFacts(sources, kept, messages);
  const minute = new Date(facts.madeAt).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  const bytes = new TextEncoder().encode(JSON.stringify(facts));
  return ok(sources.downloads.put(`handover-${minute}.html`, bytes));
}
