import type { z } from 'zod';
import type { Result, VerbDeclarations, verbs } from '../../../../src-preload/contract/index.ts';
import type { Diagnostics } from '../../features/diagnostics/diagnostics.ts';
import type { Exports } from '../../features/exports/exports.ts';
import type { MapLibrary } from '../../features/maps/library.ts';
import type { PolicyEnforcer } from '../../features/policy/policyEnforcer.ts';
import type { PreferencesDocument } from '../../features/preferences/preferences.ts';
import type { Updates } from '../../features/updates/updates.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { DeploymentSwitch } from '../deploymentSwitch.ts';
import type { HostControl } from '../ports.ts';

/** What answers the verbs of one feature. Their schemas have read the requests, and access.ts has let them through. */
export type VerbHandlers<D extends VerbDeclarations> = {
  readonly [V in keyof D]: (
    request: z.output<D[V]['request']>,
  ) => Result<z.output<D[V]['reply']>> | Promise<Result<z.output<D[V]['reply']>>>;
};
export type VerbTable = VerbHandlers<typeof verbs>;

/** What verbs act on. */
export interface VerbContext {
  readonly deploymentSwitch: DeploymentSwitch;
  readonly store: ConsoleStore;
  readonly preferences: PreferencesDocument;
  readonly maps: MapLibrary;
  readonly policy: PolicyEnforcer;
  readonly updates: Updates;
  readonly diagnostics: Diagnostics;
  readonly exports: Exports;
  readonly control: HostControl;
}
