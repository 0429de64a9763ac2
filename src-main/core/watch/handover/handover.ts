import { ok, type Result, type Wording } from '../../../../src-preload/contract/index.ts';
import type { ExportShelf, Shelved } from '../../exports/shelf.ts';
import { collectFacts, type HandoverSources, type WatchKept } from './facts.ts';
import { handoverReport } from './report.ts';

/** Makes the handover report as one HTML file and puts it on the shelf. In English without `wording`. */
export async function makeHandover(
  sources: HandoverSources & { readonly shelf: Pick<ExportShelf, 'put'> },
  kept: WatchKept,
  wording: Wording | null,
): Promise<Result<Shelved>> {
  const facts = await collectFacts(sources, kept);
  const minute = new Date(facts.madeAt).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  const bytes = new TextEncoder().encode(handoverReport(facts, wording));
  return ok(sources.shelf.put(`handover-${minute}.html`, bytes));
}
