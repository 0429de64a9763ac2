import type { PolicyState } from '../../src-preload/contract/index.ts';
import { span } from './format.ts';

type PolicyKey = PolicyState['fixed'][number];

/** What stands beside a control that the policy has decided. */
export const fixedWords = 'Fixed by this computer’s policy';

export const isFixed = (policy: PolicyState | undefined, key: PolicyKey): boolean =>
  policy?.fixed.includes(key) === true;

/** Where what holds on this computer comes from, as a sentence. */
export function sourceWords({ source }: PolicyState): string {
  switch (source) {
    case 'none':
      return 'This computer has no policy: every setting here is the operator’s.';
    case 'machine':
      return 'An administrator has fixed some settings of this computer in its policy file.';
    case 'command-line':
      return 'Some settings were fixed when the console was started.';
    case 'invalid':
      return 'This computer’s policy cannot be used, so the console is in its safest form until it is mended.';
  }
}

export interface FixedSetting {
  readonly key: PolicyKey;
  readonly name: string;
  readonly value: string;
}

const allowed = (may: boolean): string => (may ? 'Allowed' : 'Not allowed');

const kiosks: Readonly<Record<PolicyState['kiosk'], string>> = {
  off: 'Off',
  operator: 'On, for an operator',
  wallboard: 'On, as a wallboard that only shows',
};

/** When the console locks by itself: `After 5 min`, `Never`. */
export const idleLockWords = (ms: number | null): string => (ms === null ? 'Never' : `After ${span(ms)}`);

/** What the policy fixes, with the value that holds, in the policy's own order. */
export function fixedSettings(policy: PolicyState): readonly FixedSetting[] {
  const values: Readonly<Record<PolicyKey, readonly [name: string, value: string]>> = {
    deployments: ['Deployments', 'Only those that the policy names'],
    kiosk: ['Kiosk', kiosks[policy.kiosk]],
    idleLock: ['Lock by itself', idleLockWords(policy.idleLockMs)],
    exports: ['Saving to files', allowed(policy.exports)],
    updates: ['Updates', allowed(policy.updates)],
    drop: ['Dropping files', allowed(policy.drop)],
    logLevel: ['Detail of the log', 'Set by the policy'],
  };
  return policy.fixed.map((key) => {
    const [name, value] = values[key];
    return { key, name, value };
  });
}
