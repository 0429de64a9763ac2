/**
 * A console that spools and sends files when it is told to over IPC, and says how long that took and
 * how large its process became. Arguments: data folder, deployment file, and a user name and password.
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { OutboxState } from '../../../src-preload/contract/index.ts';
import { acknowledge, ask } from '../../support/console.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import type { LoopDelay } from '../statistics.ts';
import { watchLoop } from './loop.ts';

/** `spool` holds the outbox back and fills it; `send` lets it go and waits until all is sent. */
export interface UploaderCommand {
  readonly kind: 'spool' | 'send';
  /** Of the one file, where one is spooled. */
  readonly bytes: number;
  /** Approved one after the other while files are sent. */
  readonly missions?: readonly string[];
}

export interface UploaderAnswer {
  readonly ms: number;
  readonly loop: LoopDelay;
  /** Resident bytes before, and the most while it ran. */
  readonly restBytes: number;
  readonly peakBytes: number;
  /** How long each approval took, milliseconds. */
  readonly approvals: readonly number[];
}

const [dataDir = '', deployment = '', username = 'bench', password = 'bench'] = process.argv.slice(2);
const betweenApprovalsMs = 45_000;
const seen = watchLoop();
const { ports, console } = await openNodeConsole({ dataDir, deployment, logLevel: 'info' });

let outbox: OutboxState | null = null;
acknowledge(console, ({ slices }) => {
  outbox = slices.outbox ?? outbox;
});
const shows = async (condition: (now: OutboxState) => boolean): Promise<void> => {
  while (outbox === null || !condition(outbox)) await pause(1);
};

/** Bytes that compress as badly as a film does, and cost next to nothing to make. */
const block = Buffer.from(ports.random.bytes(1_048_576));
async function* film(bytes: number): AsyncGenerator<Uint8Array> {
  for (let from = 0, at = 0; from < bytes; from += block.byteLength, at += 1) {
    const piece = Buffer.from(block.subarray(0, Math.min(block.byteLength, bytes - from)));
    if (piece.byteLength >= 8) piece.writeDoubleLE(at + ports.random.fraction());
    yield await Promise.resolve(piece);
  }
}

/** Approves one mission after the other, some time apart, until `ends`. */
async function approve(missions: readonly string[], ends: Promise<void>, approvals: number[]): Promise<void> {
  let ended = false;
  void ends.then(() => (ended = true));
  for (const missionId of missions) {
    await Promise.race([ends, pause(betweenApprovalsMs)]);
    if (ended) return;
    const began = performance.now();
    await ask(console, 'decideMission', { missionId, decision: 'approve', again: false });
    approvals.push(performance.now() - began);
  }
}

async function run({ kind, bytes, missions = [] }: UploaderCommand, approvals: number[]): Promise<void> {
  if (kind === 'send') {
    await ask(console, 'pauseUpload', { id: null, paused: false });
    const sent = shows(({ unsent }) => unsent === 0);
    await approve(missions, sent, approvals);
    return sent;
  }
  await ask(console, 'pauseUpload', { id: null, paused: true });
  const { uploadId } = await ask(console, 'beginUpload', { fileName: 'film.mp4', bytes, incidentId: null });
  const answer = await console.bytes.spool(uploadId, film(bytes));
  if (answer !== 'kept') throw new Error(`The file was not taken: ${answer}`);
}

process.on('disconnect', () => {
  void console.close().finally(() => process.exit());
});
await ask(console, 'signIn', { username, password });
await shows(({ available }) => available);
process.on('message', (command: UploaderCommand) => {
  void (async () => {
    globalThis.gc?.();
    const restBytes = process.memoryUsage.rss();
    let peakBytes = restBytes;
    const timer = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 20);
    seen();
    const began = performance.now();
    const approvals: number[] = [];
    await run(command, approvals);
    const ms = performance.now() - began;
    clearInterval(timer);
    const answer: UploaderAnswer = { ms, loop: seen(), restBytes, peakBytes, approvals };
    process.send?.(answer);
  })();
});
process.send?.('ready');
