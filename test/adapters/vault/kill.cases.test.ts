import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { casesOf } from '../../support/campaign.ts';
import { temporaryFolder } from '../support.ts';
import { contents, createVaultRig, incident, opened } from './support.ts';

const program = fileURLToPath(new URL('../programs/writeVault.ts', import.meta.url));

/**
 * Runs the program until it is killed at a random moment after it said `after`; the last round that it acknowledged, or
 * the one before `first`.
 */
async function writeUntilKilled(dataDir: string, first: number, after: 'opened' | 'round'): Promise<number> {
  const child = spawn(process.execPath, [program, dataDir, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = first - 1;
  const lines = createInterface(child.stdout);
  lines.on('line', (line) => {
    const isOpened = line === 'opened';
    if (isOpened === (after === 'opened')) void pause(Math.random() * 150).then(() => child.kill('SIGKILL'));
    if (!isOpened) last = Number(line);
  });
  const read = once(lines, 'close');
  await exited;
  await read;
  expect(child.signalCode).toBe('SIGKILL');
  return last;
}

test('what was acknowledged survives a kill at any moment, and a change is there as a whole or not at all', async () => {
  const dataDir = await temporaryFolder();
  const kills = casesOf({ part: 2, whole: 6 });
  let next = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    // A slow machine may have acknowledged nothing by a kill at any moment: the last one waits for a round.
    const last = await writeUntilKilled(dataDir, next, kill === kills - 1 ? 'round' : 'opened');
    const vault = await opened(createVaultRig({ dataDir }));
    expect(vault.notice).toBeNull();
    const { byId, damaged } = await contents(vault);
    const ledger = await vault.cache.document('ledger');
    const stored = ledger.ok && ledger.value !== null ? Number(ledger.value) : -1;
    expect(damaged).toBe(0);
    expect(stored).toBeGreaterThanOrEqual(last);
    expect(byId.get(incident(0).record.id)?.arrivedAt ?? -1).toBe(stored);
    for (let round = 0; round <= stored; round += 1) {
      for (let index = 0; index < 10; index += 1) {
        const gone = index === 0 && round % 3 === 1 && round + 1 <= stored;
        expect(
          byId.has(incident(10 + round * 10 + index).record.id),
          `${String(round)}/${String(index)}`,
        ).toBe(!gone);
      }
    }
    const expected = stored < 0 ? 0 : 1 + (stored + 1) * 10 - Math.floor((stored + 1) / 3);
    expect(byId.size).toBe(expected);
    await vault.close();
    next = stored + 1;
  }
  expect(next).toBeGreaterThan(0);
});
