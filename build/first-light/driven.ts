/**
 * The steps that a first light takes in a running console, from outside: through the inspector of its main process, and
 * by scripts in its pages. They send large files, open windows, lock, and kill the processes of the page and of the
 * graphics to see the console's reaction.
 */
import type { Clock } from '../../src-main/core/base/ports.ts';
import { watchPage, type PageWatch } from '../../src-main/hosts/desktop/selfTest/pageWatch.ts';
import { desktopOrigin, pushChannel } from '../../src-preload/contract/index.ts';
import { askedInBox, closeBox, pushToFirst, runInPage, triedKeyStore } from './inMain.ts';
import type { MainProcess } from './inspector.ts';
import * as scripts from './pageScripts.ts';
import { NotRun, type StepList } from './stepList.ts';
import { uploadSteps } from './uploads.ts';

const pushBytes = 2 * 1_048_576;
/** How long a key store may take: one that asks for a password waits without a limit. */
const keyStoreMs = 10_000;
/** How long the system may take for what it is asked, and how often that is looked at. */
const systemMs = 180_000;
const lookEveryMs = 250;
/** How long a dialog of the system is open. */
const dialogMs = 1_000;

export interface Driven {
  readonly list: StepList;
  readonly main: MainProcess;
  readonly clock: Pick<Clock, 'elapsed' | 'schedule'>;
  readonly platform: NodeJS.Platform;
  /** Whether the session that runs this is one of Wayland. */
  readonly wayland: boolean;
  /** The size of the largest upload. */
  readonly megabytes: number;
  /** Kills a process of the console. */
  readonly kill: (pid: number) => void;
}
interface Given extends Driven {
  readonly page: PageWatch;
  readonly pause: (ms: number) => Promise<void>;
  /** Waits until `check` holds. @throws Error with `otherwise` when it did not within 3 minutes. */
  readonly hold: (check: () => Promise<boolean>, otherwise: string) => Promise<void>;
}

export async function drivenSteps(driven: Driven): Promise<void> {
  const { main, clock } = driven;
  const pause = (ms: number): Promise<void> => new Promise((done) => clock.schedule(ms, done));
  const given: Given = {
    ...driven,
    pause,
    list: whileItRuns(driven.list, main),
    page: pageOf(main, clock, 0),
    hold: async (check, otherwise) => {
      for (const from = clock.elapsed(); clock.elapsed() - from < systemMs; await pause(lookEveryMs))
        if (await check()) return;
      throw new Error(otherwise);
    },
  };
  await drawn(given);
  await ofTheSystem(given);
  const password = await signedIn(given);
  await uploadSteps(given);
  await bytesAndRights(given);
  await windows(given);
  await reloads(given, password);
  await deaths(given);
}

/** No step waits for an application that has ended, and none begins. */
function whileItRuns(list: StepList, { ended }: MainProcess): StepList {
  let over = false;
  const end = ended.then(() => {
    over = true;
    throw new Error('The application ended.');
  });
  end.catch(() => undefined);
  return {
    ...list,
    step: (id, name, run) =>
      list.step(id, name, async () => {
        if (over) throw new NotRun('The application had ended.');
        return Promise.race([run(), end]);
      }),
  };
}

/** The page of a window: 0 is the first that was opened. */
const pageOf = (main: MainProcess, clock: Driven['clock'], window: number): PageWatch =>
  watchPage(
    {
      webContents: {
        executeJavaScript: (script) => main.evaluate(runInPage, { window, script }),
        on: unheard,
      },
    },
    clock,
  );
// Here `runInPage` hears of the end of a document.
const unheard = (): never => undefined as never;

const mapIsBack = (page: PageWatch, before: number): Promise<{ begun: number }> =>
  page.until(
    scripts.timesOfDocument,
    ({ begun, map }) => begun !== before && map === 'ready',
    'The page did not come back with its map.',
  );
const documentNow = async (page: PageWatch): Promise<number> =>
  (await page.until(scripts.timesOfDocument, () => true, 'The page did not answer.')).begun;
const rendererOf = async (page: PageWatch): Promise<string> => {
  const { name } = await page.until(scripts.graphicsName, () => true, 'The page did not answer.');
  if (name === null) throw new Error('There is no WebGL.');
  return name;
};
const load = (main: MainProcess, path: string): Promise<null> =>
  main.evaluate(({ BrowserWindow }, url) => {
    const [first] = BrowserWindow.getAllWindows().sort((one, other) => one.id - other.id);
    // The page says when it is there, and what the load was interrupted by.
    first?.loadURL(url).catch(() => undefined);
    return null;
  }, `${desktopOrigin}${path}`);
/** `done`: what the console answers where it did so before, and the document went with the first answer. */
const verb = async (page: PageWatch, name: string, request: object, done?: string): Promise<void> => {
  const { failed } = await page.until(
    scripts.called(name, request),
    () => true,
    `The console did not answer ${name}.`,
  );
  if (failed !== null && failed !== done) throw new Error(`The console refused ${name}: ${failed}.`);
};

async function drawn({ list, main, page, wayland }: Given): Promise<void> {
  await list.step('first-frame', 'The first frame is drawn', async () => {
    const begunAt = await main.evaluate(() => performance.timeOrigin, null);
    const { painted } = await page.until(
      scripts.timesOfDocument,
      (seen) => seen.painted !== null,
      'The page said of no frame that it was drawn.',
    );
    return `${String(Math.round((painted ?? 0) - begunAt))} ms after the process began.`;
  });
  await list.step('graphics', 'WebGL has something that draws it', () => rendererOf(page));
  await list.step('display', 'The window is of the system that this first light is for', async () => {
    const seen = await main.evaluate(({ app: { commandLine } }) => {
      const { XDG_SESSION_TYPE, XDG_CURRENT_DESKTOP } = process.env;
      // Chromium appends the first to its own command line before it runs any JavaScript.
      return {
        ozone: commandLine.getSwitchValue('ozone-platform'),
        gtk: commandLine.getSwitchValue('gtk-version'),
        session: XDG_SESSION_TYPE ?? '',
        desktop: XDG_CURRENT_DESKTOP ?? '',
      };
    }, null);
    const said = Object.entries(seen).map(([name, value]) => `${name}: ${value || 'not said'}`);
    if (wayland && seen.ozone !== 'wayland')
      throw new Error(`It is no window of Wayland (${said.join(', ')}).`);
    return `${said.join(', ')}.`;
  });
}

async function ofTheSystem({ list, main, platform, pause }: Given): Promise<void> {
  await list.step('compression', 'zstd packs and unpacks', async () => {
    const bytes = await main.evaluate(() => {
      const { zstdCompressSync, zstdDecompressSync } = process.getBuiltinModule('node:zlib');
      const plain = Buffer.alloc(1_048_576, 'first light ');
      const packed = zstdCompressSync(plain);
      return zstdDecompressSync(packed).equals(plain) ? packed.byteLength : null;
    }, null);
    if (bytes === null) throw new Error('What was packed did not come back.');
    return `1 MB became ${String(bytes)} bytes.`;
  });
  await list.step('key-store', 'The system keeps a secret', async () => {
    const seen = await Promise.race([
      main.evaluate(triedKeyStore, platform === 'linux'),
      pause(keyStoreMs).then(() => null),
    ]);
    if (seen === null)
      throw new NotRun(`Its prompt was not answered within ${String(keyStoreMs / 1_000)} s.`);
    const { backend, mark, back } = seen;
    const by = [backend, mark].filter(Boolean).join(', ');
    if (back === null) throw new NotRun('There is no key store.');
    if (back !== 'first light') throw new Error('What was kept did not come back.');
    // Chromium's built-in key, which is the same everywhere.
    const builtIn = platform === 'linux' && (mark === 'v10' || backend === 'basic_text');
    if (builtIn) throw new NotRun(`There is no key store: it came back from a built-in key (${by}).`);
    return `It came back (${by}).`;
  });
  await list.step('dialog', 'A dialog of the system opens and is closed again', async () => {
    const asked = main.evaluate(askedInBox, null);
    await Promise.race([asked, pause(dialogMs)]);
    await main.evaluate(closeBox, null);
    const response = await asked;
    if (response !== 1) throw new Error(`It was answered with ${String(response)}.`);
    return 'It was closed as one that is cancelled.';
  });
}

/** Answers with the password of the training account; null where it could not be signed in to. */
async function signedIn({ list, main, page }: Given): Promise<string | null> {
  let password: string | null = null;
  await list.step('page-sign-in', 'Training is signed in to from the page', async () => {
    await load(main, scripts.quietPage);
    await page.until(scripts.atQuietPage, ({ quiet }) => quiet, 'The quiet page was not loaded.');
    const account = await page.until(scripts.trainingAccount, () => true, 'There is no training account.');
    await load(main, '/');
    await page.until(scripts.atFirstPage, ({ there }) => there, 'The page was not loaded again.');
    await verb(page, 'signIn', account);
    ({ password } = account);
    await mapIsBack(page, 0);
    return 'The map is ready.';
  });
  return password;
}

async function bytesAndRights({ list, page }: Given): Promise<void> {
  await list.step('download', 'A file of the console reaches the page', async () => {
    const got = await page.until(scripts.fetchedBundle, () => true, 'The page did not answer.');
    if (scripts.isRefused(got)) throw new Error(`The console refused it: ${got.refused}.`);
    if (got.status !== 200 || got.bytes === 0) throw new Error(`The answer was ${String(got.status)}.`);
    return `${String(got.bytes)} bytes.`;
  });
  await list.step('video', 'A video is played by parts', async () => {
    const seen = await page.until(scripts.playedVideo, () => true, 'The video was not played.');
    if (scripts.isRefused(seen)) throw new Error(seen.refused);
    if (!seen.found) throw new NotRun('There is no video.');
    return `At ${seen.at.toFixed(1)} of ${seen.seconds.toFixed(1)} s.`;
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

async function windows({ list, main, clock, page, hold }: Given): Promise<void> {
  await list.step('second-window', 'A second window shows its half', async () => {
    await verb(page, 'openWindow', { show: 'list' });
    const second = pageOf(main, clock, 1);
    try {
      await second.until(scripts.listedOne, ({ listed }) => listed, 'The second window listed nothing.');
    } finally {
      await main.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()
          .sort((one, other) => one.id - other.id)[1]
          ?.close();
      }, null);
    }
    return 'It listed incidents.';
  });
  await list.step('full-screen', 'The window fills the screen and leaves it again', async () => {
    for (const on of [true, false]) {
      await main.evaluate(({ BrowserWindow }, full) => {
        BrowserWindow.getAllWindows()[0]?.setFullScreen(full);
      }, on);
      const is = (): Promise<boolean> =>
        main.evaluate(
          ({ BrowserWindow }, full) => BrowserWindow.getAllWindows()[0]?.isFullScreen() === full,
          on,
        );
      await hold(is, on ? 'The window did not fill the screen.' : 'The window stayed.');
    }
    return 'Both.';
  });
}

async function reloads({ list, main, page, pause }: Given, password: string | null): Promise<void> {
  await list.step('large-push', 'A push of 2 MB reaches the page whole', async () => {
    await load(main, scripts.quietPage);
    await page.until(scripts.atQuietPage, ({ quiet }) => quiet, 'The quiet page was not loaded.');
    let going = true;
    // This process cannot see when the page has subscribed.
    const send = async (): Promise<void> => {
      while (going) {
        await main.evaluate(pushToFirst, { channel: pushChannel, size: pushBytes });
        await pause(lookEveryMs);
      }
    };
    const sending = send().catch(() => undefined);
    try {
      const { sum } = await page.until(
        scripts.receivedPush(pushBytes),
        () => true,
        'No push of 2 MB reached the page.',
      );
      if (sum !== scripts.sumOf(scripts.patternOf(pushBytes))) throw new Error('Other bytes arrived.');
    } finally {
      going = false;
      await sending;
    }
    return 'Its bytes are those that were sent.';
  });
  await list.step('subscribe-again', 'A page that is loaded again hears of the console', async () => {
    const before = await documentNow(page);
    await load(main, '/');
    await mapIsBack(page, before);
    return 'Its map is ready.';
  });
  await list.step('lock', 'Locked and opened again, the page subscribes again', async () => {
    if (password === null) throw new NotRun('Training was not signed in to.');
    const before = await documentNow(page);
    await verb(page, 'lock', {}, 'locked');
    const { begun } = await page.until(
      scripts.timesOfDocument,
      (seen) => seen.begun !== before && seen.map === null,
      'The page was not loaded again.',
    );
    await verb(page, 'unlock', { password });
    // The lock page itself shows what was locked: no third document comes.
    await page.until(
      scripts.timesOfDocument,
      (seen) => seen.begun === begun && seen.map === 'ready',
      'The map did not come back.',
    );
    return 'The map is ready again.';
  });
}

async function deaths({ list, main, page, kill, hold }: Given): Promise<void> {
  await list.step('page-death', 'The process of the page dies and the page comes back', async () => {
    const before = await documentNow(page);
    await main.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
    }, null);
    await mapIsBack(page, before);
    return 'The page came back automatically, in its session.';
  });
  const drawing = (): Promise<number | null> =>
    main.evaluate(({ app }) => app.getAppMetrics().find(({ type }) => type === 'GPU')?.pid ?? null, null);
  // Chromium keeps a domain from graphics that it lost twice within two minutes, unless it is asked not to.
  for (const [id, which] of [
    ['graphics-death', 'The process of the graphics dies and the map stays'],
    ['graphics-death-again', 'It dies a second time within two minutes and the map stays'],
  ] as const) {
    await list.step(id, which, async () => {
      const before = await drawing();
      if (before === null) throw new NotRun('There is no separate process for graphics.');
      kill(before);
      await hold(async () => (await drawing()) !== before, 'The process did not end.');
      await page.until(scripts.timesOfDocument, ({ map }) => map === 'ready', 'The map was no longer drawn.');
      return `Now drawn by ${await rendererOf(page)}.`;
    });
  }
}
