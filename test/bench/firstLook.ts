import type { Browser, Page } from '@playwright/test';
import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining } from '../support/training/index.ts';
import {
  givePreferences,
  removeFolder,
  serveConsole,
  temporaryFolder,
  writeDeployment,
} from '../e2e/support/launch.ts';
import { Operator } from '../e2e/support/operator.ts';
import { openIncidents } from '../support/dataset.ts';
import { withoutTowns } from './storedConsole.ts';
import { steps, type StepLine } from './statistics.ts';

export interface FirstLookOptions {
  readonly browser: Browser;
  readonly size: number;
  readonly runs: number;
}

/** Milliseconds of the page's clock; a task that takes over 50 ms is a long one. */
interface FirstLook {
  readonly pressed: number;
  readonly rowsKnown: number;
  readonly listPainted: number;
  readonly mapDrawn: number;
  readonly longTasks: readonly { readonly from: number; readonly ms: number }[];
}

declare global {
  interface Window {
    firstLook: Promise<FirstLook>;
  }
}

/** The aims for 200 incidents where the map is drawn in software, milliseconds. */
const listAim = 250;
const taskAim = 200;

/**
 * From the press on "Sign in" to the map, as a station's first operator has it: a new vault, a service on
 * loopback. Says when the page had the rows, when the list was painted and when the map was drawn, in turn with
 * the bundled towns, waters and provinces and without.
 */
export async function benchFirstLook({ browser, size, runs }: FirstLookOptions): Promise<StepLine[]> {
  const service = await startTraining({
    clock: createClock(),
    seed: 7,
    dataset: openIncidents(size),
    switches: { arrivals: false, integrationScript: false },
  });
  const looks: FirstLook[] = [];
  const withoutAny: FirstLook[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      looks.push(await look(true));
      withoutAny.push(await look(false));
    }
  } finally {
    await service.close();
  }
  const line = (
    what: string,
    aim: number | null,
    of: (look: FirstLook) => number,
    from: readonly FirstLook[] = looks,
  ): StepLine => steps({ what, size, aim, samples: from.map(of) });
  const longest = ({ longTasks }: FirstLook, from: number, to: number): number =>
    Math.max(0, ...longTasks.filter((task) => task.from >= from && task.from < to).map(({ ms }) => ms));
  return [
    line('press to rows known', null, (one) => one.rowsKnown - one.pressed),
    line('rows known to list painted', listAim, (one) => one.listPainted - one.rowsKnown),
    line('list painted to map drawn', null, (one) => one.mapDrawn - one.listPainted),
    line('longest task before the list', taskAim, (one) => longest(one, one.pressed, one.listPainted)),
    line('longest task before the map', taskAim, (one) => longest(one, one.listPainted, one.mapDrawn)),
    line('no towns: list painted to map drawn', null, (one) => one.mapDrawn - one.listPainted, withoutAny),
    line(
      'no towns: longest task before the map',
      null,
      (one) => longest(one, one.listPainted, one.mapDrawn),
      withoutAny,
    ),
  ];

  async function look(towns: boolean): Promise<FirstLook> {
    const work = await temporaryFolder();
    await givePreferences(`${work}/data`, {
      tourDone: true,
      theme: 'night',
      language: 'en',
      motion: 'system',
    });
    const deployment = await writeDeployment(work, {
      id: 'bench',
      name: 'Bench',
      infrastructureUrl: service.infrastructureUrl,
      coordinationUrl: service.coordinationUrl,
      timestampUnit: service.switches().timestampUnit,
    });
    const console = await serveConsole(`${work}/data`, ['--deployment', deployment]);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    try {
      if (!towns) await withoutTowns(page);
      await page.addInitScript(watchFirstLook, size);
      await page.goto(console.url);
      await loaded(page);
      await new Operator(page).tryToSignIn(service.credentials);
      return await page.evaluate(() => window.firstLook);
    } finally {
      await page.close();
      await console.stop();
      await removeFolder(work);
    }
  }
}

/** Until the page has loaded by itself what it shows after the sign-in: it has while somebody types. */
async function loaded(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Password' }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Runs in the page, before its own scripts. */
function watchFirstLook(size: number): void {
  const longTasks: { from: number; ms: number }[] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      longTasks.push({ from: startTime, ms: duration });
  }).observe({ type: 'longtask' });
  const at: Partial<Record<'pressed' | 'rowsKnown' | 'listPainted', number>> = {};
  addEventListener('click', ({ timeStamp }) => (at.pressed ??= timeStamp), { capture: true });
  const OwnSocket = WebSocket;
  // The console's rows are a binary frame of over 4 KB under the key "incidents" (MessagePack: bin 16, bin 32).
  globalThis.WebSocket = class extends OwnSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data, timeStamp }: MessageEvent<ArrayBuffer>) => {
        if (at.pressed === undefined || data.byteLength < 4096) return;
        // As Latin 1 a byte is a letter: Å and Æ are the two kinds.
        if (/incidents[ÅÆ]/u.test(new TextDecoder('latin1').decode(data))) at.rowsKnown ??= timeStamp;
      });
    }
  };
  window.firstLook = new Promise((resolve) => {
    const see = (): void => {
      if (at.listPainted === undefined && document.querySelector('.list__row .row__facts') !== null) {
        at.listPainted = NaN;
        // A task after the frame: what it shows has been painted.
        requestAnimationFrame(() => setTimeout(() => (at.listPainted = performance.now())));
      }
      if (document.querySelector(`[data-drawn-incidents="${String(size)}"]`) === null) return;
      watcher.disconnect();
      const mapDrawn = performance.now();
      const { pressed = NaN, rowsKnown = NaN, listPainted = NaN } = at;
      // The observer is told of a long task after it.
      setTimeout(() => {
        resolve({ pressed, rowsKnown, listPainted, mapDrawn, longTasks });
      }, 500);
    };
    const watcher = new MutationObserver(see);
    watcher.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-drawn-incidents'],
    });
  });
}
