import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { casesOf } from '../../../support/campaign.ts';
import { temporaryFolder } from '../../support.ts';
import { bytesOf, fileId, opened, readBack } from './support.ts';

const program = fileURLToPath(new URL('../../programs/writeActions.ts', import.meta.url));
const kills = casesOf({ part: 2, whole: 6 });

interface Said {
  rows: number;
  head: number;
  sidecar: number;
  readonly files: Set<number>;
}

/**
 * Runs the program until it is killed at a random moment after it said `after`, and adds to `said` what it
 * acknowledged.
 */
async function writeUntilKilled(
  dataDir: string,
  first: number,
  said: Said,
  after: 'opened' | 'rows',
): Promise<void> {
  const child = spawn(process.execPath, [program, dataDir, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A row that never comes must not leave it writing.
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  lines.on('line', (line) => {
    const [what, round = ''] = line.split(' ');
    if (what === after && (what === 'opened' || Number(round) > 0))
      void pause(Math.random() * 400).then(() => child.kill('SIGKILL'));
    if (what === 'file') said.files.add(Number(round));
    else if (what === 'rows' || what === 'head' || what === 'sidecar') said[what] = Number(round);
  });
  const read = once(lines, 'close');
  await exited;
  await read;
  expect(child.signalCode).toBe('SIGKILL');
}

test('what was acknowledged survives a kill at any moment, and nothing is there by half', async () => {
  const dataDir = await temporaryFolder();
  const said: Said = { rows: -1, head: -1, sidecar: -1, files: new Set() };
  let next = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    // A slow machine may have acknowledged nothing by a kill at any moment: the last one waits for a row.
    await writeUntilKilled(dataDir, next, said, kill === kills - 1 ? 'rows' : 'opened');
    const records = await opened(dataDir, { fresh: false });
    expect(records.lost).toBeNull();
    const { rows, damaged } = await records.store.rows('uploads');
    expect(damaged).toBe(0);
    const byId = new Map(rows.map(({ id, text }) => [id, text]));
    const last = Number(byId.get('last') ?? -1);
    expect(last).toBeGreaterThanOrEqual(said.rows);
    // The two rows of a change are there together.
    if (last >= 0) expect(byId.get(`of ${String(last)}`)).toBe(String(last));
    expect(byId.has(`of ${String(last + 1)}`)).toBe(false);
    const head = await records.store.readHead();
    expect(head.damaged).toBe(false);
    expect(Number(head.text ?? -1)).toBeGreaterThanOrEqual(said.head);
    const sidecars = await records.spool.sidecars();
    expect(sidecars.get(fileId(0))).not.toBeNull();
    expect(Number(sidecars.get(fileId(0)) ?? -1)).toBeGreaterThanOrEqual(said.sidecar);
    const files = await records.spool.list();
    for (const round of said.files) expect(files.has(fileId(round + 1)), `file ${String(round)}`).toBe(true);
    for (const id of files.keys()) {
      const round = parseInt(id, 16) - 1;
      const bytes = bytesOf(round % 3 === 0 ? 100 : 1_300_000, String(round));
      const back = await readBack(records, id);
      expect(back.error).toBeNull();
      expect(back.bytes.equals(bytes), `file ${String(round)}`).toBe(true);
      // Kept small: what was proven once is not read again.
      await records.spool.remove(id);
    }
    said.files.clear();
    await records.spool.sweep(new Set([fileId(0)]));
    expect(await records.spool.list()).toEqual(new Map());
    await records.close();
    next = Math.max(last, Number(head.text ?? -1), said.rows, next) + 1;
  }
  expect(said.rows).toBeGreaterThan(0);
});
