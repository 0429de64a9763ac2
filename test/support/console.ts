import { noPolicy } from '../../src-main/core/features/policy/policy.ts';
import type { App, AppOptions } from '../../src-main/core/scopes/app.ts';
import type { Push, VerbName, VerbReply, VerbRequest } from '../../src-preload/contract/index.ts';
import { said } from './messages.ts';

/** A browser host's console without a policy, on the deployment of this file. */
export const consoleOptions = (deployment: string | null, change: Partial<AppOptions> = {}): AppOptions => ({
  version: '0.0.0',
  host: 'browser',
  named: deployment === null ? [] : [{ source: 'command-line', path: deployment }],
  startTraining: () => Promise.reject(new Error('A deployment is named')),
  forceTraining: false,
  forgetAfterMs: 8 * 3_600_000,
  problem: null,
  policy: noPolicy,
  ...change,
});

/**
 * Asks as a page does.
 *
 * @throws Error that names the verb and its failure
 */
export async function ask<V extends VerbName>(
  to: Pick<App, 'call'>,
  verb: V,
  request: VerbRequest<V>,
): Promise<VerbReply<V>> {
  const result = await to.call(verb, request);
  if (!result.ok) throw new Error(`${verb}: ${result.failure.code}: ${said(result.failure.sentence)}`);
  return result.value as VerbReply<V>;
}

/** A page that acknowledges each push in the next turn of the event loop, after `onPush` has seen it. */
export function acknowledge(console: App, onPush: (push: Push) => void = () => undefined): void {
  const subscription = console.subscribe((push) => {
    onPush(push);
    setImmediate(() => {
      subscription.answer({ kind: 'acknowledge', epoch: push.epoch, revision: push.revision });
    });
  });
}
