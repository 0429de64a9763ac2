import {
  ok,
  type lineVerbs,
  type sessionVerbs,
  type storageVerbs,
  type uploadVerbs,
} from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { ServiceLink } from '../../service/transport/link.ts';
import type { DeploymentContext, VerbHandlers } from '../context.ts';

export { SessionReport } from './report.ts';

/** The verbs for signing in and out, locking and unlocking. The token of uploads belongs to the session. */
export const sessionHandlers = (
  { session, ports, refuse }: DeploymentContext,
  { probe }: Pick<ServiceLink, 'probe'>,
): VerbHandlers<typeof sessionVerbs & Pick<typeof uploadVerbs, 'giveUploadToken'>> => ({
  signIn: ({ username, password, uploadToken = null }) => session.signIn(username, password, uploadToken),
  /** Gives a name and a password to a proxy that asks for them, and tries them at once. */
  signInToProxy: async ({ proxy, username, password }) => {
    const { proxySignIn } = ports.network;
    if (!proxySignIn.give(proxy, username, password)) return refuse({ code: 'conflict' });
    const answers = [await probe('infrastructure'), await probe('coordination')];
    const [failure] = answers.flatMap((answer) => (answer.ok ? [] : [answer]));
    return failure !== undefined && proxySignIn.question?.proxy === proxy ? failure : ok(null);
  },
  signOut: () => {
    session.signOut();
    return ok(null);
  },
  renewSession: () => session.renewNow(),
  lock: () => session.lock(),
  unlock: ({ password }) => session.unlock(password),
  giveUploadToken: ({ token }) => session.giveUploadToken(token),
});

/** The verbs for the vaults of the deployment. */
export const storageHandlers = ({
  session,
  vault,
  store,
  refuse,
}: DeploymentContext): VerbHandlers<typeof storageVerbs> => ({
  openWithPrevious: ({ password }) => session.openWithPrevious(password),
  startNewVault: () => session.startNewVault(),
  /** If it is open, its operator is signed out first. `unsent` must be its number of unsent uploads. */
  eraseVault: async ({ id, unsent }) => {
    const found = store.slice('storage').vaults.find((known) => known.id === id);
    if (!found) return refuse({ code: 'not-found', sentence: message('vault.notHere'), remedy: null });
    if (found.unsent !== unsent)
      return refuse({ code: 'conflict', sentence: message('vault.unsentChanged'), remedy: null });
    const { vault: state, username } = session.snapshot();
    const asked = state === 'sealed' && username === found.username && !found.setAside;
    if (asked || vault.current.isOpen(id)) session.signOut();
    return vault.erase(id);
  },
  dismissStorageNotice: () => {
    vault.dismissNotice();
    return ok(null);
  },
});

export const lineHandlers = (deployment: DeploymentContext): VerbHandlers<typeof lineVerbs> => ({
  // What waits for the next hour continues at once. Evidence and events follow at their next turn.
  exceedDataLimit: () => {
    deployment.line.limit?.exceed();
    deployment.emit('limit-exceeded', null);
    return ok(null);
  },
});
