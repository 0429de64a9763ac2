import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { preparedOnce, temporaryFolder } from '../adapters/support.ts';
import {
  afterwardsText,
  keyNames,
  makeVault,
  openVault,
  settled,
  wrongWith,
} from '../adapters/vault/changedVault.ts';
import { formerKey, openedBy } from '../adapters/vault/formerKey.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';

const before = 'the first one';
const next = 'the next one';
const program = fileURLToPath(new URL('programs/changing.ts', import.meta.url));
const harm = pathToFileURL(join(import.meta.dirname, 'support', 'harmAt.ts')).href;

/** The calls to the disk of a change and of the sealing after it, in each thread; where it fails, reading ones too. */
const calls = {
  kill: { main: 170, 'vault cache': 16, 'vault outbox': 18 },
  fail: { main: 340, 'vault cache': 16, 'vault outbox': 18 },
} as const;
const codes = ['EIO', 'ENOSPC', 'EMFILE', 'EROFS'] as const;
interface Place {
  readonly how: keyof typeof calls;
  readonly thread: string;
  readonly at: number;
}
const places = (['kill', 'fail'] as const).flatMap((how) =>
  Object.entries(calls[how]).flatMap(([thread, count]) =>
    Array.from({ length: count }, (_, at): Place => ({ how, thread, at: at + 1 })),
  ),
);
/** Each place once; a part has some of each kind. */
const campaign = { name: 'password changes', whole: 578, part: 6 };
const stride = 283;

/** Which copies are put back later, as they were before the change. */
const putBack: readonly [readonly string[], ...(readonly string[])[]] = [[], ['key.a'], ['key.b'], keyNames];

/** What the process said before it was killed or had finished. */
async function change(draw: Seeded, dataDir: string, place: Place | undefined): Promise<readonly string[]> {
  const { how, thread, at } = place ?? draw.pick(places as [Place, ...Place[]]);
  const code = how === 'kill' ? how : draw.pick(codes);
  const child = spawn(process.execPath, ['--import', harm, program, dataDir, before, next], {
    env: { ...process.env, HARM_AT: JSON.stringify([thread, at, code]) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  let errors = '';
  child.stdout.on('data', (text) => (said += String(text)));
  child.stderr.on('data', (text) => (errors += String(text)));
  await once(child, 'close');
  const lines = said.split('\n').filter((line) => line !== '');
  if (child.signalCode !== 'SIGKILL') expect({ code: child.exitCode, errors }).toMatchObject({ code: 0 });
  return lines;
}

/** Whether `secret` opens the vault, in which everything is then whole. */
async function opens(
  dataDir: string,
  secret: string,
  end: { written: boolean; id: string },
): Promise<boolean> {
  const opened = await openVault(dataDir, secret);
  if (!opened) return false;
  try {
    expect(await wrongWith(opened, end.written)).toEqual([]);
    await settled(dataDir, end.id);
    expect(await wrongWith(opened, end.written)).toEqual([]);
  } finally {
    await opened.close();
  }
  return true;
}

let id = '';
const made = preparedOnce(async (dataDir) => {
  id = await makeVault(dataDir, before);
});

it(
  'a changed password locks the old one and its key out, wherever it is killed or the disk fails once, and loses nothing',
  async () => {
    await runCampaign(campaign, async (draw, index) => {
      const dataDir = await made();
      const path = (root: string, name: string): string => join(root, 'vaults', id, name);
      const old = await Promise.all(keyNames.map((name) => readFile(path(dataDir, name))));
      const former = await formerKey(id, old[0] ?? new Uint8Array(), before);

      let said = await change(draw, dataDir, places[(index * stride) % places.length]);
      // What was left is harmed once more, or goes on.
      if (draw.below(2) === 0) said = [...said, ...(await change(draw, dataDir, undefined))];
      const changed = said.includes('changed');
      const end = { written: said.includes('written'), id };
      const opened = await openedBy(former, dataDir);
      expect(opened.filter((text) => text.includes(afterwardsText))).toEqual([]);

      const byNew = await opens(dataDir, next, end);
      // The new one counts from its first use, whether or not its change was acknowledged.
      expect(await opens(dataDir, before, end)).toBe(!byNew);
      if (changed) expect(byNew).toBe(true);
      if (!byNew) return 'unchanged';
      expect(await openedBy(former, dataDir)).toEqual([]);

      const copy = await temporaryFolder();
      await cp(dataDir, copy, { recursive: true });
      const back = draw.pick(putBack);
      for (const [which, name] of keyNames.entries()) {
        if (back.includes(name)) await writeFile(path(copy, name), old[which] ?? '');
      }
      expect(await openVault(copy, before), 'the old password').toBeNull();
      if (back.length < keyNames.length) expect(await opens(copy, next, end)).toBe(true);
      return said.includes('settled') ? 'settled' : changed ? 'changed' : 'changed, not acknowledged';
    });
  },
  campaignTimeoutMs,
);
