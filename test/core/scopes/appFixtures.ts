import type { App, AppOptions } from '../../../src-main/core/scopes/app.ts';
import { createApp } from '../../../src-main/core/scopes/index.ts';
import { startTraining, type TrainingServer, type WireIncident } from '../../support/training/index.ts';
import type {
  ConsoleState,
  Result,
  VerbName,
  VerbReply,
  VerbRequest,
} from '../../../src-preload/contract/index.ts';
import { stepUntil } from '../../support/clock.ts';
import { ask, consoleOptions } from '../../support/console.ts';
import { createTestPorts, type TestPorts } from '../../support/ports.ts';
import { Mirror } from '../state/storeFixtures.ts';
import { wireIncident } from '../state/wireIncident.ts';

export interface OpenConsole {
  readonly console: App;
  readonly ports: TestPorts;
  readonly mirror: Mirror;
  /** The embedded training deployment, once it was asked for. */
  readonly training: () => TrainingServer | null;
  call<V extends VerbName>(verb: V, request: VerbRequest<V>): Promise<Result<unknown>>;
  /** Signs in with training's credentials. */
  signIn(server?: TrainingServer): Promise<Result<unknown>>;
  /** Waits until the page's mirror is so, letting the virtual clock run as little as pushes need. */
  shows(condition: (slices: Partial<ConsoleState>) => boolean, what: string): Promise<void>;
  close(): Promise<void>;
}

/** A training service of its own, for deployments that are named in a file. */
export const startService = (
  ports: TestPorts,
  incidents?: readonly WireIncident[],
): Promise<TrainingServer> =>
  startTraining({
    clock: ports.clock,
    random: ports.random,
    seed: 1,
    dataset:
      incidents ??
      // A minute apart: more in one second than a service has shown on a page could never be complete.
      Array.from({ length: 20 }, (_, index) => {
        const createdAt = new Date(Date.UTC(2026, 10, 20, 12, index)).toISOString();
        return wireIncident(`real-${String(index)}`, createdAt) as WireIncident;
      }),
    switches: { arrivals: false, integrationScript: false },
  });

/** A console with one page that acknowledges at once. */
export async function openConsole(
  change: Partial<AppOptions> & { readonly ports?: TestPorts } = {},
): Promise<OpenConsole> {
  const ports = change.ports ?? createTestPorts();
  let training: TrainingServer | null = null;
  const console = await createApp(
    ports,
    consoleOptions(null, {
      startTraining: async () => {
        training = await startService(ports);
        return training;
      },
      ...change,
    }),
  );
  const mirror = new Mirror();
  const subscription = console.subscribe((push) => {
    subscription.answer(mirror.take(push));
  });
  await ports.clock.advance(0);

  const open: OpenConsole = {
    console,
    ports,
    mirror,
    training: () => training,
    call: (verb, request) => console.call(verb, request),
    signIn: (server) => {
      const from = server ?? training;
      if (!from) throw new Error('There is no training to sign in to');
      return open.call('signIn', { ...from.credentials });
    },
    shows: (condition, what) => stepUntil(ports.clock, () => condition(mirror.slices), { what, stepMs: 30 }),
    close: async () => {
      await console.close();
      await training?.close();
    },
  };
  return open;
}

/** Asks the console, and lets its clock run until it has answered. Throws the failure. */
export const askDriven = <V extends VerbName>(
  { console, ports }: OpenConsole,
  verb: V,
  request: VerbRequest<V>,
): Promise<VerbReply<V>> => ports.clock.drive(ask(console, verb, request));

/** A finished file that waits to be fetched, once; null when none of that id waits. */
export function fetched({ console }: OpenConsole, exportId: string): Uint8Array | null {
  const exported = console.bytes.exported(exportId);
  if (exported !== null && !(exported instanceof Uint8Array)) throw new Error('It comes in pieces');
  return exported;
}
