import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endOnRequest } from './ending.ts';
import { countsProcessorTime } from './processorTime.ts';

/** A program of this text, which has printed a line. */
async function started(text: string) {
  const child = spawn(process.execPath, ['--eval', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ended, said: said.toString() };
}

describe('a console that is asked to end', () => {
  it('ends with its status', async () => {
    const it = await started(`
      setInterval(() => {}, 1000);
      process.on('SIGTERM', () => process.exit(7));
      console.log('here')`);
    expect(await endOnRequest(it, 'SIGTERM')).toBe(7);
  });

  it.runIf(countsProcessorTime)('is killed where it computes instead', async () => {
    const it = await started(
      `process.on('SIGTERM', () => { for (;;); }); setInterval(() => {}, 1000); console.log('here')`,
    );
    await expect(endOnRequest(it, 'SIGTERM', { computedSeconds: 0.2 })).rejects.toThrow(
      /has computed for .* does not end/,
    );
    expect(it.child.signalCode).toBe('SIGKILL');
  });

  it('is killed where it stands still', async () => {
    const it = await started(
      `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('here')`,
    );
    await expect(endOnRequest(it, 'SIGTERM', { standsStillMs: 200 })).rejects.toThrow(
      'waits without a limit',
    );
    expect(it.child.signalCode).toBe('SIGKILL');
  });

  it.runIf(countsProcessorTime)('leaves no process behind', async () => {
    const it = await started(`
      const { spawn } = require('node:child_process');
      const left = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
      process.on('SIGTERM', () => process.exit());
      console.log(left.pid)`);
    onTestFinished(() => void process.kill(Number(it.said), 'SIGKILL'));
    await expect(endOnRequest(it, 'SIGTERM', { outlivedMs: 200 })).rejects.toThrow(
      'all that the console started',
    );
  });
});
