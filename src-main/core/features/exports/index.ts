import type { exportVerbs } from '../../../../src-preload/contract/index.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import { Exports } from './exports.ts';

export { openDownloads } from './downloads.ts';
export { exportsAtStart } from './exportList.ts';
export type { ExportStream } from './exportJob.ts';
export type { Download } from './downloads.ts';

export function openExports(app: AppContext) {
  const exports = new Exports(app, ({ fileName: subject }) => {
    app.emit('shift-line', { kind: 'exported', subject });
  });
  app.scope.closing(() => exports.close());
  const verbs: VerbHandlers<typeof exportVerbs> = {
    beginExport: (order) => exports.begin(order),
    cancelExport: ({ jobId }) => exports.cancel(jobId),
    dismissExport: ({ jobId }) => exports.dismiss(jobId),
  };
  return Object.assign(exports, { verbs });
}
