/**
 * The console's main process as it ships, but for its host: the real core on the real adapters.
 * Driven by messages; every answer says what the event loop looked like since the last one. A third argument ends what
 * is waited for after so many milliseconds.
 */
import { subscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decodeIncidentFrame, type ConsoleState } from '../../../src-preload/contract/index.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import { median, type LoopDelay } from '../statistics.ts';
import { watchLoop } from './loop.ts';
import { said } from '../../support/messages.ts';

export type ConsoleCommand =
  | { readonly kind: 'sign-in'; readonly username: string; readonly password: string }
  /** Until `count` incidents are known, and, with `complete`, shown to be all, and stored. */
  | { readonly kind: 'until'; readonly count: number; readonly complete: boolean }
  /** Until an open critical incident is among the rows. */
  | { readonly kind: 'until-critical' }
  /** Until so many items of evidence are listed. */
  | { readonly kind: 'until-evidence'; readonly count: number }
  /** Until `count` rows have changed since the last answer. */
  | { readonly kind: 'until-changed'; readonly count: number }
  /** What is in memory at rest. Answered by a `MemoryAnswer`. */
  | { readonly kind: 'memory' };

export interface MemoryAnswer {
  /** Bytes, as the system counts them, before the collection. */
  readonly rss: number;
  /** After it. */
  readonly heapUsed: number;
  readonly buffers: number;
  /** Milliseconds to read one incident in full. */
  readonly details: { readonly median: number; readonly longest: number };
  /** Milliseconds to look for a text that no blockchain record holds. */
  readonly search: number;
}

export interface ConsoleAnswer {
  readonly ms: number;
  readonly loop: LoopDelay;
  /** Bytes. */
  readonly rss: number;
  readonly heapUsed: number;
  /** The paths of the lists of incidents asked for since the last answer. */
  readonly asked: readonly string[];
  /** Incidents that are known. */
  readonly count: number;
  readonly state: Pick<ConsoleState, 'sync' | 'storage'>;
}

const [dataDir = '', deployment = '', most = 'Infinity'] = process.argv.slice(2);
const mostMs = Number(most);
const { ports, console } = await openNodeConsole({ dataDir, deployment, logLevel: 'info' });

let slices: Partial<ConsoleState> = {};
let changed = 0;
let hasCritical = false;
let look: () => void = () => undefined;
const page = console.subscribe((push) => {
  slices = { ...slices, ...push.slices };
  if (push.incidents) {
    const { columns, dictionaries } = decodeIncidentFrame(push.incidents);
    if (push.base !== null) changed += columns.length;
    const isOpen = (row: number): boolean => dictionaries.status[columns.status[row] ?? 0] === 'open';
    for (let row = 0; row < columns.length && !hasCritical; row += 1)
      hasCritical = dictionaries.severity[columns.severity[row] ?? 0] === 'critical' && isOpen(row);
  }
  page.answer({ kind: 'acknowledge', epoch: push.epoch, revision: push.revision });
  look();
});

const until = (condition: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const given = Number.isFinite(mostMs) ? globalThis.setTimeout(done, mostMs) : undefined;
    function done(): void {
      clearTimeout(given);
      look = () => undefined;
      resolve();
    }
    look = () => {
      if (condition()) done();
    };
    look();
  });

const restMs = 5_000;
const readings = 500;

async function memory(): Promise<MemoryAnswer> {
  await setTimeout(restMs);
  const { rss } = process.memoryUsage();
  const count = slices.incidents?.count ?? 0;
  const took: number[] = [];
  for (let reading = 0; reading < readings; reading += 1) {
    const from = performance.now();
    const read = await console.call('readIncident', { key: 1 + ((reading * 7_919) % count) });
    took.push(performance.now() - from);
    if (!read.ok) throw new Error(said(read.failure.sentence));
  }
  const from = performance.now();
  const found = await console.call('findAnchors', { text: 'not in any' });
  const search = performance.now() - from;
  if (!found.ok) throw new Error(said(found.failure.sentence));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return {
    rss,
    heapUsed,
    buffers: arrayBuffers,
    details: { median: median(took), longest: Math.max(...took) },
    search,
  };
}

async function run(command: Exclude<ConsoleCommand, { kind: 'memory' }>): Promise<void> {
  switch (command.kind) {
    case 'sign-in': {
      const { username, password } = command;
      const result = await console.call('signIn', { username, password });
      if (!result.ok) throw new Error(said(result.failure.sentence));
      return;
    }
    case 'until':
      return until(() => {
        const { incidents, sync, storage } = slices;
        if (!incidents || !sync || !storage || incidents.count < command.count) return false;
        return !command.complete || sync.completeAsOf !== null;
      });
    case 'until-critical':
      return until(() => hasCritical);
    case 'until-evidence':
      return until(() => (slices.evidence?.count ?? 0) >= command.count);
    case 'until-changed':
      return until(() => changed >= command.count);
  }
}

let asked: string[] = [];
subscribe('undici:request:create', (message) => {
  const { path } = (message as { readonly request: { readonly path: string } }).request;
  if (path.startsWith('/incidents')) asked.push(path);
});

const loop = watchLoop();
process.on('message', (command: ConsoleCommand) => {
  if (command.kind === 'memory') {
    void memory().then((answer) => process.send?.(answer));
    return;
  }
  const from = performance.now();
  void run(command).then(() => {
    const { rss, heapUsed } = process.memoryUsage();
    const { sync, storage } = slices;
    if (!sync || !storage) throw new Error('The console has not said how it is');
    changed = 0;
    const answer: ConsoleAnswer = {
      ms: performance.now() - from,
      loop: loop(),
      rss,
      heapUsed,
      asked,
      count: slices.incidents?.count ?? 0,
      state: { sync, storage },
    };
    asked = [];
    process.send?.(answer);
  });
});
process.on('disconnect', () => {
  void console
    .close()
    .then(() => ports.close())
    .then(() => process.exit());
});
process.send?.('ready');
