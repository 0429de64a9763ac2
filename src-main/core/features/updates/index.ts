import type { updateVerbs } from '../../../../src-preload/contract/index.ts';
import { momentsOf } from '../../base/failure.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import { Updates } from './updates.ts';

export { updatesAtStart } from './updates.ts';

export function openUpdates(app: AppContext) {
  const updates = new Updates({ ...app, ...momentsOf(() => app.clock.wallNow()) });
  app.scope.closing(() => updates.close());
  updates.start();
  const verbs: VerbHandlers<typeof updateVerbs> = {
    checkForUpdate: () => updates.check(),
    takeUpdate: () => updates.take(),
    takeUpdateFromFolder: () => updates.takeFromFolder(),
    installUpdate: ({ version }) => updates.install(version),
    dismissUpdate: () => updates.dismiss(),
  };
  return Object.assign(updates, { verbs });
}
