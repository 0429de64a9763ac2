import { once } from 'node:events';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from '../e2e/support/launch.ts';
import { askProgram, endProgram, startProgram } from './children.ts';
import type { ConsoleAnswer, ConsoleCommand, MemoryAnswer } from './programs/console.ts';
import type { ServiceReady } from './programs/service.ts';
import type { SizeLine } from './statistics.ts';
import { writeBenchDeployment } from './sync.ts';

/** What a console with hardly an incident has in memory, which is no incident's. */
const hardlyAny = 1_000;

interface Session {
  readonly ms: number;
  readonly memory: MemoryAnswer;
  readonly longestMs: number;
}

interface Sessions {
  readonly synced: Session;
  readonly opened: Session;
}

/**
 * What the main process has in memory at rest, after a whole sync and after the opening of the vault that the sync
 * left, without its service; of that, what each incident takes beyond a console with hardly any. The time of the
 * opening is from the password until all are known.
 */
export async function benchMainMemory({ size }: { readonly size: number }): Promise<SizeLine[]> {
  const floor = await sessions(hardlyAny);
  const ours = await sessions(size);
  return (['synced', 'opened'] as const).flatMap((name) => {
    const { ms, memory, longestMs } = ours[name];
    const each = (memory.rss - floor[name].memory.rss) / (size - hardlyAny);
    const { heapUsed, buffers, details, search } = memory;
    return [
      {
        what: `main process, ${name}`,
        size,
        value: `${megabytes(memory.rss)} resident, ${(each / 1024).toFixed(2)} KB an incident`,
      },
      {
        what: `  after a collection`,
        size,
        value: `${megabytes(heapUsed)} heap, ${megabytes(buffers)} buffers`,
      },
      {
        what: `  until all are known`,
        size,
        value: `${(ms / 1000).toFixed(2)} s, longest hold of the loop ${longestMs.toFixed(0)} ms`,
      },
      {
        what: `  details, search`,
        size,
        value: `details ${details.median.toFixed(3)} ms (longest ${details.longest.toFixed(2)}), blockchain records ${search.toFixed(0)} ms`,
      },
    ];
  });
}

async function sessions(size: number): Promise<Sessions> {
  const work = await temporaryFolder();
  const service = startProgram('service', String(size));
  try {
    const [ready] = (await once(service, 'message')) as [ServiceReady];
    const deployment = await writeBenchDeployment(work, ready);
    const dataDir = join(work, 'data');
    const synced = await session({ dataDir, deployment, ready, size, complete: true });
    await endProgram(service);
    const opened = await session({ dataDir, deployment, ready, size, complete: false });
    return { synced, opened };
  } finally {
    if (service.connected) await endProgram(service);
    await removeFolder(work);
  }
}

async function session(options: {
  readonly dataDir: string;
  readonly deployment: string;
  readonly ready: ServiceReady;
  readonly size: number;
  readonly complete: boolean;
}): Promise<Session> {
  const { dataDir, deployment, ready, size, complete } = options;
  const child = startProgram('console', dataDir, deployment);
  await once(child, 'message');
  const tell = <T>(command: ConsoleCommand): Promise<T> => askProgram<T>(child, command);
  await tell({ kind: 'sign-in', ...ready.credentials });
  const { ms, loop } = await tell<ConsoleAnswer>({ kind: 'until', count: size, complete });
  const memory = await tell<MemoryAnswer>({ kind: 'memory' });
  await endProgram(child);
  return { ms, memory, longestMs: loop.longest };
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;
