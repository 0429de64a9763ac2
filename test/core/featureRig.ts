import { createEvents, type Events } from '../../src-main/core/base/events.ts';
import { Scope } from '../../src-main/core/base/scope.ts';
import { momentsOf } from '../../src-main/core/base/failure.ts';
import type { AccountEvents, AppContext } from '../../src-main/core/features/context.ts';
import { Downloads } from '../../src-main/core/features/exports/downloads.ts';
import { noPolicy, type Policy } from '../../src-main/core/features/policy/policy.ts';
import type { ConsoleStore } from '../../src-main/core/state/consoleStore.ts';
import type { ApiConnection, ConsoleState } from '../../src-preload/contract/index.ts';
import { createTestPorts, type TestPorts } from '../support/ports.ts';
import { createTestStore } from './state/storeFixtures.ts';

/** What every feature of the core stands on. */
export interface FeatureRig
  extends TestPorts, Omit<AppContext, keyof TestPorts | keyof Events<AccountEvents>>, Events<AccountEvents> {
  readonly ports: TestPorts;
  /** The service's time is the clock's. */
  readonly serverTime: { readonly serverNow: () => number; readonly verified: () => boolean };
  /** May be set: what `connection` answers. */
  readonly link: { state: ApiConnection['state'] };
  readonly connection: () => Pick<ApiConnection, 'state'>;
  /** May be set: whether the service's time is known. */
  readonly time: { verified: boolean };
}

export interface FeatureRigOptions {
  /** The same ports are the next start on the same data folder. */
  readonly ports?: TestPorts;
  readonly store?: ConsoleStore;
  /** What the slices say at the start, where it is not the usual. */
  readonly slices?: Partial<ConsoleState>;
  readonly seed?: number;
  readonly policy?: Policy;
  readonly version?: string;
}

/** A store, a virtual clock and memory, for one feature without a console, a session or a service around it. */
export function createFeatureRig(options: FeatureRigOptions = {}): FeatureRig {
  const ports = options.ports ?? createTestPorts(options.seed === undefined ? {} : { seed: options.seed });
  const link: FeatureRig['link'] = { state: 'online' };
  const time = { verified: true };
  const now = (): number => ports.clock.wallNow();
  const scope = new Scope(ports);
  return {
    ...ports,
    ports,
    scope,
    ...momentsOf(now),
    ...createEvents<AccountEvents, AccountEvents>(scope),
    policy: options.policy ?? noPolicy,
    version: options.version ?? '9.9.9',
    store: options.store ?? createTestStore(options.slices),
    downloads: new Downloads(ports),
    serverTime: { serverNow: now, verified: () => time.verified },
    link,
    connection: () => link,
    time,
  };
}
