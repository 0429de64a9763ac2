import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noPolicy } from '../../../src-main/core/features/policy/policy.ts';
import type { ShownDesktop } from '../../../src-main/hosts/desktop/attachment.ts';
import { watchDialogs } from '../../../src-main/hosts/desktop/dialogs.ts';
import { prepareDesktop, type DesktopHostOptions } from '../../../src-main/hosts/desktop/host.ts';
import type { Opened } from '../../../src-main/hosts/desktop/opening.ts';
import { openPageFiles } from '../../../src-main/hosts/pages.ts';
import { StillClock } from '../../support/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../support/ports.ts';
import type { FakeContents } from '../desktop/fake/contents.ts';
import { FakeElectron, type Sender } from '../desktop/fake/electron.ts';
import type { ElectronFacts } from '../desktop/fake/facts.ts';
import type { FakeWindow } from '../desktop/fake/window.ts';
import { FakeConsole } from './console.ts';

/** A desktop host over a fake Electron and a fake console, with a built page of three files. */
export interface DesktopUnderTest {
  readonly electron: FakeElectron;
  readonly fake: FakeConsole;
  readonly clock: StillClock;
  readonly log: RecordingLogger;
  readonly options: DesktopHostOptions;
  /** Starts the host and answers with its window. */
  run(change?: Partial<DesktopHostOptions>, opened?: Partial<Opened>): Promise<FakeWindow>;
  /** What the host's parts see; once it runs. */
  shown(): ShownDesktop;
  end(): Promise<void>;
}

export const senderOf = (
  contents: FakeContents,
  frame: Sender['senderFrame'] = contents.mainFrame,
): Sender => ({
  sender: contents,
  senderFrame: frame,
});

export async function desktopUnderTest(facts: Partial<ElectronFacts> = {}): Promise<DesktopUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-desktop-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<meta name="csp-nonce" nonce="__CSP_NONCE__">');
  await writeFile(join(folder, 'stopped.html'), '<title>stopped</title>');
  await writeFile(join(folder, 'assets', 'a.js'), 'export {};');
  const electron = new FakeElectron(facts);
  const fake = new FakeConsole();
  const clock = new StillClock();
  const log = createRecordingLogger();
  let shown: ShownDesktop | null = null;
  const options: DesktopHostOptions = {
    console: fake,
    close: () => fake.close(),
    clock,
    logger: log,
    pages: await openPageFiles({ root: folder }),
    paper: () => null,
    preload: '/preload.cjs',
    hotReload: null,
    platform: 'linux',
    process: electron.app.signals,
    supervised: false,
    sleep: (ms) => electron.app.sleeps.push(ms),
    dialogs: watchDialogs(),
    knowsPlaces: true,
    policy: noPolicy,
    installed: false,
    bounds: null,
    selfTest: false,
    attachments: [],
  };
  return {
    electron,
    fake,
    clock,
    log,
    options,
    run: async (change = {}, opened = {}) => {
      const start = prepareDesktop({
        electron: electron.asElectron(),
        profileFolder: '/profile',
        opened: { file: null, link: null, ...opened },
      });
      shown = await start.run({ ...options, ...change });
      const [window] = electron.windows;
      if (window === undefined) throw new Error('No window');
      return window;
    },
    shown: () => {
      if (shown === null) throw new Error('Not run yet');
      return shown;
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
}
