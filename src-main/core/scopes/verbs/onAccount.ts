import { failed, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { AccountScope } from '../account.ts';
import type { DeploymentSwitch } from '../deploymentSwitch.ts';

/**
 * A verb on what the operator works with whose vault is open, once what is stored there was taken up. `waits` false:
 * it answers at once, and its feature decides about what comes before that.
 */
export const onAccount =
  (deploymentSwitch: DeploymentSwitch, { waits }: { readonly waits: boolean } = { waits: true }) =>
  <Q, R>(run: (account: AccountScope, request: Q) => Result<R> | Promise<Result<R>>) =>
  async (request: Q): Promise<Result<R>> => {
    const account = deploymentSwitch.current?.account ?? null;
    if (waits) await account?.ready;
    // It may have been left meanwhile.
    if (account !== null && account === deploymentSwitch.current?.account) return run(account, request);
    return failed(makeFailure({ code: 'signed-out', at: deploymentSwitch.now() }));
  };
