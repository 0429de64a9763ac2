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
import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining, type TrainingServer } from '../support/training/index.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';

/** So many notes a vault takes; well before that the next kill begins with a new one. */
const mostInOneVault = 8_000;

let service: TrainingServer;
let folder: string;

beforeAll(async () => {
  service = await startTraining({
    clock: createClock(),
    seed: 6,
    dataset: [],
    switches: { arrivals: false, integrationScript: false, tokenLifetimeSeconds: 86_400 },
  });
  folder = await mkdtemp(join(tmpdir(), 'field-console-note-kills-'));
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const { infrastructureUrl, coordinationUrl } = service;
  const deployment = {
    version: 1,
    id: 'kills',
    name: 'Kills',
    infrastructureUrl,
    coordinationUrl,
    timestampUnit: 'seconds',
  };
  await writeFile(join(folder, 'deployment.json'), JSON.stringify(deployment));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

interface Life {
  /** What was there at the sign-in; null when it was killed before. */
  readonly kept: readonly string[] | null;
  readonly noted: readonly string[];
}

/** Runs a console that adds notes, and kills it once `over` settles. */
async function live(
  name: string,
  over: (life: { readonly noted: readonly string[]; readonly open: Promise<unknown> }) => Promise<void>,
): Promise<Life> {
  const program = fileURLToPath(new URL('programs/noting.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [program, join(folder, 'data'), join(folder, 'deployment.json'), name],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.write(`${JSON.stringify(service.credentials)}\n`);
  const reader = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  const drained = once(reader, 'close');
  const noted: string[] = [];
  let kept: readonly string[] | null = null;
  const open = new Promise((resolve) => {
    reader.on('line', (text) => {
      // A line that the kill cut off acknowledges nothing.
      if (!text.endsWith(']')) return;
      const [what, value] = JSON.parse(text) as ['kept', string[]] | ['noted', string];
      if (what === 'noted') noted.push(value);
      else {
        kept = value;
        resolve(null);
      }
    });
    void exited.then(resolve);
  });
  await over({ noted, open });
  if (child.exitCode !== null) throw new Error(`The console ended by itself: ${errors}`);
  child.kill('SIGKILL');
  await exited;
  await drained;
  return { kept, noted };
}

async function expectSealed(): Promise<void> {
  for (const entry of await readdir(join(folder, 'data'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    expect(bytes.includes('canary-note'), `${entry.name} holds a note in plain text`).toBe(false);
  }
}

it(
  'every note that was answered is there, whenever the console is killed',
  async () => {
    let answered = new Set<string>();
    let all = 0;
    const judge = (kept: readonly string[] | null): void => {
      if (kept === null) return;
      const there = new Set(kept);
      expect(there.size, 'each once').toBe(kept.length);
      expect([...answered].filter((text) => !there.has(text))).toEqual([]);
    };
    await runCampaign({ name: 'kills while notes are added', whole: 300, part: 3 }, async (draw, index) => {
      if (answered.size > mostInOneVault) {
        await rm(join(folder, 'data', 'vaults'), { recursive: true, force: true });
        answered = new Set();
      }
      // One in five is killed before its vault is open.
      const early = index > 0 && draw.below(5) === 0;
      const { kept, noted } = await live(String(index), async (life) => {
        if (early) return pause(draw.below(500));
        await life.open;
        await pause(draw.below(400));
      });
      judge(kept);
      for (const text of noted) answered.add(text);
      all += noted.length;
      await expectSealed();
      return kept === null ? 'while starting' : 'while working';
    });
    const last = await live('last', async ({ noted, open }) => {
      await open;
      while (noted.length === 0) await pause(5);
    });
    expect(last.kept).not.toBeNull();
    judge(last.kept);
    expect(all).toBeGreaterThan(0);
    process.stdout.write(`campaign kills while notes are added: ${String(all)} notes answered, 0 lost\n`);
  },
  campaignTimeoutMs,
);
