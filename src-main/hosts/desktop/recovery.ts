import type { App, Details, Event, RelaunchOptions, RenderProcessGoneDetails, WebContents } from 'electron';
import type { Documents } from '../../core/base/ports.ts';
import { createHeartbeat } from '../recovery/heartbeat.ts';
import type { RecoveryEvent } from '../recovery/machine.ts';
import { createRecovery, relaunchStatus, type Recovery } from '../recovery/recovery.ts';
import type { Attachment, ShownDesktop } from './attachment.ts';
import { loadAborted } from './window.ts';

export { readRecoveryAdvice } from '../recovery/remembered.ts';

/** A window that does not react is given so long to come back by itself, in milliseconds. */
const reactWithinMs = 10_000;
/** A console that does not close is cut, in milliseconds. */
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

/** As much of the desktop as the recovery uses. */
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

export interface DesktopRecoveryOptions {
  readonly documents: Pick<Documents, 'read' | 'write'>;
  /**
   * Whether a service manager started the console and starts it again after `relaunchStatus`. It would
   * end a process that the console started in its own place together with the console.
   */
  readonly supervised: boolean;
  /** The arguments of the process that the console starts in its own place. */
  readonly relaunch: RelaunchOptions;
  /** Closes the console and what it stands on, before the process ends. */
  readonly close: () => Promise<void>;
  /** Tells of threads of the console that died and cannot be started again; the returned function stops it. */
  readonly onWorkerLost: (listener: () => void) => () => void;
  /** Tells when the operator wants the GPU back; the returned function stops it. */
  readonly onRetryGraphics: (listener: () => void) => () => void;
  /** The console is given up: whoever watches over it must not be told that it is well. */
  readonly onStopped: () => void;
}

/** Brings the window's page back when it dies, hangs or falls silent, by the steps of the recovery machine. */
export function recoverWindow(
  options: DesktopRecoveryOptions,
): (shown: RecoveredDesktop) => ReturnType<Attachment> {
  return (shown) => {
    const { clock, logger, electron } = shown;
    const contents = shown.window.webContents;
    // What happens before it is known what earlier processes went through waits for that.
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
    let cancelUnresponsive = (): void => undefined;
    const forgetPage = (): void => {
      heartbeat.reset();
      cancelUnresponsive();
    };
    const pageGone = (): void => {
      forgetPage();
      note({ kind: 'page-gone' });
    };

    const onGone: GoneListener = (_event, { reason, exitCode }) => {
      logger.error('page-process-gone', { reason, exitCode });
      if (reason !== 'clean-exit') pageGone();
    };
    // What the window says of both, it says itself (window.ts).
    const onFailedLoad: FailedListener = (_event, code, _description, _url, isMainFrame) => {
      if (isMainFrame && code !== loadAborted) pageGone();
    };
    const onPreloadError: PreloadListener = () => pageGone();
    const onUnresponsive = (): void => {
      logger.warn('page-unresponsive');
      cancelUnresponsive();
      cancelUnresponsive = clock.schedule(reactWithinMs, () => note({ kind: 'page-unresponsive' }));
    };
    const onResponsive = (): void => {
      logger.info('page-responsive');
      cancelUnresponsive();
    };
    const onChildGone: ChildListener = (_event, { type, reason, exitCode }) => {
      if (type !== 'GPU' || reason === 'clean-exit') return;
      logger.error('gpu-process-gone', { reason, exitCode });
      note({ kind: 'gpu-failing' });
    };
    contents.on('render-process-gone', onGone);
    contents.on('did-fail-load', onFailedLoad);
    contents.on('preload-error', onPreloadError);
    contents.on('unresponsive', onUnresponsive);
    contents.on('responsive', onResponsive);
    electron.app.on('child-process-gone', onChildGone);
    const stopTraffic = shown.onTraffic({
      sent: () => heartbeat.sent(),
      answered: () => heartbeat.answered(),
    });
    const stopWorkers = options.onWorkerLost(() => note({ kind: 'worker-died' }));
    const stopRetries = options.onRetryGraphics(() => note({ kind: 'gpu-wanted' }));

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
        relaunch: () => startAnew(shown, options),
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
        contents.off('render-process-gone', onGone);
        contents.off('did-fail-load', onFailedLoad);
        contents.off('preload-error', onPreloadError);
        contents.off('unresponsive', onUnresponsive);
        contents.off('responsive', onResponsive);
        electron.app.off('child-process-gone', onChildGone);
        stopTraffic();
        stopWorkers();
        stopRetries();
        recovery?.close();
      },
    };
  };
}

/** Ends this process so that another one takes its place. */
function startAnew({ electron, clock }: RecoveredDesktop, options: DesktopRecoveryOptions): void {
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
