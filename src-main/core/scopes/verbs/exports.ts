import type { VerbContext, VerbTable } from './table.ts';

type ExportVerb = 'beginExport' | 'cancelExport' | 'dismissExport';

/** Incidents as files; access.ts lets these through only while somebody is signed in. */
export function exportVerbs({ exports }: VerbContext): Pick<VerbTable, ExportVerb> {
  return {
    beginExport: (order) => exports.begin(order),
    cancelExport: ({ jobId }) => exports.cancel(jobId),
    dismissExport: ({ jobId }) => exports.dismiss(jobId),
  };
}
