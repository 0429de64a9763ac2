import type { App, Details, Event, RenderProcessGoneDetails, WebContents } from 'electron';
import type { Documents } from '../../core/base/ports.ts';
import { Timer } from '../../core/base/timer.ts';
import { createHeartbeat } from '../recovery/heartbeat.ts';
import type { RecoveryEvent } from '../recovery/machine.ts';
import { createRecovery, relaunchStatus, type Recovery } from '../recovery/recovery.ts';
import type { Attachment, ShownDesktop } from './attachment.ts';
import type { BreakdownOptions, RunningConsole } from './breakdown.ts';
import { loadAborted } from './window.ts';

export { readRecoveryAdvice } from '../recovery/remembered.ts';

/** The GPU's process ends with this status where the system took its context, as at sleep, docking or a remote session. */
const contextLost = 34;
/** A window that hangs has this long to react again before it is reloaded, in milliseconds. */
const reactWithinMs = 10_000;
/** After this time, in milliseconds, a console that does not close is cut off. */
const closeWithinMs = 5_000;

type GoneListener = (event: Event, details: RenderProcessGoneDetails) => void;
type FailedListener = (
  event: Event,
  code: number,
  description: string,
  url: string,
  isMainFrame: boolean,
) => void;
type PreloadListener = (event: Event, path: string, error: Error) => void;
type ChildListener = (event: Event, details: Details) => void;

interface PageListening {
  (event: 'render-process-gone', listener: GoneListener): unknown;
  (event: 'did-fail-load', listener: FailedListener): unknown;
  (event: 'preload-error', listener: PreloadListener): unknown;
  (event: 'unresponsive', listener: () => void): unknown;
  (event: 'responsive', listener: () => void): unknown;
}
type ChildListening = (event: 'child-process-gone', listener: ChildListener) => unknown;

/** The part of the desktop that the recovery uses. */
export interface RecoveredDesktop extends Pick<ShownDesktop, 'clock' | 'logger' | 'load' | 'onTraffic'> {
  readonly window: {
    readonly webContents: Pick<WebContents, 'isDestroyed' | 'forcefullyCrashRenderer'> & {
      readonly on: PageListening;
      readonly off: PageListening;
    };
  };
  readonly electron: {
    readonly app: Pick<App, 'relaunch' | 'exit'> & {
      readonly on: ChildListening;
      readonly off: ChildListening;
    };
  };
}

export interface DesktopRecoveryOptions
  extends Pick<BreakdownOptions, 'relaunch' | 'supervised'>, Pick<RunningConsole, 'close'> {
  readonly documents: Pick<Documents, 'read' | 'write'>;
  /**
   * Calls `listener` when threads of the console failed and cannot be started again; the returned function stops that.
   */
  readonly onWorkerLost: (listener: () => void) => () => void;
  /** Calls `listener` when the operator wants to use the GPU again; the returned function stops that. */
  readonly onRetryGraphics: (listener: () => void) => () => void;
  /** Calls `listener` when the operator wants the console to start again; the returned function stops that. */
  readonly onRestart: (listener: () => void) => () => void;
  /** The console gives up: its supervisor must not get a sign of life. */
  readonly onStopped: () => void;
}

/** Restores the window's page when it crashes, hangs or falls silent, with the recovery machine. */
export function recoverWindow(
  options: DesktopRecoveryOptions,
): (shown: RecoveredDesktop) => ReturnType<Attachment> {
  return (shown) => {
    const { clock, logger } = shown;
    const contents = shown.window.webContents;
    // Events wait until the count of earlier processes is read.
    const early: RecoveryEvent[] = [];
    let recovery: Recovery | null = null;
    let closed = false;
    const note = (event: RecoveryEvent): void => {
      if (recovery) recovery.note(event);
      else early.push(event);
    };

    const heartbeat = createHeartbeat({
      clock,
      onSilent: () => note({ kind: 'page-silent' }),
      onAnswer: () => note({ kind: 'page-well' }),
    });
    const forgetPage = (): void => {
      heartbeat.reset();
      page.forget();
    };
    const page = watchPage(shown, {
      note,
      gone: () => {
        forgetPage();
        note({ kind: 'page-gone' });
      },
    });
    const stopTraffic = shown.onTraffic({
      sent: () => heartbeat.sent(),
      answered: () => heartbeat.answered(),
    });
    const stopWorkers = options.onWorkerLost(() => note({ kind: 'worker-died' }));
    const stopRetries = options.onRetryGraphics(() => note({ kind: 'gpu-wanted' }));
    const stopRestarts = options.onRestart(() => startAgain(shown, options));

    void createRecovery({
      clock,
      logger,
      documents: options.documents,
      actions: {
        endPage: () => {
          forgetPage();
          if (!contents.isDestroyed()) contents.forcefullyCrashRenderer();
        },
        reloadPage: () => {
          forgetPage();
          shown.load();
        },
        relaunch: () => startAgain(shown, options),
        stop: () => {
          forgetPage();
          shown.load('/stopped.html');
          options.onStopped();
        },
      },
    }).then((ready) => {
      recovery = ready;
      if (closed) ready.close();
      for (const event of early.splice(0)) ready.note(event);
    });

    return {
      close: () => {
        closed = true;
        forgetPage();
        page.close();
        stopTraffic();
        stopWorkers();
        stopRetries();
        stopRestarts();
        recovery?.close();
      },
    };
  };
}

interface PageWatch {
  /** The page was replaced: observations of the last one no longer count. */
  forget(): void;
  close(): void;
}

/** Listens to Electron: the page's process crashed, did not load or does not react, or the GPU's process crashed. */
function watchPage(
  { window, electron: { app }, clock, logger }: RecoveredDesktop,
  on: { readonly note: (event: RecoveryEvent) => void; readonly gone: () => void },
): PageWatch {
  const contents = window.webContents;
  const reacting = new Timer(clock, () => on.note({ kind: 'page-unresponsive' }));

  const onGone: GoneListener = (_event, { reason, exitCode }) => {
    logger.error('page-process-gone', { reason, exitCode });
    if (reason !== 'clean-exit') on.gone();
  };
  // The window itself shows both cases (window.ts).
  const onFailedLoad: FailedListener = (_event, code, _description, _url, isMainFrame) => {
    if (isMainFrame && code !== loadAborted) on.gone();
  };
  const onPreloadError: PreloadListener = () => on.gone();
  const onUnresponsive = (): void => {
    logger.warn('page-unresponsive');
    reacting.set(reactWithinMs);
  };
  const onResponsive = (): void => {
    logger.info('page-responsive');
    reacting.stop();
  };
  const onChildGone: ChildListener = (_event, { type, reason, exitCode }) => {
    if (type !== 'GPU' || reason === 'clean-exit') return;
    logger.error('gpu-process-gone', { reason, exitCode });
    if (exitCode !== contextLost) on.note({ kind: 'gpu-failing' });
  };
  contents.on('render-process-gone', onGone);
  contents.on('did-fail-load', onFailedLoad);
  contents.on('preload-error', onPreloadError);
  contents.on('unresponsive', onUnresponsive);
  contents.on('responsive', onResponsive);
  app.on('child-process-gone', onChildGone);

  return {
    forget: () => reacting.stop(),
    close: () => {
      contents.off('render-process-gone', onGone);
      contents.off('did-fail-load', onFailedLoad);
      contents.off('preload-error', onPreloadError);
      contents.off('unresponsive', onUnresponsive);
      contents.off('responsive', onResponsive);
      app.off('child-process-gone', onChildGone);
    },
  };
}

/** Ends this process so that another one replaces it. */
function startAgain({ electron, clock }: RecoveredDesktop, options: DesktopRecoveryOptions): void {
  const { app } = electron;
  if (!options.supervised) app.relaunch(options.relaunch);
  const exit = (): void => app.exit(options.supervised ? relaunchStatus : 0);
  const cancel = clock.schedule(closeWithinMs, exit);
  void options
    .close()
    .catch(() => undefined)
    .then(() => {
      cancel();
      exit();
    });
}
