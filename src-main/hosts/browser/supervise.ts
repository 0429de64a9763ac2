import type { Clock, Documents, Logger } from '../../core/base/ports.ts';
import { SerialQueue } from '../../core/base/queues.ts';
import { createHeartbeat } from '../recovery/heartbeat.ts';
import { createRecovery } from '../recovery/recovery.ts';
import { startBrowser, sweepBrowsers, type BrowserChild } from './browserChild.ts';
import type { PageListener } from './socket.ts';

/** A browser must have the console's page in by then. */
const admittedWithinMs = 30_000;
/** A page whose socket is gone must be back by then: a reload takes a moment, a lost tab for ever. */
const backWithinMs = 15_000;

export interface SupervisedBrowser {
  /** For each page of the kiosk's browser that is in. */
  onPage(): PageListener;
  /** A thread of the console keeps dying. */
  workerLost(): void;
  /** Ends the browser. */
  readonly close: () => Promise<void>;
}

export interface SuperviseOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly documents: Pick<Documents, 'read' | 'write'>;
  readonly dataDir: string;
  /** The browser's program. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A fresh address of the console that admits one page of the kiosk, once. */
  readonly issueUrl: () => string;
  /** The file that says what to do when the console is given up. */
  readonly stoppedPage: string;
  /** Ends the process so that the service manager starts it anew. */
  readonly relaunch: () => void;
  readonly onStopped: () => void;
}

/**
 * Opens a browser of its own on the console's page and watches over it by the steps of the recovery
 * machine (hosts/recovery/machine.ts): when the browser ends, its page dies, hangs or never comes, the
 * browser is killed and another one is started. The console's session is not touched by any of it.
 */
export async function superviseBrowser(options: SuperviseOptions): Promise<SupervisedBrowser> {
  const { clock, logger, dataDir, program, environment } = options;
  let browser: BrowserChild | null = null;
  let pages = 0;
  let cancelWait = (): void => undefined;
  let closed = false;
  /** Ends and starts follow one another. */
  const order = new SerialQueue();

  const expectPage = (ms: number, why: string): void => {
    cancelWait();
    cancelWait = clock.schedule(ms, () => {
      logger.warn('kiosk-page-missing', { why });
      recovery.note({ kind: 'page-gone' });
    });
  };
  const forgetPage = (): void => {
    cancelWait();
    heartbeat.reset();
  };
  const inOrder = (work: () => Promise<void>): void => {
    order.run(work).catch((error: unknown) => {
      logger.error('kiosk-browser-failed', { error: error instanceof Error ? error.message : 'unknown' });
      if (!closed) recovery.note({ kind: 'page-gone' });
    });
  };
  const end = async (): Promise<void> => {
    const old = browser;
    browser = null;
    await old?.end();
  };
  const show = (target: 'console' | 'stopped'): void => {
    forgetPage();
    inOrder(async () => {
      await end();
      if (closed) return;
      browser = await startBrowser({
        program,
        dataDir,
        environment,
        target:
          target === 'console'
            ? { kind: 'url', url: options.issueUrl() }
            : { kind: 'file', path: options.stoppedPage },
        onEnd: (why) => {
          logger.error('kiosk-browser-gone', { why });
          forgetPage();
          recovery.note({ kind: 'page-gone' });
        },
      });
      logger.info('kiosk-browser-started', { target });
      if (target === 'console') expectPage(admittedWithinMs, 'not admitted');
    });
  };

  void order.run(() => sweepBrowsers(dataDir));
  const heartbeat = createHeartbeat({
    clock,
    onSilent: () => recovery.note({ kind: 'page-silent' }),
    onAnswer: () => recovery.note({ kind: 'page-well' }),
  });
  const recovery = await createRecovery({
    clock,
    logger,
    documents: options.documents,
    actions: {
      endPage: () => {
        forgetPage();
        inOrder(end);
      },
      reloadPage: () => show('console'),
      relaunch: options.relaunch,
      stop: () => {
        show('stopped');
        options.onStopped();
      },
    },
  });
  show('console');

  return {
    onPage: () => {
      const of = browser;
      pages += 1;
      forgetPage();
      return {
        sent: () => heartbeat.sent(),
        answered: () => heartbeat.answered(),
        closed: () => {
          pages -= 1;
          heartbeat.reset();
          // The end of a page whose browser was ended on purpose says nothing of the next one.
          if (pages === 0 && of === browser && !closed) expectPage(backWithinMs, 'not back');
        },
      };
    },
    workerLost: () => recovery.note({ kind: 'worker-died' }),
    close: async () => {
      closed = true;
      forgetPage();
      recovery.close();
      inOrder(end);
      await order.settled();
    },
  };
}
