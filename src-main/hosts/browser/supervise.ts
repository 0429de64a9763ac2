import { textOf } from '../../core/base/errors.ts';
import type { BasePorts, Documents } from '../../core/base/ports.ts';
import { SerialQueue } from '../../core/base/queues.ts';
import { createHeartbeat } from '../recovery/heartbeat.ts';
import { createRecovery } from '../recovery/recovery.ts';
import { startBrowser, sweepBrowsers, type BrowserChild } from './browserChild.ts';
import type { PageListener } from './socket.ts';

/** The time in which a browser must open the console's page. */
const admittedWithinMs = 30_000;
/** The time in which a page without a socket must be back: a reload takes a moment, a crashed tab never returns. */
const backWithinMs = 15_000;

export interface SupervisedBrowser {
  /** Called for each admitted page of the kiosk's browser. */
  onPage(): PageListener;
  /** A thread of the console failed repeatedly. */
  workerLost(): void;
  /** Ends the browser. */
  readonly close: () => Promise<void>;
}

export interface SuperviseOptions extends Pick<BasePorts, 'clock' | 'logger'> {
  readonly documents: Pick<Documents, 'read' | 'write'>;
  readonly dataDir: string;
  /** The browser's program. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A new address of the console that admits one page of the kiosk, once. */
  readonly issueUrl: () => string;
  /** The file with instructions for when the console gives up. */
  readonly stoppedPage: string;
  /** Ends the process so that the service manager starts it again. */
  readonly relaunch: () => void;
  readonly onStopped: () => void;
}

/**
 * Opens a separate browser on the console's page and supervises it with the recovery machine
 * (hosts/recovery/machine.ts): when the browser ends, or its page crashes, hangs or never opens, the browser is killed
 * and another one is started. The console's session continues all the while.
 */
export async function superviseBrowser(options: SuperviseOptions): Promise<SupervisedBrowser> {
  const { clock, logger } = options;
  let pages = 0;
  const page = new ExpectedPage(options, () => recovery.note({ kind: 'page-gone' }));
  const forgetPage = (): void => {
    page.forget();
    heartbeat.reset();
  };
  const browser = new OneBrowser(options, {
    onStarted: (target) => {
      if (target === 'console') page.expect(admittedWithinMs, 'not admitted');
    },
    onEnd: (why) => {
      logger.error('kiosk-browser-gone', { why });
      forgetPage();
      recovery.note({ kind: 'page-gone' });
    },
    onFailed: () => recovery.note({ kind: 'page-gone' }),
  });
  const show = (target: Target): void => {
    forgetPage();
    browser.show(target);
  };

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
        browser.end();
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
      const of = browser.running;
      pages += 1;
      forgetPage();
      return {
        sent: () => heartbeat.sent(),
        answered: () => heartbeat.answered(),
        closed: () => {
          pages -= 1;
          heartbeat.reset();
          // The page of a browser that was ended on purpose says nothing about the next one.
          if (pages === 0 && of === browser.running && !browser.isClosed)
            page.expect(backWithinMs, 'not back');
        },
      };
    },
    workerLost: () => recovery.note({ kind: 'worker-died' }),
    close: async () => {
      forgetPage();
      recovery.close();
      await browser.close();
    },
  };
}

/** The time limit for a page to open. */
class ExpectedPage {
  readonly #options: Pick<SuperviseOptions, 'clock' | 'logger'>;
  readonly #onMissing: () => void;
  #cancelWait = (): void => undefined;

  constructor(options: Pick<SuperviseOptions, 'clock' | 'logger'>, onMissing: () => void) {
    this.#options = options;
    this.#onMissing = onMissing;
  }

  expect(ms: number, why: string): void {
    const { clock, logger } = this.#options;
    this.forget();
    this.#cancelWait = clock.schedule(ms, () => {
      logger.warn('kiosk-page-missing', { why });
      this.#onMissing();
    });
  }

  forget(): void {
    this.#cancelWait();
  }
}

/** What a browser shows: the console's page, or the file with instructions for when the console gives up. */
type Target = 'console' | 'stopped';

interface BrowserListener {
  onStarted(target: Target): void;
  /** The browser ended unexpectedly. */
  onEnd(why: string): void;
  /** A browser could not be started or ended. */
  onFailed(): void;
}

/** At most one browser process at a time: ends and starts run one after another. */
class OneBrowser {
  readonly #options: SuperviseOptions;
  readonly #listener: BrowserListener;
  readonly #order = new SerialQueue();
  #running: BrowserChild | null = null;
  #closed = false;

  /** First ends the browsers that an earlier process of this data folder left. */
  constructor(options: SuperviseOptions, listener: BrowserListener) {
    this.#options = options;
    this.#listener = listener;
    void this.#order.run(() => sweepBrowsers(options.dataDir));
  }

  get running(): BrowserChild | null {
    return this.#running;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Starts a browser on `target`, in place of the running one. */
  show(target: Target): void {
    const { logger, program, dataDir, environment, issueUrl, stoppedPage } = this.#options;
    this.#inOrder(async () => {
      await this.#end();
      if (this.#closed) return;
      this.#running = await startBrowser({
        program,
        dataDir,
        environment,
        target: target === 'console' ? { kind: 'url', url: issueUrl() } : { kind: 'file', path: stoppedPage },
        onEnd: (why) => this.#listener.onEnd(why),
      });
      logger.info('kiosk-browser-started', { target });
      this.#listener.onStarted(target);
    });
  }

  end(): void {
    this.#inOrder(() => this.#end());
  }

  /** Ends the browser. Resolves when it has ended; no other one is started. */
  async close(): Promise<void> {
    this.#closed = true;
    this.end();
    await this.#order.settled();
  }

  async #end(): Promise<void> {
    const old = this.#running;
    this.#running = null;
    await old?.end();
  }

  #inOrder(work: () => Promise<void>): void {
    this.#order.run(work).catch((error: unknown) => {
      const { logger } = this.#options;
      logger.error('kiosk-browser-failed', { error: textOf(error) });
      if (!this.#closed) this.#listener.onFailed();
    });
  }
}
