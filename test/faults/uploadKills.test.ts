import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTraining, type TrainingServer } from '../support/training/index.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import type { OutboxState } from '../../src-preload/contract/index.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { until } from '../support/clock.ts';
import { patience } from '../support/patience.ts';
import { createHastyClock } from './support/hastyClock.ts';
import { Lives, type Life } from './support/lives.ts';
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

type Line =
  | readonly ['open' | 'copying']
  | readonly ['rows', rows: readonly (readonly [id: string, code: string | null])[]]
  | readonly ['begun' | 'gone', id: string]
  | readonly ['queued', name: string]
  | readonly ['state', counts: OutboxState['counts']];

let service: TrainingServer;
let lives: Lives<Line>;

beforeAll(async () => {
  service = await startTraining({
    clock: createHastyClock(start, rate),
    seed: 12,
    dataset: [],
    switches: { arrivals: false, integrationScript: false, tokenLifetimeSeconds: 86_400 },
  });
  lives = await Lives.create<Line>({
    program: 'uploading',
    args: [String(start), String(rate)],
    service,
    deployment: { pollIntervals: { incidentsMs: 60_000, healthMs: 60_000 } },
    opens: 'open',
  });
});
afterAll(async () => {
  await service.close();
  await lives.close();
});

/**
 * Runs a console on the files that are not known to be queued, until `over` settles; then kills it. `unending`: a file
 * of which only the first piece comes, for who waits until the console said `copying`.
 *
 * @returns whether it had opened its vault.
 */
async function runUntil(options: {
  readonly queued: Set<string>;
  readonly files: readonly string[];
  readonly unending?: string;
  readonly over: (life: Life<Line>) => Promise<void>;
}): Promise<boolean> {
  const { queued, files, unending, over } = options;
  const task: UploadTask = {
    credentials: service.credentials,
    files: files.filter((name) => !queued.has(name)),
    ...(unending === undefined ? {} : { unending }),
  };
  let rows: readonly (readonly [id: string, code: string | null])[] | null = null;
  /** What was announced before this start. */
  let expected: ReadonlySet<string> = new Set();
  const lines = await lives.live(task, over, (line) => {
    if (line[0] === 'rows') {
      [, rows] = line;
      expected = new Set(begun);
    }
    if (line[0] === 'begun') begun.add(line[1]);
    if (line[0] === 'gone') begun.delete(line[1]);
    if (line[0] === 'queued') queued.add(line[1]);
  });
  if (rows !== null) cutOffSeen += expectRows(rows, expected);
  return lines.some(([kind]) => kind === 'open');
}

/** Answers of 2xx that do not prove that the service has the file. */
const unproven = [
  { status: 204, body: '' },
  { status: 202, body: '{"status":"queued"}' },
  { status: 200, body: '{"error":"quota exceeded"}' },
  { status: 200, body: '{"success":false}' },
  { status: 201, body: '{"cid":null}' },
  { status: 200, body: '[]' },
] as const;

/**
 * Trouble on the way: answers that are lost or prove nothing, requests that are cut, and keys that are kept throughout.
 * The list of evidence is not granted.
 */
async function trouble(draw: Seeded): Promise<void> {
  service.answerUploads(draw.below(2) === 0 ? null : draw.pick<(typeof unproven)[number]>(unproven));
  const fault = draw.pick(['none', 'none', 'answer-lost', 'answer-lost', 'cut-request'] as const);
  await service.set({ uploadFault: fault, cutAfterBytes: draw.below(60_000), evidenceScope: false });
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

it(
  'every file has exactly one effect, and a copy here until that is proven, whenever the console is killed',
  async () => {
    let life = 0;
    let files: string[] = [];
    let queued = new Set<string>();
    let before = 0;
    let provenBefore = 0;
    let sent = 0;
    let kept = 0;

    /** Of each file that is in the outbox there is a copy here, unless an answer named its CID. */
    const expectCopies = async (): Promise<void> => {
      const proven = service.provenUploads - provenBefore;
      expect(await lives.copies(), 'copies of files that are not proven').toBeGreaterThanOrEqual(
        queued.size - proven,
      );
    };
    /** Leaves the console alone until the service has answered for every file with success. */
    const send = async (isOver: (counts: OutboxState['counts']) => boolean): Promise<void> => {
      await runUntil({
        queued,
        files,
        over: async ({ lines }) => {
          const isAllSent = (): boolean => {
            const counts = lines.findLast((line) => line[0] === 'state')?.[1];
            return counts !== undefined && isOver(counts) && queued.size === files.length;
          };
          await until(isAllSent, 'all files to be sent', patience.step);
        },
      });
    };
    /** Counts what arrived, and lets the list of evidence prove it. */
    const settle = async (): Promise<void> => {
      await service.set({ uploadFault: 'none' });
      service.answerUploads(unproven[life % unproven.length] ?? null);
      let unprovenHere = 0;
      await send((counts) => {
        unprovenHere = counts.unproven;
        return counts.sent + counts.unproven === files.length;
      });
      await expectCopies();
      kept += unprovenHere;
      expect(await lives.copies(), 'copies of unproven files').toBeGreaterThanOrEqual(unprovenHere);
      await service.set({ evidenceScope: true });
      await send((counts) => counts.sent === files.length);
      expectOnce(files, before);
      sent += files.length;
    };

    await runCampaign({ name: 'kills during uploads', whole: 1000, part: 4 }, async (draw, index) => {
      if (index % killsPerLife === 0) {
        if (files.length > 0) await settle();
        await lives.forget();
        life += 1;
        files = Array.from(
          { length: filesPerLife },
          (_, at) => `life ${String(life)} file ${String(at)}.jpg`,
        );
        queued = new Set();
        begun.clear();
        before = service.uploads().length;
        provenBefore = service.provenUploads;
      }
      await trouble(draw);
      // The first, and about one in five of the others, is killed while a file is being copied.
      const first = index === 0;
      // One in four is killed before its vault is open.
      const early = !first && draw.below(4) === 0;
      const whileCopying = first || (!early && draw.below(4) === 0);
      const opened = await runUntil({
        queued,
        // The first is added after the last kill: so one answer at least proves nothing.
        files: files.slice(1),
        ...(whileCopying ? { unending: `unending ${String(index)}.jpg` } : {}),
        over: async (life) => {
          if (early) return life.whileStarting(draw);
          if (!whileCopying) return life.whileWorking(draw);
          await life.said('copying');
          return pause(draw.below(40));
        },
      });
      await lives.expectSealed(fileCanary, service.credentials.password);
      await expectCopies();
      return opened ? 'while working' : 'while starting';
    });
    await settle();
    expect(cutOffSeen, 'rows of files whose copying was cut off').toBeGreaterThan(0);
    expect(sent).toBe(life * filesPerLife);
    expect(kept, 'copies that nothing but the list of evidence proved').toBeGreaterThan(0);
    process.stdout.write(
      `campaign kills during uploads: ${String(sent)} files, ${String(service.uploads().length)} effects, ` +
        `${String(kept)} kept until the list of evidence had them, 0 lost, 0 doubled\n`,
    );
  },
  campaignTimeoutMs,
);
