import type { App } from 'electron';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { pushChannel } from '../../../../src-preload/contract/index.ts';
import { english } from '../../../core/base/messages/message.ts';
import type { ShownDesktop } from '../attachment.ts';
import * as scripts from './pageScripts.ts';
import type { PageWatch } from './pageWatch.ts';
import type { FurtherSteps } from './selfTest.ts';
import { NotRun, type StepList } from './stepList.ts';
import { uploadSteps } from './uploadSteps.ts';

const pushBytes = 2 * 1_048_576;
/** How long the test waits for a key store, in milliseconds: one that asks for a password waits without a limit. */
const keyStoreMs = 10_000;
const megabyte = 1_048_576;

export interface FirstLightOptions {
  readonly shown: Pick<ShownDesktop, 'window' | 'console' | 'clock' | 'electron' | 'load' | 'openSecond'>;
  /** The size of the largest upload. */
  readonly megabytes: number;
  /** The start of this process, Unix milliseconds. */
  readonly begunAt: number;
  /** The present memory of this process, bytes. */
  readonly memory: () => number;
  /** Kills a process. */
  readonly kill: (pid: number) => void;
}

interface Given extends FirstLightOptions {
  readonly page: PageWatch;
  readonly list: StepList;
}

/**
 * Tests that run once on each kind of system with Electron, for what a substitute cannot show. They send large files,
 * open windows, lock, and kill the processes of the page and of the graphics to see the console's reaction.
 */
export const firstLight =
  (options: FirstLightOptions): FurtherSteps =>
  async ({ list, page, password }) => {
    const given: Given = { ...options, list, page };
    await drawn(given);
    await kept(given);
    await uploadSteps(given);
    await bytesAndRights(given);
    await windows(given);
    await anew(given, password);
    await deaths(given);
  };

const mapIsBack = (page: PageWatch, before: number): Promise<{ begun: number }> =>
  page.until(
    scripts.timesOfDocument,
    ({ begun, map }) => begun !== before && map === 'ready',
    'The page did not come back with its map.',
  );
const documentNow = async (page: PageWatch): Promise<number> =>
  (await page.until(scripts.timesOfDocument, () => true, 'The page did not answer.')).begun;

async function drawn({ list, page, begunAt }: Given): Promise<void> {
  await list.step('first-frame', 'The first frame is drawn', async () => {
    const { painted } = await page.until(
      scripts.timesOfDocument,
      (seen) => seen.painted !== null,
      'The page said of no frame that it was drawn.',
    );
    return `${String(Math.round((painted ?? 0) - begunAt))} ms after the process began.`;
  });
  await list.step('graphics', 'WebGL has somebody who draws it', async () => {
    const { name } = await page.until(scripts.graphicsName, () => true, 'The page did not answer.');
    if (name === null) throw new Error('There is no WebGL.');
    return name;
  });
}

async function kept({ list, shown }: Given): Promise<void> {
  await list.step('compression', 'zstd packs and unpacks', () => {
    const plain = Buffer.alloc(megabyte, 'first light ');
    const packed = zstdCompressSync(plain);
    if (!zstdDecompressSync(packed).equals(plain)) throw new Error('What was packed did not come back.');
    return Promise.resolve(`1 MB became ${String(packed.byteLength)} bytes.`);
  });
  await list.step('key-store', 'The system keeps a secret', async () => {
    const { safeStorage } = shown.electron;
    const late = new Promise<never>((_, reject) => {
      shown.clock.schedule(keyStoreMs, () => {
        reject(new Error(`The key store did not answer within ${String(keyStoreMs / 1_000)} s.`));
      });
    });
    const tried = async (): Promise<string> => {
      const sealed = await safeStorage.encryptStringAsync('first light').catch(() => {
        throw new NotRun('There is no key store.');
      });
      const { result } = await safeStorage.decryptStringAsync(sealed);
      if (result !== 'first light') throw new Error('What was kept did not come back.');
      return 'It came back.';
    };
    return Promise.race([tried(), late]);
  });
}

async function bytesAndRights({ list, page }: Given): Promise<void> {
  await list.step('download', 'A file of the console reaches the page', async () => {
    const got = await page.until(scripts.fetchedBundle, () => true, 'The page did not answer.');
    if (scripts.isRefused(got)) throw new Error(`The console refused it: ${got.refused}.`);
    if (got.status !== 200 || got.bytes === 0) throw new Error(`The answer was ${String(got.status)}.`);
    return `${String(got.bytes)} bytes.`;
  });
  await list.step('notifications', 'The page may notify', async () => {
    const { permission } = await page.until(
      scripts.notificationPermission,
      () => true,
      'The page did not answer.',
    );
    if (permission !== 'granted') throw new Error(`The page's permission is ${permission}.`);
    return 'The page has the permission.';
  });
}

const listed = {
  script: `({ listed: document.querySelector('[role="option"]') !== null })`,
  answer: z.strictObject({ listed: z.boolean() }),
};

async function windows({ list, page, shown }: Given): Promise<void> {
  await list.step('second-window', 'A second window shows its half', async () => {
    const second = shown.openSecond('list', null);
    try {
      await page.of(second).until(listed, (seen) => seen.listed, 'The second window listed nothing.');
    } finally {
      second.close();
    }
    return 'It listed incidents.';
  });
  await list.step('full-screen', 'The window fills the screen and leaves it again', async () => {
    const { window } = shown;
    for (const on of [true, false]) {
      window.setFullScreen(on);
      await page.hold(
        () => window.isFullScreen() === on,
        on ? 'The window did not fill the screen.' : 'The window stayed.',
      );
    }
    return 'Both.';
  });
}

async function anew({ list, page, shown }: Given, password: string | null): Promise<void> {
  await list.step('large-push', 'A push of 2 MB reaches the page whole', async () => {
    shown.load(scripts.quietPage);
    await page.until(scripts.atQuietPage, ({ quiet }) => quiet, 'The quiet page was not loaded.');
    const bytes = Uint8Array.from({ length: pushBytes }, (_, at) => (at * 7 + (at >> 8)) % 256);
    let going = true;
    // This process cannot see when the page has subscribed.
    const send = async (): Promise<void> => {
      while (going) {
        shown.window.webContents.send(pushChannel, bytes);
        await page.pause();
      }
    };
    void send();
    try {
      const { sum } = await page.until(
        scripts.receivedPush(pushBytes),
        () => true,
        'No push of 2 MB reached the page.',
      );
      if (sum !== scripts.sumOf(bytes)) throw new Error('Other bytes arrived.');
    } finally {
      going = false;
    }
    return 'Its bytes are those that were sent.';
  });
  await list.step('subscribe-again', 'A page that is loaded again hears of the console', async () => {
    const before = await documentNow(page);
    shown.load('/');
    await mapIsBack(page, before);
    return 'Its map is ready.';
  });
  await list.step('lock', 'Locked and opened again, the page subscribes again', async () => {
    if (password === null) throw new NotRun('This start has no training service.');
    const before = await documentNow(page);
    const locked = await shown.console.call('lock', {});
    if (!locked.ok) throw new Error(english(locked.failure.sentence));
    const { begun } = await page.until(
      scripts.timesOfDocument,
      (seen) => seen.begun !== before && seen.map === null,
      'The page was not loaded again.',
    );
    const opened = await shown.console.call('unlock', { password });
    if (!opened.ok) throw new Error(english(opened.failure.sentence));
    // The lock page itself shows what was locked: no third document comes.
    await page.until(
      scripts.timesOfDocument,
      (seen) => seen.begun === begun && seen.map === 'ready',
      'The map did not come back.',
    );
    return 'The map is ready again.';
  });
}

async function deaths({ list, page, shown, kill }: Given): Promise<void> {
  const { window, electron } = shown;
  await list.step('page-death', 'The process of the page dies and the page comes back', async () => {
    const before = await documentNow(page);
    window.webContents.forcefullyCrashRenderer();
    await mapIsBack(page, before);
    return 'The page came back automatically, in its session.';
  });
  await list.step('graphics-death', 'The process of the graphics dies and the map stays', async () => {
    const { app } = electron;
    const drawing = app.getAppMetrics().find(({ type }) => type === 'GPU');
    if (drawing === undefined) throw new NotRun('There is no separate process for graphics.');
    const died = hears(app);
    kill(drawing.pid);
    await page.hold(died, 'Electron did not report the end of the process.');
    await page.until(scripts.timesOfDocument, ({ map }) => map === 'ready', 'The map was no longer drawn.');
    const { name } = await page.until(scripts.graphicsName, () => true, 'The page did not answer.');
    return `Now drawn by ${name ?? 'nothing'}.`;
  });
}

/** Whether a graphics process has ended since the call. */
function hears(app: Pick<App, 'on'>): () => boolean {
  let gone = false;
  app.on('child-process-gone', (_event, { type }) => {
    if (type === 'GPU') gone = true;
  });
  return () => gone;
}
