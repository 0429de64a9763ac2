import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDocuments } from '../../../src-main/adapters/documents.ts';
import type { Documents } from '../../../src-main/core/base/ports.ts';
import type { Attachment } from '../../../src-main/hosts/desktop/attachment.ts';
import {
  readRecoveryAdvice,
  recoverWindow,
  type DesktopRecoveryOptions,
} from '../../../src-main/hosts/desktop/recovery.ts';
import { flush, until } from '../../support/clock.ts';
import { RecoveredWindow } from './fake/recovery.ts';

interface Scene {
  readonly window: RecoveredWindow;
  readonly dataDir: string;
  readonly workerLost: () => void;
  readonly retryGraphics: () => void;
  readonly restart: () => void;
  readonly close: () => void;
  /** Moves the clock and lets files be written. */
  readonly after: (seconds: number) => Promise<string[]>;
}

/** Real documents, and `settled`, which resolves when none of them is being read or written. */
function watchedDocuments(folder: string): { documents: Documents; settled: () => Promise<void> } {
  const { read, write, remove } = createDocuments(folder);
  const busy = new Set<Promise<unknown>>();
  const watched =
    <A extends unknown[], R>(act: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> => {
      const acting = act(...given);
      busy.add(acting);
      const end = (): void => void busy.delete(acting);
      acting.then(end, end);
      return acting;
    };
  return {
    documents: { read: watched(read), write: watched(write), remove: watched(remove) },
    settled: async () => {
      await flush();
      while (busy.size > 0) {
        await Promise.allSettled(busy);
        await flush();
      }
    },
  };
}

async function scene(
  options: Partial<DesktopRecoveryOptions> & { readonly dataDir?: string } = {},
): Promise<Scene> {
  const window = new RecoveredWindow();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recovery-')));
  const { documents, settled } = watchedDocuments(dataDir);
  let listener: (() => void) | null = null;
  let retry: (() => void) | null = null;
  let restart: (() => void) | null = null;
  const { close } = recoverWindow({
    documents,
    supervised: false,
    relaunch: { args: ['--kiosk'] },
    close: () => {
      window.done.push('close');
      return Promise.resolve();
    },
    onWorkerLost: (told) => {
      listener = told;
      return () => {
        listener = null;
      };
    },
    onRetryGraphics: (listener) => {
      retry = listener;
      return () => {
        retry = null;
      };
    },
    onRestart: (listener) => {
      restart = listener;
      return () => {
        restart = null;
      };
    },
    onStopped: () => void window.done.push('stopped'),
    ...options,
  })(window);
  return {
    window,
    dataDir,
    close,
    workerLost: () => listener?.(),
    retryGraphics: () => retry?.(),
    restart: () => restart?.(),
    after: async (seconds) => {
      // What was remembered is read from a real file first.
      await settled();
      await window.clock.advance(seconds * 1_000);
      return window.take();
    },
  };
}

it('loads a page again whose process died, later each time, and then starts the console anew', async () => {
  const { window, after, dataDir } = await scene();
  window.contents.gone('crashed');
  expect(await after(0.9)).toEqual([]);
  expect(await after(0.1)).toEqual(['load /']);
  window.contents.gone('oom');
  expect(await after(4.9)).toEqual([]);
  expect(await after(0.1)).toEqual(['load /']);
  window.contents.failLoad(-6);
  expect(await after(20)).toEqual(['load /']);
  window.contents.gone('crashed');
  await until(() => window.done.length >= 3, 'the relaunch');
  expect(window.take()).toEqual(['relaunch --kiosk', 'close', 'exit 0']);
  // The next process has the GPU, and one relaunch less.
  expect(readRecoveryAdvice(dataDir, window.clock.wallNow()).gpuOffSince).toBeNull();
});

it('loads a page again whose preload failed: without it the page reaches no console', async () => {
  const { window, after } = await scene();
  window.contents.emit('preload-error', {}, '/preload.cjs', new Error('broke'));
  expect(await after(1)).toEqual(['load /']);
});

it('waits for what earlier processes went through before it does anything', async () => {
  const { window } = await scene();
  window.contents.gone('crashed');
  await window.clock.advance(0);
  expect(window.take()).toEqual([]);
  await until(() => window.logged.includes('recovery-reload'));
});

it('passes over an orderly end, a load that another one replaced, and frames', async () => {
  const { window, after } = await scene();
  window.contents.gone('clean-exit');
  window.contents.failLoad(-3);
  window.contents.failLoad(-6, false);
  window.app.childGone({ type: 'Utility', reason: 'crashed' });
  window.app.childGone({ type: 'GPU', reason: 'clean-exit' });
  expect(await after(60)).toEqual([]);
});

it('ends a page that hangs and loads it again, unless it comes back by itself', async () => {
  const { window, after } = await scene();
  window.contents.emit('unresponsive');
  await after(9);
  window.contents.emit('responsive');
  expect(await after(60)).toEqual([]);
  window.contents.emit('unresponsive');
  expect(await after(9.9)).toEqual([]);
  // The process that was ended tells of its end: that is not a second trouble.
  expect(await after(0.1)).toEqual(['crash']);
  expect(await after(1)).toEqual(['load /']);
  expect(await after(60)).toEqual([]);
});

it('ends a page that leaves a push unanswered for 20 s, and not one that answers late', async () => {
  const { window, after } = await scene();
  window.push();
  await after(19);
  window.answer();
  expect(await after(60)).toEqual([]);
  window.push();
  expect(await after(19.9)).toEqual([]);
  expect(await after(0.1)).toEqual(['crash']);
  expect(await after(1)).toEqual(['load /']);
  // Nothing was sent to the next page yet, so it owes nothing.
  expect(await after(120)).toEqual([]);
});

it('does not end what is gone already', async () => {
  const { window, after } = await scene();
  window.contents.destroyed = true;
  window.push();
  expect(await after(21)).toEqual(['load /']);
});

it('starts anew without the GPU when its process died three times, and only once', async () => {
  const first = await scene();
  for (const reason of ['crashed', 'killed', 'launch-failed'] as const) {
    first.window.app.childGone({ type: 'GPU', reason });
    await first.after(10);
  }
  const advised = () => readRecoveryAdvice(first.dataDir, first.window.clock.wallNow()).gpuOffSince;
  await until(() => advised() !== null, 'the note');
  expect(readRecoveryAdvice(first.dataDir, first.window.clock.wallNow()).gpuOffSince).not.toBeNull();
  const week = 7 * 24 * 60 * 60_000;
  expect(readRecoveryAdvice(first.dataDir, first.window.clock.wallNow() + week).gpuOffSince).toBeNull();

  const second = await scene({ dataDir: first.dataDir });
  for (let count = 0; count < 6; count += 1) second.window.app.childGone({ type: 'GPU', reason: 'crashed' });
  expect(await second.after(60)).toEqual([]);
});

it('does not count a GPU whose context the system took (fact 29)', async () => {
  const { window, after } = await scene();
  for (let count = 0; count < 6; count += 1)
    window.app.childGone({ type: 'GPU', reason: 'abnormal-exit', exitCode: 34 });
  expect(await after(60)).toEqual([]);
});

it('starts anew where the operator wants it, and counts that for no failure', async () => {
  const { restart, window, dataDir } = await scene();
  restart();
  await until(() => window.done.length >= 3, 'the relaunch');
  expect(window.take()).toEqual(['relaunch --kiosk', 'close', 'exit 0']);
  expect(await readdir(dataDir)).toEqual([]);
});

it('starts with the GPU again once the operator asked for it, and not before', async () => {
  const first = await scene();
  for (let count = 0; count < 3; count += 1) first.window.app.childGone({ type: 'GPU', reason: 'crashed' });
  await until(() => first.window.done.length >= 3, 'the relaunch');
  const advice = () => readRecoveryAdvice(first.dataDir, first.window.clock.wallNow()).gpuOffSince;
  expect(advice()).not.toBeNull();
  const second = await scene({ dataDir: first.dataDir });
  await second.after(60);
  expect(advice()).not.toBeNull();
  second.retryGraphics();
  await until(() => advice() === null, 'the note');
  // This process goes on without it.
  expect(second.window.take()).toEqual([]);
});

it('a lost thread starts the console anew three times within an hour, and then the page says what to do', async () => {
  let { dataDir } = await scene();
  for (let count = 0; count < 3; count += 1) {
    const { window, workerLost, dataDir: same } = await scene({ dataDir, supervised: true });
    dataDir = same;
    workerLost();
    await until(() => window.done.length >= 2, 'the relaunch');
    expect(window.take()).toEqual(['close', 'exit 75']);
  }
  const { window, workerLost, after } = await scene({ dataDir });
  workerLost();
  await until(() => window.done.length >= 2, 'the page');
  expect(window.take()).toEqual(['load /stopped.html', 'stopped']);
  window.contents.gone('crashed');
  expect(await after(60)).toEqual([]);
});

it('ends a process whose console does not close', async () => {
  const { window, workerLost, after } = await scene({ close: () => new Promise(() => undefined) });
  workerLost();
  await until(() => window.done.length > 0, 'the relaunch');
  expect(await after(4.9)).toEqual(['relaunch --kiosk']);
  expect(await after(0.1)).toEqual(['exit 0']);
});

it('starts anew also when nothing can be written, or its console breaks while it closes', async () => {
  const hangs = await scene({
    documents: { read: () => Promise.reject(new Error('EIO')), write: () => new Promise(() => undefined) },
    close: () => Promise.reject(new Error('broke')),
  });
  hangs.workerLost();
  expect(await hangs.after(1.9)).toEqual([]);
  expect(await hangs.after(0.1)).toEqual(['relaunch --kiosk', 'exit 0']);
  const refuses = await scene({
    documents: { read: () => Promise.resolve(null), write: () => Promise.reject(new Error('ENOSPC')) },
  });
  refuses.workerLost();
  expect(await refuses.after(0)).toEqual(['relaunch --kiosk', 'close', 'exit 0']);
  expect(refuses.window.logged).toContain('recovery-not-noted');
});

it('lets go of everything when it is closed, also before it began', async () => {
  const { window, after, close, workerLost } = await scene();
  await flush();
  window.contents.gone('crashed');
  close();
  workerLost();
  expect(window.watched).toBe(false);
  expect(await after(60)).toEqual([]);

  const later = await scene();
  await later.after(0);
  later.window.push();
  later.window.contents.gone('crashed');
  later.close();
  expect(await later.after(60)).toEqual([]);
  expect(later.window.clock.pending()).toBe(0);
});

it('does not take a missing, damaged or foreign document for an advice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'recovery-'));
  const advice = (): boolean => readRecoveryAdvice(dataDir, 1_000).gpuOffSince !== null;
  expect(advice()).toBe(false);
  for (const text of ['', '{', '[]', '{"format":2,"relaunches":[],"gpuOffSince":1}', '{"gpuOffSince":1}']) {
    await writeFile(join(dataDir, 'recovery.json'), text);
    expect(advice(), text).toBe(false);
  }
  await writeFile(join(dataDir, 'recovery.json'), '{"format":1,"relaunches":[],"gpuOffSince":1}');
  // Of another Electron, or of a console before this one: what it could not use may be usable now.
  expect(advice()).toBe(false);
  await writeFile(
    join(dataDir, 'recovery.json'),
    '{"format":1,"relaunches":[],"gpuOffSince":1,"gpuOffRuntime":"none"}',
  );
  expect(advice()).toBe(true);
});

it('is a part of the desktop host, by the types of the real Electron', () => {
  const attachment: (options: DesktopRecoveryOptions) => Attachment = recoverWindow;
  expect(attachment).toBe(recoverWindow);
});
