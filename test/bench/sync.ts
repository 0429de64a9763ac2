import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent, request } from 'undici';
import { removeFolder, temporaryFolder, writeDeployment } from '../e2e/support/launch.ts';
import { askProgram, endProgram, startProgram } from './children.ts';
import type { ConsoleAnswer, ConsoleCommand } from './programs/console.ts';
import type { ServiceReady } from './programs/service.ts';
import { measure, median, type LoopDelay, type Row } from './statistics.ts';

const changes = 100;

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;

export const writeBenchDeployment = (work: string, ready: ServiceReady): Promise<string> =>
  writeDeployment(work, {
    id: 'bench',
    name: 'Bench',
    infrastructureUrl: ready.infrastructureUrl,
    coordinationUrl: ready.coordinationUrl,
    timestampUnit: 'seconds',
    pollIntervals: { incidentsMs: 15_000, healthMs: 60_000 },
    sync: { requestsPerMinute: 6000 },
  });

/** A data folder that has synced a whole service, which is gone when this answers. */
export async function syncedFolder(
  work: string,
  size: number,
): Promise<{
  readonly dataDir: string;
  readonly deployment: string;
  readonly credentials: ServiceReady['credentials'];
}> {
  const service = startProgram('service', String(size));
  const [ready] = (await once(service, 'message')) as [ServiceReady];
  const deployment = await writeBenchDeployment(work, ready);
  const dataDir = join(work, 'data');
  const child = startProgram('console', dataDir, deployment);
  await once(child, 'message');
  const signIn: ConsoleCommand = { kind: 'sign-in', ...ready.credentials };
  await askProgram<ConsoleAnswer>(child, signIn);
  const whole: ConsoleCommand = { kind: 'until', count: size, complete: true };
  await askProgram<ConsoleAnswer>(child, whole);
  await endProgram(child);
  await endProgram(service);
  return { dataDir, deployment, credentials: ready.credentials };
}

/**
 * The first sync of a whole service, the restoring of what it kept, and live changes. The service and
 * the console have processes of their own, as they have in life.
 */
export async function benchSync({
  size,
  runs,
}: {
  readonly size: number;
  readonly runs: number;
}): Promise<Row[]> {
  const service = startProgram('service', String(size));
  const [ready] = (await once(service, 'message')) as [ServiceReady];
  const idle = startProgram('idle');
  const control = (): Promise<LoopDelay> => askProgram<LoopDelay>(idle, 'now');
  const samples = {
    sync: [] as number[],
    same: [] as number[],
    floor: [] as number[],
    asking: [] as number[],
    restore: [] as number[],
    select: [] as number[],
  };
  const last: Row[] = [];
  let requests = 0;
  let ideal: readonly string[] = [];
  try {
    const token = await logIn(ready);
    const windows = await askProgram<readonly (readonly [number, number])[]>(service, 'windows');
    ideal = windows.map(([from, to]) => `/incidents?start_time=${String(from)}&end_time=${String(to)}`);
    for (let run = 0; run < runs; run += 1) {
      const work = await temporaryFolder();
      const deployment = await writeBenchDeployment(work, ready);
      const isLast = run === runs - 1;
      const synced = await session(join(work, 'data'), deployment, isLast);
      samples.sync.push(synced.ms);
      samples.restore.push(await restored(join(work, 'data'), deployment, isLast));
      const same = await bareSync(ready, token, join(work, 'same.sqlite'), synced.asked);
      samples.same.push(same.ms);
      const floor = await bareSync(ready, token, join(work, 'ideal.sqlite'), ideal);
      samples.floor.push(floor.ms);
      samples.asking.push(floor.askingMs);
      samples.select.push(floor.selectMs);
      await removeFolder(work);
    }
  } finally {
    await endProgram(idle);
    await endProgram(service);
  }
  return [
    measure({
      what: 'sync',
      size,
      goal: 1.5,
      floor: 'the same requests: fetch, JSON.parse, one-transaction insert',
      ours: samples.sync,
      floorSamples: samples.same,
    }),
    measure({
      what: 'sync, ideal',
      size,
      goal: null,
      floor: `${String(ideal.length)} windows known beforehand (ours asked ${String(requests)} times): fetch, JSON.parse, one-transaction insert; ${Math.round(median(samples.asking))} ms of it asking`,
      ours: samples.sync,
      floorSamples: samples.floor,
    }),
    measure({
      what: 'restore',
      size,
      goal: null,
      floor: 'plain select and JSON.parse of the same rows',
      ours: samples.restore,
      floorSamples: samples.select,
    }),
    ...last,
  ];

  async function session(
    dataDir: string,
    deployment: string,
    isLast: boolean,
  ): Promise<{ readonly ms: number; readonly asked: readonly string[] }> {
    const before = await askProgram<number>(service, 'requests');
    const child = startProgram('console', dataDir, deployment);
    await once(child, 'message');
    const tell = (command: ConsoleCommand): Promise<ConsoleAnswer> =>
      askProgram<ConsoleAnswer>(child, command);
    await tell({ kind: 'sign-in', ...ready.credentials });
    await control();
    const { ms, loop, rss, heapUsed, asked } = await tell({ kind: 'until', count: size, complete: true });
    requests = (await askProgram<number>(service, 'requests')) - before;
    if (isLast) {
      last.push({ what: 'sync', size, ours: loop, control: await control() });
      last.push({
        what: 'main process after sync',
        size,
        value: `${megabytes(rss)} resident, ${megabytes(heapUsed)} heap`,
      });
      await control();
      const changed = tell({ kind: 'until-changed', count: changes });
      await askProgram<number>(service, changes);
      const live = await changed;
      last.push({
        what: `${String(changes)} live changes`,
        size,
        ours: live.loop,
        control: await control(),
      });
    }
    await endProgram(child);
    return { ms, asked };
  }

  async function restored(dataDir: string, deployment: string, isLast: boolean): Promise<number> {
    const child = startProgram('console', dataDir, deployment);
    await once(child, 'message');
    await askProgram<ConsoleAnswer>(child, { kind: 'sign-in', ...ready.credentials });
    await control();
    const answer = await askProgram<ConsoleAnswer>(child, { kind: 'until', count: size, complete: false });
    if (isLast) {
      last.push({ what: 'restore', size, ours: answer.loop, control: await control() });
      const { bytes } = answer.state.storage;
      if (bytes !== null) {
        last.push({
          what: 'cache',
          size,
          value: `${(bytes / size).toFixed(0)} bytes an incident, ${megabytes(bytes)}`,
        });
      }
    }
    await endProgram(child);
    return answer.ms;
  }
}

async function logIn({ infrastructureUrl, credentials }: ServiceReady): Promise<string> {
  const { body } = await request(`${infrastructureUrl}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return ((await body.json()) as { readonly token: string }).token;
}

/**
 * The floor: lists of incidents whose paths are known beforehand, asked for four at a time, parsed, and
 * written into SQLite in one transaction. `askingMs` is the same with the answers thrown away.
 */
async function bareSync(
  { infrastructureUrl }: ServiceReady,
  token: string,
  path: string,
  paths: readonly string[],
): Promise<{ readonly ms: number; readonly askingMs: number; readonly selectMs: number }> {
  const urls = paths.map((path) => `${infrastructureUrl}${path}`);
  const agent = new Agent({ connections: 4 });
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (take: (text: string) => void): Promise<void> => {
    const left = [...urls];
    const worker = async (): Promise<void> => {
      for (let url = left.pop(); url !== undefined; url = left.pop()) {
        const { body } = await request(url, { headers, dispatcher: agent });
        take(await body.text());
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
  };
  let from = performance.now();
  await ask(() => undefined);
  const askingMs = performance.now() - from;

  from = performance.now();
  const rows: { readonly id: string }[] = [];
  await ask((text) => {
    for (const row of JSON.parse(text) as { readonly id: string }[]) rows.push(row);
  });
  const database = new DatabaseSync(path);
  database.exec(
    'PRAGMA journal_mode=WAL; CREATE TABLE incidents (id TEXT PRIMARY KEY, json TEXT) STRICT; BEGIN',
  );
  const insert = database.prepare('INSERT OR REPLACE INTO incidents VALUES (?, ?)');
  for (const row of rows) insert.run(row.id, JSON.stringify(row));
  database.exec('COMMIT');
  const ms = performance.now() - from;

  from = performance.now();
  for (const { json } of database.prepare('SELECT json FROM incidents').all()) JSON.parse(String(json));
  const selectMs = performance.now() - from;
  database.close();
  await agent.close();
  return { ms, askingMs, selectMs };
}
