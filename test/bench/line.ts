import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeFolder, temporaryFolder, writeDeployment } from '../e2e/support/launch.ts';
import { fieldLine, leastMs } from '../support/line/line.ts';
import { askProgram, endProgram, nextMessage, startProgram } from './children.ts';
import type { ConsoleAnswer, ConsoleCommand } from './programs/console.ts';
import type { LineCarried, LineReady, LineService } from './programs/line.ts';
import type { UploaderAnswer, UploaderCommand } from './programs/uploader.ts';
import type { Measure, Row } from './statistics.ts';

/** One answer's head, as the training service sends it. */
const headBytes = 350;
/** To connect, to sign in, and to the first answer. */
const roundTrips = 3;
/** More than the buffers of loopback take at once. */
const uploadBytes = 3 * 1024 * 1024;
/** So many times the line's own limit are waited for, and of the upload. */
const mostTimes = 8;
const mostUploadTimes = 2;
/** What does not change is watched for so long. */
const idleMs = 600_000;
const idleEvidence = 130;
const few = { incidents: 20, validators: false } as const;

/**
 * The console on a field link (64 kbit/s, 700 ms, 5 % of connections reset, a fair queue), each row against the line's
 * own limit: one connection, nothing twice.
 */
export async function* benchLine(size: number): AsyncGenerator<Row> {
  if (size === 1_000) {
    yield* evidenceRow(size);
    return;
  }
  if (size < 1_000) {
    for (const queue of ['fair', 'single'] as const) yield* uploadRow(queue);
    return;
  }
  for (const gzip of [true, false])
    yield* incidentRows({ incidents: size, evidence: 0, gzip, validators: false, queue: 'fair' });
}

async function* incidentRows(given: LineService): AsyncGenerator<Row> {
  const { incidents: size, gzip } = given;
  const label = gzip ? 'line' : 'line, no gzip';
  const rig = await openRig(given);
  try {
    const { pages } = rig.ready;
    const floorOf = (count: number): number =>
      leastMs(fieldLine, { bytes: sum(pages.slice(0, count)) + headBytes * (count + 2), roundTrips });
    const allMs = floorOf(pages.length);
    const tell = await rig.console(mostTimes * allMs);
    const began = performance.now();
    await tell({ kind: 'sign-in', ...rig.ready.credentials });
    await tell({ kind: 'until-critical' });
    yield against(`${label}, first critical`, size, performance.now() - began, floorOf(1));
    const { count } = await tell({ kind: 'until', count: size, complete: false });
    const known = count >= size ? '' : `; ${String(count)} known`;
    yield against(`${label}, all known${known}`, size, performance.now() - began, allMs);
    yield await rig.sent(label, size, sum(pages));
  } finally {
    await rig.close();
  }
}

/** What an hour costs in which nothing changes, with all that the console reads, and the bytes of packets. */
export async function* benchIdle(size: number): AsyncGenerator<Row> {
  for (const validators of [true, false]) {
    const rig = await openRig({
      ...{ incidents: size, evidence: idleEvidence, gzip: true, validators },
      queue: 'fair',
    });
    try {
      const bytes = sum(rig.ready.pages) + rig.ready.evidence;
      const tell = await rig.console(mostTimes * leastMs(fieldLine, { bytes, roundTrips }));
      await tell({ kind: 'sign-in', ...rig.ready.credentials });
      await tell({ kind: 'until', count: size, complete: true });
      await sleep(idleMs / 2);
      const before = await rig.carried();
      await sleep(idleMs);
      const { up, down, requests } = await rig.carried();
      const anHour = 3_600_000 / idleMs;
      const value =
        `${(((up + down - before.up - before.down) * anHour) / 1e6).toFixed(2)} MB an hour, ` +
        `${String(Math.round((requests - before.requests) * anHour))} requests`;
      yield { what: `line, idle, ${validators ? 'validators' : 'no validators'}`, size, value };
    } finally {
      await rig.close();
    }
  }
}

async function* evidenceRow(size: number): AsyncGenerator<Row> {
  const rig = await openRig({ ...few, evidence: size, gzip: false, queue: 'fair' });
  try {
    const bytes = rig.ready.evidence + sum(rig.ready.pages);
    const floor = leastMs(fieldLine, { bytes, roundTrips });
    const tell = await rig.console(mostTimes * floor);
    const began = performance.now();
    await tell({ kind: 'sign-in', ...rig.ready.credentials });
    await tell({ kind: 'until-evidence', count: size });
    yield against('line, no gzip, evidence listed', size, performance.now() - began, floor);
    yield await rig.sent('line, no gzip, evidence', size, bytes);
  } finally {
    await rig.close();
  }
}

/** One file beside the usual reads and approvals, how old the newest list got and how long the slowest approval took. */
async function* uploadRow(queue: LineService['queue']): AsyncGenerator<Row> {
  const rig = await openRig({ ...few, evidence: 0, gzip: true, queue });
  const { username, password } = rig.ready.credentials;
  const uploader = startProgram('uploader', join(rig.work, 'uploads'), rig.deployment, username, password);
  try {
    await nextMessage(uploader);
    const tell = (command: UploaderCommand): Promise<UploaderAnswer> => askProgram(uploader, command);
    await tell({ kind: 'spool', bytes: uploadBytes });
    const floor = leastMs(fieldLine, { bytes: uploadBytes, roundTrips: 2 });
    const before = await rig.carried();
    const given = new Promise<null>((resolve) => setTimeout(resolve, mostUploadTimes * floor, null).unref());
    const began = performance.now();
    const sent = await Promise.race([tell({ kind: 'send', bytes: 0, missions: rig.ready.missions }), given]);
    const after = await rig.carried();
    const attempts = after.uploads - before.uploads;
    const what = `line, upload, ${queue} queue, ${String(attempts)} attempts${sent === null ? ', not sent' : ''}`;
    yield against(what, uploadBytes, performance.now() - began, floor);
    const value = `${(after.longestMs / 1_000).toFixed(1)} s`;
    yield { what: `line, upload, ${queue} queue, oldest list`, size: uploadBytes, value };
    if (sent === null) return;
    const slowest = `${(Math.max(...sent.approvals) / 1_000).toFixed(1)} s of ${String(sent.approvals.length)}`;
    yield { what: `line, upload, ${queue} queue, slowest approval`, size: uploadBytes, value: slowest };
  } finally {
    uploader.kill('SIGKILL');
    await rig.close();
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const against = (what: string, size: number, ours: number, floor: number): Measure => ({
  what,
  size,
  runs: 1,
  oursP50: ours,
  floorP50: floor,
  ratio: ours / floor,
  goal: 1.5,
  floor: 'the bytes at the rate of the line, and its round trips',
  oursMax: ours,
});

async function openRig(given: LineService) {
  const work = await temporaryFolder();
  const service = startProgram('line', JSON.stringify(given));
  const ready = await nextMessage<LineReady>(service);
  const { infrastructureUrl, coordinationUrl } = ready;
  const deployment = await writeDeployment(work, {
    id: 'bench',
    name: 'Bench',
    infrastructureUrl,
    coordinationUrl,
    timestampUnit: 'seconds',
  });
  const children = [service];
  const carried = (): Promise<LineCarried> => askProgram<LineCarried>(service, 'carried');
  return {
    work,
    ready,
    deployment,
    carried,
    /** Starts a console. What it waits for it waits for at most `mostMs`. */
    async console(mostMs: number): Promise<(command: ConsoleCommand) => Promise<ConsoleAnswer>> {
      const child = startProgram('console', join(work, 'data'), deployment, String(mostMs));
      children.unshift(child);
      await nextMessage(child);
      return (command) => askProgram<ConsoleAnswer>(child, command);
    },
    async sent(label: string, size: number, least: number): Promise<Row> {
      const { lists, requests, connections } = await carried();
      const value =
        `${(lists / 1e6).toFixed(2)} MB of lists, ${(lists / least).toFixed(1)} times what there is, ` +
        `${String(requests)} requests on ${String(connections)} connections`;
      return { what: `${label}, data sent`, size, value };
    },
    async close(): Promise<void> {
      for (const child of children) await endProgram(child);
      await removeFolder(work);
    },
  };
}
