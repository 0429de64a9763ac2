import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { createRecordFolders } from '../../src-main/adapters/vault/records/folders.ts';
import { removeFolder, temporaryFolder, writeDeployment } from '../e2e/support/launch.ts';
import { askProgram, endProgram, nextMessage, startProgram } from './children.ts';
import type { UploaderAnswer, UploaderCommand } from './programs/uploader.ts';
import { measure, type LoopDelay, type Measure, type Row } from './statistics.ts';

const run = promisify(execFile);
const mebibyte = 1_048_576;
export const fileMegabytes = 1024;
const largeMegabytes = 5 * 1024;

const megabytes = (bytes: number): string => `${(bytes / mebibyte).toFixed(0)} MB`;

/** Files on their way into the spool and out to the service. Sizes are in MiB. */
export async function* benchUploads({ runs }: { readonly runs: number }): AsyncGenerator<Row> {
  const work = await temporaryFolder();
  const plain = join(work, 'film.mp4');
  await writeRandomFile(plain, fileMegabytes);
  const sink = startProgram('sink');
  const idle = startProgram('idle');
  try {
    const { url } = await nextMessage<{ readonly url: string }>(sink);
    yield await benchSpool({ work, plain, runs });
    yield* benchSending({ work, plain, url, runs, control: () => askProgram(idle, 'now') });
  } finally {
    await endProgram(sink);
    await endProgram(idle);
    await removeFolder(work);
  }
}

async function writeRandomFile(path: string, size: number): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let at = 0; at < size; at += 1) await file.write(randomBytes(mebibyte));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Ours hashes, computes the CIDs of three profiles and seals; the floor encrypts, and then hashes. */
async function benchSpool({
  work,
  plain,
  runs,
}: {
  readonly work: string;
  readonly plain: string;
  readonly runs: number;
}): Promise<Measure> {
  const ours: number[] = [];
  const floorSamples: number[] = [];
  const dataDir = join(work, 'spool-data');
  await mkdir(dataDir, { mode: 0o700 });
  const folders = createRecordFolders({ dataDir });
  const records = await folders.openTemporary();
  const out = join(work, 'floor.enc');
  try {
    for (let at = 0; at < runs; at += 1) {
      const began = performance.now();
      const id = at.toString(16).padStart(16, '0');
      const incoming = await records.spool.receive(id);
      for await (const piece of createReadStream(plain, { highWaterMark: mebibyte })) {
        await incoming.write(piece as Buffer);
      }
      await incoming.finish();
      ours.push(performance.now() - began);
      await records.spool.remove(id);

      const floorBegan = performance.now();
      const key = ['-K', '00'.repeat(32), '-iv', '00'.repeat(16)];
      await run('openssl', ['enc', '-aes-256-ctr', ...key, '-in', plain, '-out', out]);
      await run('sha256sum', [plain]);
      floorSamples.push(performance.now() - floorBegan);
      await rm(out);
    }
  } finally {
    await records.close();
    await folders.close();
  }
  const floor = 'openssl enc -aes-256-ctr, then sha256sum';
  return measure({ what: 'spool MiB', size: fileMegabytes, goal: null, floor, ours, floorSamples });
}

/** The whole console against one bare request with the same bytes; and what its process grows to. */
async function* benchSending({
  work,
  plain,
  url,
  runs,
  control,
}: {
  readonly work: string;
  readonly plain: string;
  readonly url: string;
  readonly runs: number;
  readonly control: () => Promise<LoopDelay>;
}): AsyncGenerator<Row> {
  const deployment = await writeDeployment(work, {
    id: 'bench',
    name: 'Bench',
    infrastructureUrl: url,
    coordinationUrl: url,
    timestampUnit: 'seconds',
    pollIntervals: { incidentsMs: 60_000, healthMs: 60_000 },
  });
  const child = startProgram('uploader', join(work, 'data'), deployment);
  const tell = (command: UploaderCommand): Promise<UploaderAnswer> => askProgram(child, command);
  const ours: number[] = [];
  const floorSamples: number[] = [];
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  try {
    await nextMessage(child);
    for (let at = 0; at < runs; at += 1) {
      await tell({ kind: 'spool', bytes: fileMegabytes * mebibyte });
      ours.push((await tell({ kind: 'send', bytes: 0 })).ms);
      const began = performance.now();
      const answer = await request(`${url}/storage`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-length': String(fileMegabytes * mebibyte) },
        body: createReadStream(plain),
      });
      await answer.body.dump();
      floorSamples.push(performance.now() - began);
    }
    const floor = 'a bare undici request of the same file';
    yield measure({ what: 'upload MiB', size: fileMegabytes, goal: null, floor, ours, floorSamples });
    for (const kind of ['spool', 'send'] as const) {
      await control();
      const seen = await tell({ kind, bytes: largeMegabytes * mebibyte });
      yield { what: `${kind} MiB`, size: largeMegabytes, ours: seen.loop, control: await control() };
      const growth = `${megabytes(seen.peakBytes)} at most, ${megabytes(seen.restBytes)} before`;
      yield { what: `resident, ${kind} MiB`, size: largeMegabytes, value: growth };
    }
  } finally {
    await agent.destroy();
    await endProgram(child);
  }
}
