import type { z } from 'zod';
import type { Result, VerbName, VerbReply, verbs } from '../../../../src-preload/contract/index.ts';
import type { MapLibrary } from '../../features/maps/library.ts';
import type { HostControl } from '../ports.ts';
import type { Desk } from '../deploymentSwitch.ts';
import type { DiagnosticsDesk } from '../../features/diagnostics/diagnostics.ts';
import type { ExportDesk } from '../../features/exports/exports.ts';
import type { PolicyDesk } from '../../features/policy/policyEnforcer.ts';
import type { PreferenceBook } from '../../features/preferences/preferences.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { UpdateDesk } from '../../features/updates/updates.ts';

/** A verb's request after its schema has read it. */
type ReadRequest<V extends VerbName> = z.output<(typeof verbs)[V]['request']>;

/** What answers each verb. The schema has read the request, and access.ts has let it through. */
export type VerbTable = {
  readonly [V in VerbName]: (request: ReadRequest<V>) => Result<VerbReply<V>> | Promise<Result<VerbReply<V>>>;
};

/** What verbs act on. */
export interface VerbContext {
  readonly desk: Desk;
  readonly store: ConsoleStore;
  readonly preferences: PreferenceBook;
  readonly maps: MapLibrary;
  readonly policy: PolicyDesk;
  readonly updates: UpdateDesk;
  readonly diagnostics: DiagnosticsDesk;
  readonly exports: ExportDesk;
  readonly control: HostControl;
}
