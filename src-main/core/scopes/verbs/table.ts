import type { z } from 'zod';
import type { Result, VerbName, VerbReply, verbs } from '../../../../src-preload/contract/index.ts';
import type { Diagnostics } from '../../features/diagnostics/diagnostics.ts';
import type { Exports } from '../../features/exports/exports.ts';
import type { MapLibrary } from '../../features/maps/library.ts';
import type { PolicyEnforcer } from '../../features/policy/policyEnforcer.ts';
import type { PreferencesDocument } from '../../features/preferences/preferences.ts';
import type { Updates } from '../../features/updates/updates.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { DeploymentSwitch } from '../deploymentSwitch.ts';
import type { HostControl } from '../ports.ts';

/** A verb's request after its schema has read it. */
type ReadRequest<V extends VerbName> = z.output<(typeof verbs)[V]['request']>;

/** What answers each verb. The schema has read the request, and access.ts has let it through. */
export type VerbTable = {
  readonly [V in VerbName]: (request: ReadRequest<V>) => Result<VerbReply<V>> | Promise<Result<VerbReply<V>>>;
};

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
