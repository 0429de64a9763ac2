import { failed, type Failure, type Result } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../base/failure.ts';
import { message } from '../base/messages/message.ts';
import { Scope } from '../base/scope.ts';
import type { Ports } from '../features/ports.ts';
import type { AccountScope } from './account.ts';
import type { App, AppOptions } from './app.ts';
import { openFeatures } from './appFeatures.ts';
import type { DeploymentScope } from './deployment.ts';
import { createDispatcher } from './dispatcher.ts';

/**
 * Makes the console: reads the data folder, finds the chosen deployment, and opens its scope. Never rejects because of
 * an invalid deployment or an unreadable document; the slice `app` shows those.
 */
export async function createApp(ports: Ports, options: AppOptions): Promise<App> {
  const scope = new Scope(ports);
  const { app, publisher, deployments, enforcer, exports, maps, verbs } = await openFeatures(
    scope,
    ports,
    options,
  );
  const { store, downloads, refuse } = app;
  const call = createDispatcher<typeof verbs & DeploymentScope['verbs'] & AccountScope['verbs']>(app, () => {
    const deployment = deployments.current;
    return { app: verbs, deployment: deployment?.verbs ?? null, account: deployment?.account?.verbs ?? null };
  });
  const gone = (): Failure =>
    makeFailure({ code: 'cancelled', at: ports.clock.wallNow(), sentence: message('console.closing') });
  const isLocked = (): boolean => store.slice('lock').locked;
  /** Links and files from the system are opened only while the console is neither closing nor locked. */
  const open = (run: () => Promise<Result<null>>): Promise<Result<null>> => {
    if (scope.isOver) return Promise.resolve(failed(gone()));
    if (isLocked()) return Promise.resolve(refuse({ code: 'locked' }));
    return run();
  };

  return {
    call: async (verb, request) => {
      if (scope.isOver) return failed(gone());
      const answering = call(verb, request);
      // Its changes are pushed at once, without the longer gathering during the first reading.
      publisher.flushSoon();
      const answer = await answering;
      publisher.flushSoon();
      return answer;
    },
    bytes: {
      tile: async (id, z, x, y) => (isLocked() ? { kind: 'locked' } : maps.tile(id, z, x, y)),
      spool: async (id, body) => {
        if (scope.isOver || isLocked()) return 'locked';
        return (
          deployments.current?.account?.receive(id, body) ??
          exports.receive(id, body) ??
          maps.receive(id, body)
        );
      },
      exported: (id) => {
        if (scope.isOver || isLocked() || !options.policy.exports) return null;
        return downloads.take(id) ?? exports.exported(id);
      },
      evidence: (ticket) => {
        if (scope.isOver || isLocked()) return null;
        return deployments.current?.account?.openedContent(ticket) ?? null;
      },
    },
    subscribe: (send) => publisher.subscribe(send),
    watch: (name, listener) => store.watch(name, listener),
    openLink: (link) => open(() => deployments.openLink(link)),
    openFile: (path) => open(() => deployments.openFile(path)),
    wake: () => {
      enforcer.wake();
      deployments.current?.wake();
    },
    close: () => scope[Symbol.asyncDispose](),
  };
}
