import { z } from 'zod';
import type { BrowserWindow, WebContents } from 'electron';
import type { Console } from '../../core/console.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import type { PageFiles } from '../pages.ts';
import type { DesktopElectron } from './electron.ts';
import { guardContents, guardSession } from './guard.ts';
import { menuTemplate } from './menu.ts';
import { pageSchemes, servePage } from './pageProtocol.ts';
import { createRegistrar } from './registrar.ts';
import { openWindow } from './window.ts';

/** What a second start hands to the first. */
const handoverSchema = z.strictObject({ opened: z.string().max(4_096).nullable() });

/**
 * The desktop host's first half: what must happen before Electron is ready. Call it before anything
 * is awaited.
 */
export interface DesktopStart {
  /** False when another start of the same data folder holds the window; it was brought forward. */
  readonly first: boolean;
  /** Shows the console. Resolves when the window exists. */
  run(options: DesktopHostOptions): Promise<void>;
}

export interface DesktopHostOptions {
  readonly console: Console;
  /** Closes the console and what it stands on. */
  readonly close: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pages: PageFiles;
  /** Path of the built preload. */
  readonly preload: string;
  /** Address of the development page server; null in every build that is shipped. */
  readonly developmentUrl: string | null;
  readonly platform: NodeJS.Platform;
}

export function prepareDesktop(options: {
  readonly electron: DesktopElectron;
  /** Where Chromium may keep its own files; also what makes two starts the same one. */
  readonly profileFolder: string;
  /** A deployment file given by double click, handed to the first start when this is a second. */
  readonly opened: string | null;
}): DesktopStart {
  const { electron, opened } = options;
  const { app } = electron;
  app.enableSandbox();
  app.setPath('userData', options.profileFolder);
  app.setPath('sessionData', options.profileFolder);
  electron.protocol.registerSchemesAsPrivileged(pageSchemes);
  const first = app.requestSingleInstanceLock({ opened });

  // macOS may hand over a file before the console exists.
  const waiting: string[] = opened === null ? [] : [opened];
  let propose = (path: string): void => {
    waiting.push(path);
  };
  app.on('open-file', (event, path) => {
    event.preventDefault();
    propose(path);
  });

  const run = async (host: DesktopHostOptions): Promise<void> => {
    const { console, clock, logger, pages, preload, developmentUrl, platform } = host;
    await app.whenReady();
    // Without `persist:` the session lives in memory: nothing of the page reaches the disk.
    const session = electron.session.fromPartition('console', { cache: false });
    guardSession({ session, developmentUrl, logger });
    servePage({ session, pages, console, logger });
    app.on('web-contents-created', (_event, contents: WebContents) => {
      guardContents({ contents, developmentUrl, logger });
    });
    electron.Menu.setApplicationMenu(
      electron.Menu.buildFromTemplate(menuTemplate({ platform, development: developmentUrl !== null })),
    );
    const registrar = createRegistrar({ ipcMain: electron.ipcMain, console, clock, logger, developmentUrl });

    const window: BrowserWindow = openWindow({
      electron,
      session,
      preload,
      developmentUrl,
      clock,
      logger,
      onDocumentGone: (shown) => registrar.release(shown.webContents),
    });
    const bringForward = (): void => {
      if (window.isDestroyed()) return;
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    };
    propose = (path) => {
      bringForward();
      void console.proposeDeploymentFile(path).then((result) => {
        if (!result.ok) logger.warn('deployment-file-refused', { code: result.failure.code });
      });
    };
    for (const path of waiting.splice(0)) propose(path);
    app.on('second-instance', (_event, _argv, _folder, data) => {
      bringForward();
      const handover = handoverSchema.safeParse(data);
      if (handover.success && handover.data.opened !== null) propose(handover.data.opened);
    });
    electron.powerMonitor.on('resume', () => console.wake());
    electron.powerMonitor.on('unlock-screen', () => console.wake());

    app.on('window-all-closed', () => app.quit());
    let closed = false;
    app.on('will-quit', (event) => {
      if (closed) return;
      event.preventDefault();
      closed = true;
      registrar.close();
      // A console that does not let go within a second must not keep the machine from shutting down.
      const cancel = clock.schedule(1_000, () => app.exit(0));
      host
        .close()
        .catch((error: unknown) => {
          logger.error('close-failed', { error: error instanceof Error ? error.message : 'unknown' });
        })
        .finally(() => {
          cancel();
          app.exit(0);
        });
    });
  };
  return { first, run };
}
