import { Scope } from '../../../../src-main/core/base/scope.ts';
import { noPolicy, policyStateOf, type Policy } from '../../../../src-main/core/features/policy/policy.ts';
import { PolicyEnforcer } from '../../../../src-main/core/features/policy/policyEnforcer.ts';
import { readPolicyText } from '../../../../src-main/core/features/policy/policyText.ts';
import { noControl, type HostControl } from '../../../../src-main/core/features/ports.ts';
import type { ConsoleStore } from '../../../../src-main/core/state/consoleStore.ts';
import type { KioskMode, PolicyState } from '../../../../src-preload/contract/index.ts';
import { cheapHasher, type TestPorts } from '../../../support/ports.ts';
import { createFeatureRig } from '../../featureRig.ts';

export const administratorsCode = 'correct horse';

/** A verifier's line for the hasher of the tests, which takes any cost for the cheapest. */
export async function verifierLine(code = administratorsCode): Promise<string> {
  const salt = new Uint8Array(16).fill(7);
  const hash = await cheapHasher.derive(code, salt, 32);
  return `scrypt$131072$8$1$${Buffer.from(salt).toString('base64')}$${Buffer.from(hash).toString('base64')}`;
}

export const policyPath = '/etc/field-console/policy.json';

/** The policy of a machine whose file has this text, or says this beside its version. */
export function machinePolicy(file: object | string, asked: KioskMode = 'off'): Policy {
  const text = typeof file === 'string' ? file : JSON.stringify({ version: 1, ...file });
  return readPolicyText(text, { source: 'machine', path: policyPath, asked, at: 0 });
}

/** Counts how often the host was asked to end the console. */
export function createLeaving(): { readonly control: HostControl; readonly left: () => number } {
  let left = 0;
  const leave = (): void => void (left += 1);
  return { control: { ...noControl, leave }, left: () => left };
}

export interface PolicyRig {
  readonly feature: PolicyEnforcer;
  readonly scope: Scope;
  readonly ports: TestPorts;
  readonly store: ConsoleStore;
  readonly left: () => number;
  /** How often the idle lock was sprung. */
  readonly locks: () => number;
  readonly leaveState: () => PolicyState['leave'];
}

/** A desk over a store in which somebody is signed in; on the same ports it is the next start. */
export async function openEnforcer(
  options: {
    readonly policy?: Policy;
    readonly ports?: TestPorts;
    readonly change?: Partial<TestPorts>;
  } = {},
): Promise<PolicyRig> {
  const { policy = noPolicy } = options;
  const { control, left } = createLeaving();
  const rig = createFeatureRig({ ...options, slices: { policy: policyStateOf(policy) } });
  const { store } = rig;
  const ports = { ...rig, control, ...options.change };
  let locks = 0;
  const scope = new Scope(ports);
  const feature = new PolicyEnforcer({ ...rig, scope, ports, policy }, () => {
    locks += 1;
    store.patch('lock', { locked: true });
  });
  await feature.start();
  return {
    feature,
    scope,
    ports,
    store,
    left,
    locks: () => locks,
    leaveState: () => store.slice('policy').leave,
  };
}
