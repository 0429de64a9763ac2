import { failed } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import type { VerbContext, VerbTable } from './table.ts';

type ExportVerb = 'beginExport' | 'cancelExport' | 'dismissExport';

/** Incidents as files. */
export function exportVerbs({ desk }: VerbContext): Pick<VerbTable, ExportVerb> {
  const signedOut = () => failed(makeFailure({ code: 'signed-out', at: desk.now() }));
  return {
    beginExport: () => signedOut(),
    cancelExport: () => signedOut(),
    dismissExport: () => signedOut(),
  };
}
