import type { policyVerbs } from '../../../../src-preload/contract/index.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import { PolicyEnforcer } from './policyEnforcer.ts';

export { policyStateOf, type Policy } from './policy.ts';

export async function enforcePolicy(app: AppContext, lock: () => void) {
  const enforcer = new PolicyEnforcer(app, lock);
  await enforcer.start();
  const verbs: VerbHandlers<typeof policyVerbs> = {
    noteActivity: () => enforcer.noteActivity(),
    leaveKiosk: ({ code }) => enforcer.leaveKiosk(code),
  };
  return Object.assign(enforcer, { verbs });
}
