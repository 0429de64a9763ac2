import type { exportVerbs } from '../../../../src-preload/contract/index.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import { Exports } from './exports.ts';

export { openDownloads } from './downloads.ts';
export { exportsAtStart } from './exportList.ts';
export type { ExportStream } from './exportJob.ts';
export type { Download } from './downloads.ts';

export function openExports(app: AppContext): Exports {
  const exports = new Exports(app, ({ fileName: subject }) => {
    app.emit('shift-line', { kind: 'exported', subject });
  });
  app.scope.closing(() => exports.close());
  return exports;
}

export const exportHandlers = (exports: Exports): VerbHandlers<typeof exportVerbs> => ({
  beginExport: (order) => exports.begin(order),
  cancelExport: ({ jobId }) => exports.cancel(jobId),
  dismissExport: ({ jobId }) => exports.dismiss(jobId),
});
