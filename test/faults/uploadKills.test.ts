import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTraining, type TrainingServer } from '../support/training/index.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import type { OutboxState } from '../../src-preload/contract/index.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { createHastyClock } from './support/hastyClock.ts';
import { fileCanary, fileDigest, type UploadTask } from './support/uploadFiles.ts';

const filesPerLife = 50;
/** After so many kills the files must get through, and the next kill begins with new ones. */
const killsPerLife = 25;
const rate = 20;
const start = performance.timeOrigin + performance.now();

/** The files that the console has announced, each of which has its row for good, and those that have left. */
const begun = new Set<string>();
let cutOffSeen = 0;

/** A start shows a row for each announced file; those whose copying was cut off stand on top. */
function expectRows(
  rows: readonly (readonly [id: string, code: string | null])[],
  announced: ReadonlySet<string>,
): number {
  const ids = new Set(rows.map(([id]) => id));
  expect(
    [...announced].filter((id) => !ids.has(id)),
    'announced files without a row',
  ).toEqual([]);
  const cutOff = rows.filter(([, code]) => code === 'copy-cut-off').length;
  expect(
    rows.slice(0, cutOff).every(([, code]) => code === 'copy-cut-off'),
    'cut off on top',
  ).toBe(true);
  return cutOff;
}

let service: TrainingServer;
let folder: string;

beforeAll(async () => {
  service = await startTraining({
    clock: createHastyClock(start, rate),
    seed: 12,
    dataset: [],
    switches: { arrivals: false, integrationScript: false, tokenLifetimeSeconds: 86_400 },
  });
  folder = await mkdtemp(join(tmpdir(), 'field-console-upload-kills-'));
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const { infrastructureUrl, coordinationUrl } = service;
  await writeFile(
    join(folder, 'deployment.json'),
    JSON.stringify({
      version: 1,
      id: 'kills',
      name: 'Kills',
      infrastructureUrl,
      coordinationUrl,
      timestampUnit: 'seconds',
      pollIntervals: { incidentsMs: 60_000, healthMs: 60_000 },
    }),
  );
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

type Line =
  | readonly ['open' | 'copying']
  | readonly ['rows', rows: readonly (readonly [id: string, code: string | null])[]]
  | readonly ['begun' | 'gone', id: string]
  | readonly ['queued', name: string]
  | readonly ['state', counts: OutboxState['counts']];

/** Runs a console on the files that are not known to be queued, until `over` says so; then kills it. */
async function runUntil(options: {
  readonly queued: Set<string>;
  readonly files: readonly string[];
  /** A file of which only the first piece comes: whoever waits for `copying` names one. */
  readonly unending?: string;
  readonly over: (
    counts: () => OutboxState['counts'] | null,
    opened: Promise<boolean>,
    /** The file that never comes to its end is being copied. */
    copying: Promise<void>,
  ) => Promise<void>;
}): Promise<boolean> {
  const { queued, files, unending, over } = options;
  const program = fileURLToPath(new URL('programs/uploading.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [program, join(folder, 'data'), join(folder, 'deployment.json'), String(start), String(rate)],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const task: UploadTask = {
    credentials: service.credentials,
    files: files.filter((name) => !queued.has(name)),
    ...(unending === undefined ? {} : { unending }),
  };
  child.stdin.write(`${JSON.stringify(task)}\n`);
  const reader = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  const drained = once(reader, 'close');
  let opened = false;
  let counts: OutboxState['counts'] | null = null;
  let rows: readonly (readonly [id: string, code: string | null])[] | null = null;
  /** What was announced before this start. */
  let expected: ReadonlySet<string> = new Set();
  let begin = (): void => undefined;
  const copying = new Promise<void>((resolve) => {
    begin = resolve;
    void exited.then(() => {
      resolve();
    });
  });
  const open = new Promise<boolean>((resolve) => {
    reader.on('line', (text) => {
      // A line that the kill cut off acknowledges nothing.
      if (!text.endsWith(']')) return;
      const line = JSON.parse(text) as Line;
      if (line[0] === 'rows') {
        [, rows] = line;
        expected = new Set(begun);
      }
      if (line[0] === 'begun') begun.add(line[1]);
      if (line[0] === 'copying') begin();
      if (line[0] === 'gone') begun.delete(line[1]);
      if (line[0] === 'queued') queued.add(line[1]);
      if (line[0] === 'state') [, counts] = line;
      if (line[0] === 'open') {
        opened = true;
        resolve(true);
      }
    });
    void exited.then(() => {
      resolve(false);
    });
  });
  await over(() => counts, open, copying);
  if (child.exitCode !== null) throw new Error(`The console ended by itself: ${errors}`);
  child.kill('SIGKILL');
  await exited;
  await drained;
  if (rows !== null) cutOffSeen += expectRows(rows, expected);
  return opened;
}

/** Trouble on the way: answers that are lost, requests that are cut, and keys that are kept throughout. */
async function trouble(draw: Seeded): Promise<void> {
  const fault = draw.pick(['none', 'none', 'answer-lost', 'answer-lost', 'cut-request'] as const);
  await service.set({ uploadFault: fault, cutAfterBytes: draw.below(60_000) });
}

/** Every file arrived once, and nothing else did. */
function expectOnce(files: readonly string[], before: number): void {
  const arrived = service.uploads().slice(before);
  const byDigest = new Map<string, number>();
  for (const { sha256 } of arrived) byDigest.set(sha256, (byDigest.get(sha256) ?? 0) + 1);
  for (const name of files) {
    expect(byDigest.get(fileDigest(name)) ?? 0, `effects of ${name}`).toBe(1);
  }
  expect(arrived).toHaveLength(files.length);
}

async function expectSealed(): Promise<void> {
  for (const entry of await readdir(join(folder, 'data'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    expect(bytes.includes(fileCanary), `${entry.name} holds a file in plain text`).toBe(false);
    expect(bytes.includes(service.credentials.password), `${entry.name} holds the password`).toBe(false);
  }
}

it(
  'every file has exactly one effect, whenever the console is killed and whichever answers are lost',
  async () => {
    let life = 0;
    let files: string[] = [];
    let queued = new Set<string>();
    let before = 0;
    let sent = 0;

    /** Leaves the console alone until everything is sent, and counts what arrived. */
    const settle = async (): Promise<void> => {
      await service.set({ uploadFault: 'none' });
      await runUntil({
        queued,
        files,
        over: async (counts, opened) => {
          expect(await opened).toBe(true);
          const deadline = performance.now() + 120_000;
          for (;;) {
            const now = counts();
            if (now?.sent === files.length && queued.size === files.length) break;
            if (performance.now() > deadline) {
              throw new Error(`Not all was sent: ${JSON.stringify(now)}, ${String(queued.size)} queued`);
            }
            await pause(20);
          }
        },
      });
      expectOnce(files, before);
      sent += files.length;
    };

    await runCampaign({ name: 'kills during uploads', whole: 1000, part: 4 }, async (draw, index) => {
      if (index % killsPerLife === 0) {
        if (files.length > 0) await settle();
        await rm(join(folder, 'data', 'vaults'), { recursive: true, force: true });
        life += 1;
        files = Array.from(
          { length: filesPerLife },
          (_, at) => `life ${String(life)} file ${String(at)}.jpg`,
        );
        queued = new Set();
        begun.clear();
        before = service.uploads().length;
      }
      await trouble(draw);
      // The first, and about one in five of the others, is killed while a file is being copied.
      const first = index === 0;
      // One in four is killed before its vault is open.
      const early = !first && draw.below(4) === 0;
      const whileCopying = first || (!early && draw.below(4) === 0);
      const opened = await runUntil({
        queued,
        files,
        ...(whileCopying ? { unending: `unending ${String(index)}.jpg` } : {}),
        over: async (_counts, open, copying) => {
          if (early) return pause(draw.below(600));
          await open;
          if (whileCopying) {
            await copying;
            return pause(draw.below(40));
          }
          await pause(draw.below(900));
        },
      });
      await expectSealed();
      return opened ? 'while working' : 'while starting';
    });
    await settle();
    expect(cutOffSeen, 'rows of files whose copying was cut off').toBeGreaterThan(0);
    expect(sent).toBe(life * filesPerLife);
    process.stdout.write(
      `campaign kills during uploads: ${String(sent)} files, ${String(service.uploads().length)} effects, 0 lost, 0 doubled\n`,
    );
  },
  campaignTimeoutMs,
);
