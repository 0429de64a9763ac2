import {
  policyKeys,
  type Failure,
  type KioskMode,
  type PolicyState,
} from '../../../../src-preload/contract/index.ts';
import type { AllowedDeployments } from '../deployments/index.ts';
import type { CodeVerifier } from './verifier.ts';

/** How a kiosk is ended. `system`: its code cannot be read, so only by means of the operating system. */
export type LeaveRule =
  | { readonly kind: 'anybody' }
  | { readonly kind: 'code'; readonly verifier: CodeVerifier }
  | { readonly kind: 'system' };

/**
 * What holds on this computer: its policy file, or what a start without one asks for. Read once, at
 * the start; a changed file counts from the next start on.
 */
export interface Policy {
  readonly source: PolicyState['source'];
  readonly path: string | null;
  /** Why the policy cannot be used; everything else is then in its safest form. */
  readonly problem: Failure | null;
  /** What nobody can change on this computer: what the policy says, and what follows from a kiosk. */
  readonly fixed: Readonly<PolicyState['fixed']>;
  readonly kiosk: KioskMode;
  readonly leave: LeaveRule;
  /** Milliseconds; null for never, undefined where the operator's preference says. */
  readonly idleLockMs: number | null | undefined;
  readonly hidePointerMs: number | null;
  readonly rotateMs: number;
  readonly drop: boolean;
  readonly exports: boolean;
  /** Whether evidence may be fetched from a deployment's gateways. */
  readonly evidencePreview: boolean;
  /** `server` null: the one that the build names. */
  readonly updates: { readonly allowed: boolean; readonly server: string | null };
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly deployments: AllowedDeployments;
  /** Whether a vault's key is made of the password alone, without the secret that the system keeps for this user. */
  readonly passwordOnly: boolean;
}

export const usualHidePointerMs = 5_000;
const usualRotateMs = 30_000;
const minute = 60_000;

/** A computer without a policy, and a start that asks for no kiosk. */
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
  updates: { allowed: true, server: null },
  logLevel: 'info',
  deployments: { kind: 'any' },
  passwordOnly: false,
};

/** How long a kiosk waits for its operator, where nothing else is said: a display on a wall has none. */
export const usualIdleLockMs = (kiosk: Exclude<KioskMode, 'off'>): number | null =>
  kiosk === 'operator' ? 10 * minute : null;

/** What a start with `--kiosk` or `--wallboard` asks for, without a policy. */
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

/** The safest form, for a policy that is there and cannot be used. */
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
  updates: { allowed: false, server: null },
  logLevel: 'info',
  deployments: { kind: 'known' },
  passwordOnly: false,
});

/** The policy as the page is told of it: never the verifier. */
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
    updates: updates.allowed,
  };
}
