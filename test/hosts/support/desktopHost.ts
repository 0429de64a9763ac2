import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DesktopHostOptions } from '../../../src-main/hosts/desktop/host.ts';
import { prepareDesktop } from '../../../src-main/hosts/desktop/host.ts';
import { openPageFiles } from '../../../src-main/hosts/pages.ts';
import { FakeConsole, ManualClock, MemoryLog } from './console.ts';
import { FakeElectron, type FakeContents, type FakeWindow } from './electron.ts';

/** A desktop host over a fake Electron and a fake console, with a built page of two files. */
export interface DesktopUnderTest {
  readonly electron: FakeElectron;
  readonly fake: FakeConsole;
  readonly clock: ManualClock;
  readonly log: MemoryLog;
  readonly options: DesktopHostOptions;
  /** Starts the host and answers with its window. */
  run(change?: Partial<DesktopHostOptions>): Promise<FakeWindow>;
  invoke(channel: string, from: unknown, ...args: unknown[]): Promise<unknown>;
  emit(channel: string, ...args: unknown[]): void;
  end(): Promise<void>;
}

export const senderOf = (contents: FakeContents, frame: unknown = contents.mainFrame) => ({
  sender: contents,
  senderFrame: frame,
});

export async function desktopUnderTest(): Promise<DesktopUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-desktop-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<meta name="csp-nonce" nonce="__CSP_NONCE__">');
  await writeFile(join(folder, 'assets', 'a.js'), 'export {};');
  const electron = new FakeElectron();
  const fake = new FakeConsole();
  const clock = new ManualClock();
  const log = new MemoryLog();
  const options: DesktopHostOptions = {
    console: fake,
    close: () => fake.close(),
    clock,
    logger: log,
    pages: await openPageFiles({ root: folder }),
    preload: '/preload.cjs',
    developmentUrl: null,
    platform: 'linux',
  };
  return {
    electron,
    fake,
    clock,
    log,
    options,
    run: async (change = {}) => {
      const start = prepareDesktop({
        electron: electron.asElectron(),
        profileFolder: '/profile',
        opened: null,
      });
      await start.run({ ...options, ...change });
      const [window] = electron.windows;
      if (window === undefined) throw new Error('No window');
      return window;
    },
    invoke: async (channel, from, ...args) => electron.handlers.get(channel)?.(from, ...args),
    emit: (channel, ...args) => void electron.listeners.emit(channel, ...args),
    end: () => rm(folder, { recursive: true, force: true }),
  };
}
