import {
  policyKeys,
  type Failure,
  type KioskMode,
  type PolicyState,
} from '../../../../src-preload/contract/index.ts';
import type { AllowedDeployments } from '../deployments/index.ts';
import type { CodeVerifier } from './verifier.ts';

/** How a kiosk is left. `system`: its code cannot be read, so only with the operating system. */
export type LeaveRule =
  | { readonly kind: 'anybody' }
  | { readonly kind: 'code'; readonly verifier: CodeVerifier }
  | { readonly kind: 'system' };

/**
 * The rules of this computer: from its policy file, or from the options of a start without one. Read once, at the
 * start: a changed file takes effect at the next start.
 */
export interface Policy {
  readonly source: PolicyState['source'];
  readonly path: string | null;
  /** Why the policy cannot be used. All other members then have their safest value. */
  readonly problem: Failure | null;
  /** The settings that no user can change on this computer: those in the policy, and those that a kiosk implies. */
  readonly fixed: Readonly<PolicyState['fixed']>;
  readonly kiosk: KioskMode;
  readonly leave: LeaveRule;
  /** Milliseconds; null for never, undefined where the operator's preference decides. */
  readonly idleLockMs: number | null | undefined;
  readonly hidePointerMs: number | null;
  readonly rotateMs: number;
  readonly drop: boolean;
  readonly exports: boolean;
  /** Whether evidence may be fetched from the deployment's gateways. */
  readonly evidencePreview: boolean;
  /** Undefined where operators decide. */
  readonly saveData: boolean | undefined;
  /** Whether the authorities that the computer trusts count; undefined where the deployment says so. */
  readonly systemAuthorities: boolean | undefined;
  /** `server` null: the update server of the build. */
  readonly updates: { readonly allowed: boolean; readonly server: string | null };
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly deployments: AllowedDeployments;
  /** Whether a vault's key uses only the password, without the secret in the system's key store. */
  readonly passwordOnly: boolean;
}

export const usualHidePointerMs = 5_000;
const usualRotateMs = 30_000;
const minute = 60_000;

/** For a computer without a policy and a start without a kiosk. */
export const noPolicy: Policy = {
  source: 'none',
  path: null,
  problem: null,
  fixed: [],
  kiosk: 'off',
  leave: { kind: 'anybody' },
  idleLockMs: undefined,
  hidePointerMs: null,
  rotateMs: usualRotateMs,
  drop: true,
  exports: true,
  evidencePreview: true,
  saveData: undefined,
  systemAuthorities: undefined,
  updates: { allowed: true, server: null },
  logLevel: 'info',
  deployments: { kind: 'any' },
  passwordOnly: false,
};

/** The usual idle time before a kiosk locks, milliseconds. A display on a wall never locks. */
export const usualIdleLockMs = (kiosk: Exclude<KioskMode, 'off'>): number | null =>
  kiosk === 'operator' ? 10 * minute : null;

/** The policy for a start with `--kiosk` or `--wallboard` on a computer without a policy. */
export function kioskWithoutPolicy(kiosk: KioskMode): Policy {
  if (kiosk === 'off') return noPolicy;
  return {
    ...noPolicy,
    source: 'command-line',
    fixed: ['kiosk', 'idleLock', 'exports', 'updates', 'drop'],
    kiosk,
    idleLockMs: usualIdleLockMs(kiosk),
    hidePointerMs: usualHidePointerMs,
    drop: false,
    exports: false,
    updates: { allowed: false, server: null },
  };
}

/** The safest policy, for a policy file that cannot be used. */
export const safestPolicy = (found: {
  readonly path: string;
  readonly problem: Failure;
  readonly kiosk: KioskMode;
  readonly verifier: CodeVerifier | null;
}): Policy => ({
  source: 'invalid',
  path: found.path,
  problem: found.problem,
  fixed: policyKeys,
  kiosk: found.kiosk,
  leave: found.verifier === null ? { kind: 'system' } : { kind: 'code', verifier: found.verifier },
  idleLockMs: 5 * minute,
  hidePointerMs: found.kiosk === 'off' ? null : usualHidePointerMs,
  rotateMs: usualRotateMs,
  drop: false,
  exports: false,
  evidencePreview: false,
  saveData: false,
  systemAuthorities: false,
  updates: { allowed: false, server: null },
  logLevel: 'info',
  deployments: { kind: 'known' },
  passwordOnly: false,
});

/** The policy as pages see it: without the verifier. */
export function policyStateOf(policy: Policy): PolicyState {
  const { source, path, problem, fixed, kiosk, hidePointerMs, rotateMs, drop, exports, updates } = policy;
  return {
    source,
    path,
    problem,
    fixed: [...fixed],
    kiosk,
    leave: { code: policy.leave.kind !== 'anybody', throttledUntil: null },
    idleLockMs: policy.idleLockMs ?? null,
    hidePointerMs,
    rotateMs,
    drop,
    exports,
    evidencePreview: policy.evidencePreview,
    saveData: policy.saveData ?? false,
    updates: updates.allowed,
  };
}
