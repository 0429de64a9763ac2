import type { z } from 'zod';
import {
  failed,
  type Result,
  type VerbDeclarations,
  type verbs,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { DeploymentChecks } from '../../features/deploymentCheck/index.ts';
import type { Diagnostics } from '../../features/diagnostics/diagnostics.ts';
import type { Exports } from '../../features/exports/exports.ts';
import type { MapLibrary } from '../../features/maps/library.ts';
import type { PolicyEnforcer } from '../../features/policy/policyEnforcer.ts';
import type { PreferencesDocument } from '../../features/preferences/preferences.ts';
import type { Updates } from '../../features/updates/updates.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { AccountScope } from '../account.ts';
import type { DeploymentSwitch } from '../deploymentSwitch.ts';
import type { HostControl } from '../ports.ts';

/** The functions for the verbs of one feature. Their requests have been read by schema and allowed by access.ts. */
export type VerbHandlers<D extends VerbDeclarations> = {
  readonly [V in keyof D]: (
    request: z.output<D[V]['request']>,
  ) => Result<z.output<D[V]['reply']>> | Promise<Result<z.output<D[V]['reply']>>>;
};
export type VerbTable = VerbHandlers<typeof verbs>;

/** What the functions of verbs work on. */
export interface VerbContext {
  readonly deploymentSwitch: DeploymentSwitch;
  readonly store: ConsoleStore;
  readonly preferences: PreferencesDocument;
  readonly maps: MapLibrary;
  readonly policy: PolicyEnforcer;
  readonly updates: Updates;
  readonly deploymentChecks: DeploymentChecks;
  readonly diagnostics: Diagnostics;
  readonly exports: Exports;
  readonly control: HostControl;
}

/** Removes members whose value is undefined: they must not erase what is set. */
export const given = <T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/**
 * Runs a verb on the features of the operator whose vault is open, after the stored data are loaded. `waits` false:
 * runs at once, and the feature decides what is possible before that.
 */
export const onAccount =
  (deploymentSwitch: DeploymentSwitch, { waits }: { readonly waits: boolean } = { waits: true }) =>
  <Q, R>(run: (account: AccountScope, request: Q) => Result<R> | Promise<Result<R>>) =>
  async (request: Q): Promise<Result<R>> => {
    const account = deploymentSwitch.current?.account ?? null;
    if (waits) await account?.ready;
    // The account may have been closed meanwhile.
    if (account !== null && account === deploymentSwitch.current?.account) return run(account, request);
    return failed(makeFailure({ code: 'signed-out', at: deploymentSwitch.now() }));
  };
