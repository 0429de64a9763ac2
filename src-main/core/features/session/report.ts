import type { DeploymentContext } from '../context.ts';

/** Writes what is known of the session, the line and the time into their slices. */
export class SessionReport {
  readonly #deployment: DeploymentContext;
  readonly #endedBefore: 'deployment-changed' | null;

  /** `endedBefore`: why the session before this deployment's first ended. */
  constructor(deployment: DeploymentContext, endedBefore: 'deployment-changed' | null) {
    this.#deployment = deployment;
    this.#endedBefore = endedBefore;
  }

  /** The session reports its own steps; from now on the other causes of a change are followed too. */
  start(): void {
    const { scope, store, serverTime, ports, on } = this.#deployment;
    const { proxySignIn } = ports.network;
    const proxy = (): void => {
      store.set('proxy', proxySignIn.question);
    };
    proxy();
    scope.onEnd(serverTime.onChange(() => this.time()));
    scope.onEnd(proxySignIn.onChange(proxy));
    scope.onEnd(store.watch('preferences', () => this.line()));
    on('limit-exceeded', () => this.line());
  }

  session(): void {
    const { store, session: operator, vault: vaults, deployment } = this.#deployment;
    const { vault, session, username, lock, guessesThrottledUntil } = operator.snapshot();
    const ended = this.#endedBefore;
    const isUntouched = session.state === 'none' && session.ended === 'never-started';
    store.set('session', {
      vault,
      session: isUntouched && ended !== null ? { state: 'none', ended } : session,
      username,
    });
    store.set('lock', {
      locked: lock.locked,
      username: lock.locked ? username : null,
      deploymentName: lock.locked ? deployment.name : null,
      throttledUntil: lock.throttledUntil,
    });
    const { sealed } = vaults.current;
    store.patch('storage', {
      previousPassword:
        vault === 'sealed' && sealed ? { ...sealed, throttledUntil: guessesThrottledUntil } : null,
    });
  }

  /** The one place that decides how the line may be used. */
  line(): void {
    const { store, line, deployment, serverNow } = this.#deployment;
    const { fixed, saveData } = store.slice('policy');
    const chosen = store.slice('preferences').saveData ?? deployment.saveData;
    store.set('line', {
      ...line.state(serverNow()),
      saving: fixed.includes('saveData') ? saveData : chosen,
    });
  }

  time(): void {
    const { store, serverTime, serverNow } = this.#deployment;
    store.set('time', {
      serverNow: serverNow(),
      verified: serverTime.verified(),
      skewMs: serverTime.skewMs(),
    });
  }
}
