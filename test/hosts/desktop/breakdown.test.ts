import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchForBreakdown } from '../../../src-main/hosts/desktop/breakdown.ts';
import { readRecoveryAdvice } from '../../../src-main/hosts/recovery/remembered.ts';
import { createVirtualClock, flush } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/ports.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'field-console-break-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Runs breakingConsole.ts and every process that it starts in its place, until the last has ended. */
function run(what: string, how = ''): Promise<{ lines: string[]; err: string; status: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../programs/breakingConsole.ts'), dataDir, what, how],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let out = '';
    let err = '';
    child.stdout.on('data', (part) => (out += String(part)));
    child.stderr.on('data', (part) => (err += String(part)));
    child.once('error', reject);
    child.once('close', (status) => resolve({ lines: out.trim().split('\n'), err, status }));
  });
}
/** As after so many starts for the console's own reasons within the last minutes. */
async function startedBefore(times: number): Promise<void> {
  const relaunches = Array.from({ length: times }, (_, ago) => Date.now() - ago * 60_000);
  const text = JSON.stringify({ format: 1, relaunches, gpuOffSince: null });
  await writeFile(join(dataDir, 'recovery.json'), text);
}
const without = (lines: readonly string[]): string[] => lines.filter((line) => !line.startsWith('log '));
const logged = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith('log '));

describe('a real process in whose main thread something is thrown (fact 14)', () => {
  it.each(['exception', 'rejection', 'value', 'named'])(
    'is closed and started again, and says where without saying what: %s',
    async (what) => {
      const { lines, err } = await run(what, 'supervised');
      expect(without(lines)).toEqual(['start', 'closed', 'exit 75']);
      expect(logged(lines)[0]).toContain('console-broke');
      expect(lines.join() + err).not.toContain('hunter2');
      if (what !== 'value') expect(logged(lines)[0]).toMatch(/"place":"breakingConsole\.ts:\d+:\d+/);
      // No stack trace, and no warning of Node's.
      expect(err.trim().split('\n')).toHaveLength(1);
      expect(readRecoveryAdvice(dataDir, Date.now()).brokeAt).not.toBeNull();
    },
  );

  it('starts again three times within an hour, and then says so in a box and ends', async () => {
    const { lines } = await run('exception');
    const round = ['start', 'closed', 'exit 0'];
    const box = 'box';
    expect(without(lines)).toEqual([...round, ...round, ...round, 'start', 'closed', box, 'exit 1']);
  });

  it('does the same before there is anything to close', async () => {
    await startedBefore(2);
    const { lines } = await run('exception', 'early');
    expect(without(lines)).toEqual(['start', 'exit 0', 'start', expect.stringContaining('box'), 'exit 1']);
  });

  it('shows the page that says what to do where there is a window for it', async () => {
    await startedBefore(3);
    const { lines } = await run('rejection', 'shown');
    expect(without(lines)).toEqual(['start', 'page stopped.html', 'closed']);
    expect(logged(lines)[1]).toContain('recovery-stopped');
  });

  it('leaves the start to a service manager, with a status that asks for it and at last with a failure', async () => {
    await startedBefore(2);
    expect((await run('exception', 'supervised')).status).toBe(75);
    const last = await run('exception', 'supervised');
    expect(last.status).toBe(1);
    // No one may be there to press a button.
    expect(last.lines.join()).not.toContain('box');
  });

  it('ends once, whatever else breaks meanwhile', async () => {
    const { lines } = await run('twice', 'supervised');
    expect(without(lines)).toEqual(['start', 'closed', 'exit 75']);
    expect(logged(lines).filter((line) => line.startsWith('log console-broke'))).toHaveLength(2);
  });

  it('is not started again in a self-test, which has to tell of it', async () => {
    const { lines, status } = await run('exception', 'self-test');
    expect(without(lines)).toEqual(['start', 'closed', 'exit 1']);
    expect(status).toBe(1);
  });
});

describe('a console that breaks', () => {
  const broken = (close: () => Promise<void>, folder = dataDir) => {
    const events = new EventEmitter();
    const clock = createVirtualClock();
    const done: string[] = [];
    const logger = createRecordingLogger();
    const breakdown = watchForBreakdown({
      process: events,
      app: { relaunch: () => void done.push('relaunch'), exit: (status) => void done.push(`exit ${status}`) },
      clock,
      logger,
      dataDir: folder,
      supervised: false,
      relaunch: {},
      say: () => undefined,
      tellStopped: () => void done.push('box'),
    });
    breakdown.attach({ close, showStopped: () => false });
    return { events, clock, done, logger };
  };

  it('is cut when it does not close', async () => {
    const { events, clock, done } = broken(() => new Promise(() => undefined));
    events.emit('uncaughtException', new Error('x'), 'uncaughtException');
    await clock.advance(4_999);
    expect(done).toEqual(['relaunch']);
    await clock.advance(1);
    expect(done).toEqual(['relaunch', 'exit 0']);
  });

  it('ends where it breaks again in closing, and where its note cannot be written', async () => {
    const { events, done, logger } = broken(
      () => Promise.reject(new Error('y')),
      join(dataDir, 'not', 'there'),
    );
    events.emit('uncaughtException', new Error('x'), 'uncaughtException');
    await flush();
    expect(done).toEqual(['box', 'exit 1']);
    expect(logger.lines.map(({ event }) => event)).toEqual(['console-broke', 'recovery-stopped']);
  });

  it('notes it again when a document that was being written meanwhile replaced the note', async () => {
    const file = join(dataDir, 'recovery.json');
    const { events, clock, done } = broken(() =>
      writeFile(file, '{"format":1,"relaunches":[],"gpuOffSince":null}'),
    );
    events.emit('uncaughtException', new Error('x'), 'uncaughtException');
    await expect.poll(() => done).toEqual(['relaunch', 'exit 0']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      relaunches: [clock.wallNow()],
      brokeAt: clock.wallNow(),
    });
  });
});
