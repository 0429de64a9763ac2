import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createRecordFolders } from '../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../src-main/adapters/vault/storage.ts';
import type { TrainingServer } from '../support/training/index.ts';
import { openConsole, startService, type OpenConsole } from '../core/scopes/appFixtures.ts';
import { createTestPorts, type TestPorts } from '../support/ports.ts';
import { watchThreads, type Threads } from '../support/threads.ts';
import { createVirtualWorld } from '../support/virtualWorld.ts';
import { Busy } from './busy.ts';
import { Tape } from './tape.ts';

export const second = 1000;
export const minute = 60 * second;

/** Ports that answer from a thread or a file, in real time. */
const inRealTime = ['vaults', 'records', 'handovers', 'readTextFile'] as const;

export interface VaultRig {
  readonly tape: Tape;
  readonly service: TrainingServer;
  /** A second service, without an incident. */
  readonly other: TrainingServer;
  readonly ports: TestPorts;
  readonly threads: Threads;
  /** Lets time pass, but only while neither a request nor a thread owes an answer. */
  advance(ms: number): Promise<void>;
  /** The text of a deployment file of one of the services. */
  deployment(of: TrainingServer, id: string): string;
  /** The console that runs. */
  now(): OpenConsole;
  /** Ends the console that runs, if any. */
  end(): Promise<void>;
  /** Starts a console on the same folder; where one runs it is ended first. */
  start(): Promise<OpenConsole>;
}

/**
 * A console whose vault lies on the disk, with a tape of what it tells and answers. Its threads are on no virtual clock:
 * what they say is waited for, and what takes them longer or shorter is not on the tape.
 */
export async function vaultRig(): Promise<VaultRig> {
  const seeded = createTestPorts({ seed: 18 });
  const { clock, dataDir } = seeded;
  const ports: TestPorts = {
    ...seeded,
    // Of two requests that fail at one time either may be the first to draw the time of its next attempt.
    random: { ...seeded.random, fraction: () => 0.5 },
    // A thread that died is started again when the tape's clock says so, and not some time later.
    vaults: createVaultStorage({ dataDir, clock }),
    records: createRecordFolders({ dataDir, clock }),
  };
  const folder = await mkdtemp(join(tmpdir(), 'field-console-day-'));
  const service = await startService(ports);
  const other = await startService(ports, []);
  // A request that is answered for ever would never let the clock go on.
  for (const one of [service, other]) await one.set({ eventStream: 'refused' });
  const threads = watchThreads();
  const world = createVirtualWorld({ clock, held: () => 0 });
  const busy = new Busy(() => world.settle());
  const quiet = (): Promise<void> => busy.settle(() => world.settle());
  let running: OpenConsole | null = null;
  const advance = async (ms: number): Promise<void> => {
    const until = clock.elapsed() + ms;
    do await quiet();
    while (clock.runNext(until));
    clock.sleep(until - clock.elapsed());
    await quiet();
  };
  const deployment = ({ infrastructureUrl, coordinationUrl }: TrainingServer, id: string): string =>
    JSON.stringify({
      version: 1,
      id,
      name: id,
      infrastructureUrl,
      coordinationUrl,
      timestampUnit: 'seconds',
    });
  const path = join(folder, 'field.json');
  await writeFile(path, deployment(service, 'field'));
  const end = async (): Promise<void> => {
    await running?.console.close();
    running = null;
  };
  const start = async (): Promise<OpenConsole> => {
    await end();
    running = await openConsole({
      ports: busy.overAll(ports, inRealTime),
      named: [{ source: 'command-line', path }],
    });
    return running;
  };
  onTestFinished(async () => {
    await end();
    for (const one of [service, other]) await one.close();
    for (const one of [ports.vaults, seeded.vaults]) await one.close();
    threads.stop();
    world.close();
    await rm(folder, { recursive: true, force: true });
  });
  const names = [service, other].flatMap(({ infrastructureUrl, coordinationUrl }, at) => [
    [infrastructureUrl, `infrastructure-${String(at)}`] as const,
    [coordinationUrl, `coordination-${String(at)}`] as const,
    [new URL(infrastructureUrl).host, `infrastructure-host-${String(at)}`] as const,
    [new URL(coordinationUrl).host, `coordination-host-${String(at)}`] as const,
  ]);
  const tape = new Tape(await start(), {
    // No verb here waits for the clock, and the threads that open a vault take as long as the machine lets them.
    settle: async (answer) => {
      await answer;
      await advance(second);
    },
    names: [...names, [dataDir, 'data'], [folder, 'folder']],
  });
  const now = (): OpenConsole => {
    if (running === null) throw new Error('No console runs');
    return running;
  };
  return { tape, service, other, ports, threads, advance, deployment, now, end, start };
}
