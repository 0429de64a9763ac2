import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drivenSteps } from '../../../build/first-light/driven.ts';
import type { MainProcess } from '../../../build/first-light/inspector.ts';
import * as scripts from '../../../build/first-light/pageScripts.ts';
import type { ReportedStep } from '../../../build/first-light/report.ts';
import { createStepList } from '../../../build/first-light/stepList.ts';
import { pushChannel } from '../../../src-preload/contract/index.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';
import type { ElectronFacts } from './fake/facts.ts';

const megabyte = 1_048_576;
const whole = (megabytes: number) => ({
  status: 204,
  taken: megabytes * megabyte,
  milliseconds: 900,
  endedAfter: null,
});

/** A page that has everything, as the scripts of a first light see it; a test changes what it is about. */
class Page {
  begun = 1_000;
  painted: number | null = 1_800;
  map: string | null = 'ready';
  path = '/';
  answers = new Map<string, unknown>([
    [scripts.graphicsName.script, { name: 'llvmpipe' }],
    [scripts.notificationPermission.script, { permission: 'granted' }],
    [scripts.fetchedBundle.script, { status: 200, bytes: 5_000 }],
    [scripts.playedVideo.script, { found: true, seconds: 6, at: 3 }],
    [scripts.trainingAccount.script, { username: 'ada', password: 'p' }],
    [scripts.carriedUpload(64, null).script, whole(64)],
    [scripts.carriedUpload(512, null).script, whole(512)],
    [
      scripts.carriedUpload(512, 64).script,
      { status: 204, taken: 65 * megabyte, milliseconds: 400, endedAfter: 30 },
    ],
  ]);
  /** Another document, as after a load. */
  anew(path = '/', map: string | null = 'ready'): void {
    this.begun += 1;
    this.path = path;
    this.map = map;
  }
}

let desktop: DesktopUnderTest;
let page: Page;
let held: number;
let pushed: Uint8Array | null;
/** Verbs that the page called, and those that the console refuses. */
let calls: string[];
let refuses: string | null;
let ended: PromiseWithResolvers<void>;
const killed: number[] = [];

async function open(facts: Partial<ElectronFacts> = {}): Promise<void> {
  desktop = await desktopUnderTest({ keyStoreAnswers: true, ...facts });
  page = new Page();
  held = 0;
  pushed = null;
  calls = [];
  refuses = null;
  ended = Promise.withResolvers();
  killed.length = 0;
  desktop.electron.app.metrics = [{ type: 'GPU', pid: 77 } as never];
}
beforeEach(() => open());
afterEach(() => desktop.end());

function calledVerb(name: string): { failed: string | null } {
  calls.push(name);
  if (name === refuses) return { failed: 'internal' };
  if (name === 'openWindow') desktop.shown().openSecond('list', null);
  if (name === 'lock') page.anew('/', null);
  if (name === 'unlock') page.map = 'ready';
  return { failed: null };
}

function answerOf(script: string): unknown {
  const answer = page.answers.get(script);
  if (answer !== undefined) return typeof answer === 'function' ? (answer as () => unknown)() : answer;
  const verb = /^fieldConsole\.verbs\.(\w+)\(/.exec(script)?.[1];
  if (verb !== undefined) return calledVerb(verb);
  switch (script) {
    case scripts.timesOfDocument.script:
      return { begun: page.begun, painted: page.painted, map: page.map };
    case scripts.atQuietPage.script:
      return { quiet: page.path === scripts.quietPage };
    case scripts.atFirstPage.script:
      return { there: page.path === '/' };
    case scripts.listedOne.script:
      return { listed: true };
    default:
      return pushed === null ? new Promise(() => undefined) : { sum: scripts.sumOf(pushed) };
  }
}

/** The main process of the fake: what a step evaluates there runs here. */
const main = (): MainProcess => ({
  ended: ended.promise,
  evaluate: async (run, argument) => {
    const text = run.toString();
    if (text.includes('memoryUsage')) return held as never;
    if (text.includes('timeOrigin')) return 1_000 as never;
    return (await run(desktop.electron.asElectron() as never, structuredClone(argument))) as never;
  },
});

/** Takes the steps while time goes on. */
async function report(megabytes = 512, wayland = false): Promise<readonly ReportedStep[]> {
  const { electron, clock } = desktop;
  electron.page = answerOf;
  const window = await desktop.run();
  window.finishLoad();
  window.loads = () => {
    page.anew(window.loaded.at(-1)?.endsWith(scripts.quietPage) === true ? scripts.quietPage : '/');
    return Promise.resolve();
  };
  const send = window.webContents.send.bind(window.webContents);
  window.webContents.send = (channel, ...args) => {
    if (channel === pushChannel && args[0] instanceof Uint8Array) pushed = args[0];
    send(channel, ...args);
  };
  window.webContents.forcefullyCrashRenderer = () => {
    window.webContents.die('killed');
    page.anew();
  };
  const kill = (pid: number): void => {
    killed.push(pid);
    electron.app.metrics = [{ type: 'GPU', pid: pid + 1 } as never];
  };
  const list = createStepList({ clock });
  let done = false;
  const taken = drivenSteps({ list, main: main(), clock, platform: 'linux', wayland, megabytes, kill });
  void taken.finally(() => (done = true));
  while (!done) {
    clock.advance(250);
    await new Promise(setImmediate);
  }
  await taken;
  return list.steps;
}
const stepOf = (steps: readonly ReportedStep[], id: string) => {
  const found = steps.find((step) => step.id === id);
  return found && { outcome: found.outcome, detail: found.detail };
};

describe('a first light', () => {
  it('takes every step on a system that has everything', async () => {
    const made = await report();
    expect(made.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(made.map(({ id }) => id)).toEqual([
      ...['first-frame', 'graphics', 'display', 'compression', 'key-store', 'dialog', 'page-sign-in'],
      ...['upload-64', 'upload-512', 'upload-cancelled', 'download', 'video', 'notifications'],
      ...['second-window', 'full-screen', 'large-push', 'subscribe-again', 'lock'],
      ...['page-death', 'graphics-death', 'graphics-death-again'],
    ]);
    expect(stepOf(made, 'first-frame')?.detail).toBe('800 ms after the process began.');
    expect(stepOf(made, 'key-store')?.detail).toBe('It came back (gnome_libsecret, v11).');
    expect(stepOf(made, 'graphics-death')?.detail).toBe('Now drawn by llvmpipe.');
    expect(killed).toEqual([77, 78]);
    expect(desktop.electron.windows.map(({ destroyed }) => destroyed)).toEqual([false, true]);
    expect(calls).toEqual(['signIn', 'pauseUpload', 'pauseUpload', 'openWindow', 'lock', 'unlock']);
  });

  it.each<[string, string, () => void, { outcome: string; detail: string }]>([
    [
      'no frame',
      'first-frame',
      () => (page.painted = null),
      { outcome: 'failed', detail: 'The page said of no frame that it was drawn.' },
    ],
    [
      'only the built-in key of Chromium',
      'key-store',
      () => (desktop.electron.safeStorage.mark = 'v10'),
      {
        outcome: 'not-run',
        detail: 'There is no key store: it came back from a built-in key (gnome_libsecret, v10).',
      },
    ],
    [
      'no video',
      'video',
      () => page.answers.set(scripts.playedVideo.script, { found: false, seconds: 0, at: 0 }),
      { outcome: 'not-run', detail: 'There is no video.' },
    ],
    [
      'a video that does not play',
      'video',
      () => page.answers.set(scripts.playedVideo.script, { refused: 'The video was not played.' }),
      { outcome: 'failed', detail: 'The video was not played.' },
    ],
    [
      'no key store',
      'key-store',
      () => (desktop.electron.safeStorage.broken = 'rejects'),
      { outcome: 'not-run', detail: 'There is no key store.' },
    ],
    [
      'a key store that answers nonsense',
      'key-store',
      () => (desktop.electron.safeStorage.broken = 'garbles'),
      { outcome: 'failed', detail: 'What was kept did not come back.' },
    ],
    [
      'an upload that is refused',
      'upload-512',
      () => page.answers.set(scripts.carriedUpload(512, null).script, { refused: 'storage-full' }),
      { outcome: 'failed', detail: 'The console refused it: storage-full.' },
    ],
    [
      'an upload of which a part was taken',
      'upload-512',
      () => page.answers.set(scripts.carriedUpload(512, null).script, whole(511)),
      { outcome: 'failed', detail: 'The answer was 204.' },
    ],
    [
      'a cancelled upload that is read to its end',
      'upload-cancelled',
      () => page.answers.set(scripts.carriedUpload(512, 64).script, { ...whole(512), endedAfter: 900 }),
      { outcome: 'failed', detail: 'All of it was read.' },
    ],
    [
      'a download that is refused',
      'download',
      () => page.answers.set(scripts.fetchedBundle.script, { refused: 'locked' }),
      { outcome: 'failed', detail: 'The console refused it: locked.' },
    ],
    [
      'a download without bytes',
      'download',
      () => page.answers.set(scripts.fetchedBundle.script, { status: 404, bytes: 0 }),
      { outcome: 'failed', detail: 'The answer was 404.' },
    ],
    [
      'no permission to notify',
      'notifications',
      () => page.answers.set(scripts.notificationPermission.script, { permission: 'denied' }),
      { outcome: 'failed', detail: "The page's permission is denied." },
    ],
  ])('says it of a system with %s', async (_what, id, change, expected) => {
    change();
    const made = await report();
    expect(stepOf(made, id)).toEqual(expected);
    expect(made.filter((step) => step.id !== id && step.outcome !== 'passed')).toEqual([]);
  });

  it('fails where a file is kept whole in memory', async () => {
    page.answers.set(scripts.carriedUpload(512, null).script, () => {
      held = 512 * megabyte;
      return whole(512);
    });
    expect(stepOf(await report(), 'upload-512')).toEqual({
      outcome: 'failed',
      detail: expect.stringContaining('grew by 512 MB at most: parts of the file stay in it.') as unknown,
    });
  });

  it('waits for a key store that asks somebody no longer than 10 s', async () => {
    await desktop.end();
    await open({ keyStoreAnswers: false });
    expect(stepOf(await report(), 'key-store')).toEqual({
      outcome: 'not-run',
      detail: 'Its prompt was not answered within 10 s.',
    });
  });

  it('fails where other bytes arrive than were pushed', async () => {
    page.answers.set(scripts.receivedPush(2 * megabyte).script, { sum: 1 });
    expect(stepOf(await report(), 'large-push')).toEqual({
      outcome: 'failed',
      detail: 'Other bytes arrived.',
    });
  });

  it('fails where a window that was to fill the screen does not', async () => {
    const running = report();
    await new Promise(setImmediate);
    const window = desktop.electron.windows[0];
    if (window) window.setFullScreen = () => undefined;
    expect(stepOf(await running, 'full-screen')).toEqual({
      outcome: 'failed',
      detail: 'The window did not fill the screen.',
    });
  });

  it('fails where there is no WebGL, before and after the deaths of the graphics', async () => {
    page.answers.set(scripts.graphicsName.script, { name: null });
    const failed = (await report()).filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toEqual(['graphics', 'graphics-death', 'graphics-death-again']);
  });

  it('fails where a session of Wayland shows a window of X11', async () => {
    expect(stepOf(await report(512, true), 'display')).toEqual({
      outcome: 'failed',
      detail: expect.stringContaining('It is no window of Wayland (ozone: x11') as unknown,
    });
  });

  it('does not try the deaths of graphics that have no process', async () => {
    desktop.electron.app.metrics = [];
    const made = await report();
    const none = { outcome: 'not-run', detail: 'There is no separate process for graphics.' };
    expect(stepOf(made, 'graphics-death')).toEqual(none);
    expect(stepOf(made, 'graphics-death-again')).toEqual(none);
  });

  it('takes a console for locked whose answer went with the document', async () => {
    page.answers.set(scripts.called('lock', {}).script, () => {
      if (page.map === null) return { failed: 'locked' };
      page.anew('/', null);
      return null;
    });
    expect(stepOf(await report(), 'lock')?.outcome).toBe('passed');
  });

  it.each(['lock', 'unlock'])('fails where the console does not %s', async (verb) => {
    refuses = verb;
    expect(stepOf(await report(), 'lock')).toEqual({
      outcome: 'failed',
      detail: `The console refused ${verb}: internal.`,
    });
  });

  it('does not lock what was not signed in to', async () => {
    refuses = 'signIn';
    const made = await report();
    expect(stepOf(made, 'page-sign-in')).toEqual({
      outcome: 'failed',
      detail: 'The console refused signIn: internal.',
    });
    expect(stepOf(made, 'lock')?.outcome).toBe('not-run');
  });

  it('takes no step of an application that has ended, and waits for none', async () => {
    page.answers.set(scripts.fetchedBundle.script, () => {
      ended.resolve();
      return new Promise(() => undefined);
    });
    const made = await report();
    const at = made.findIndex(({ id }) => id === 'download');
    expect(made[at]).toMatchObject({ outcome: 'failed', detail: 'The application ended.' });
    for (const step of made.slice(at + 1))
      expect(step).toMatchObject({ outcome: 'not-run', detail: 'The application had ended.' });
    expect(made).toHaveLength(21);
  });
});
