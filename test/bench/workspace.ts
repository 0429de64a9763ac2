import type { Browser, Page } from '@playwright/test';
import { copyPage } from './pageCopy.ts';
import type { PageCopy } from './pages/floorApi.ts';
import { largestPageWords, residentWords } from './resident.ts';
import { measure, type Measure, type Row } from './statistics.ts';
import { openStoredConsole } from './storedConsole.ts';
import {
  frameInterval,
  longestTask,
  recordTrace,
  shownMark,
  toNextPaint,
  toShown,
  type PageTrace,
} from './trace.ts';
import { languageAct, listActs, type WorkspaceAct } from './workspaceActs.ts';

export interface WorkspaceOptions {
  readonly browser: Browser;
  /** Where the bench's pages are served, with the console's own files beside them. */
  readonly site: string;
  readonly size: number;
  /** How often each action is done on each page, in turn. */
  readonly runs: number;
}

const goal = 1.5;
/** The map compiles its shaders with the first frames; what is compared is a page at rest. */
const settleMs = 4_000;
const idleMs = 5_000;

type Traces = Record<'ours' | 'floor', PageTrace[]>;

/**
 * What an operator does at the desk, on the console as it ships with `size` incidents in its vault: from the
 * input to the next paint, and to the paint that shows what was asked for, by Chromium's trace; beside the
 * longest task of the page's thread. The floor is a copy of the console's own DOM in the same browser that
 * gets the same input and does no more than what is seen (pages/floor.ts).
 */
export async function* benchWorkspace({ browser, site, size, runs }: WorkspaceOptions): AsyncGenerator<Row> {
  const console = await openStoredConsole({ browser, size });
  const { page } = console;
  try {
    await page.waitForTimeout(settleMs);
    yield { what: 'page process', size, value: await largestPageWords(browser) };
    yield { what: 'main process, vault open', size, value: await residentWords(console.pid) };
    const idle = await recordTrace(browser, page, () => page.waitForTimeout(idleMs));
    const rowsOf = (act: WorkspaceAct, traces: Traces): Row[] => [
      ...linesOf(act, size, traces),
      {
        what: act.what,
        size,
        longest: Math.max(...traces.ours.map(longestTask)),
        idleLongest: longestTask(idle),
        floorLongest: Math.max(...traces.floor.map(longestTask)),
      },
    ];
    const replaying = await copyReplay(page, site);
    const listing = await openFloor(browser, site, await copyPage(page, site), size);
    const ordering = await openFloor(browser, site, await copyOrder(page, site), size);
    for (const act of listActs) {
      const floor = act.act === 'sort' ? ordering : listing;
      await floor.evaluate(
        ([name, other]) => {
          window.floor.act(name, other);
        },
        [act.act, replaying] as const,
      );
      yield* rowsOf(act, await inTurn({ browser, page, floor, act, runs }));
    }
    await ordering.close();
    await listing.close();
    const settings = await openSettings({ browser, site, page, size });
    yield* rowsOf(languageAct, await inTurn({ browser, page, floor: settings, act: languageAct, runs }));
    await settings.close();
    yield { what: 'page process, after all of it', size, value: await largestPageWords(browser) };
  } finally {
    await console.close();
  }
}

/** Does one action on both pages in turn, so that both see the same machine; the first time is not counted. */
async function inTurn(options: {
  readonly browser: Browser;
  readonly page: Page;
  readonly floor: Page;
  readonly act: WorkspaceAct;
  readonly runs: number;
}): Promise<Traces> {
  const { browser, act, runs } = options;
  const traces: Traces = { ours: [], floor: [] };
  const pages = { ours: options.page, floor: options.floor } as const;
  for (let run = 0; run < runs + 1; run += 1) {
    for (const name of ['ours', 'floor'] as const) {
      const page = pages[name];
      await page.bringToFront();
      if (run === 0) await watch(page, act);
      const trace = await recordTrace(browser, page, () => act.give(page));
      if (run > 0) traces[name].push(trace);
      await act.undo(page);
      if (name === 'floor') {
        await page.evaluate(() => {
          window.floor.stop();
        });
      }
    }
  }
  return traces;
}

function linesOf(act: WorkspaceAct, size: number, traces: Traces): Measure[] {
  const { what, input, floor, shows, echoes } = act;
  const line = (name: string, of: (trace: PageTrace) => number[], aim: number | null): Measure =>
    measure({
      what: name,
      size,
      goal: aim,
      floor,
      ours: traces.ours.flatMap(of),
      floorSamples: traces.floor.flatMap(of),
    });
  return [
    ...(echoes ? [line(what, (trace) => toNextPaint(trace, input), goal)] : []),
    ...(shows === null ? [] : [line(`${what}: shown`, (trace) => toShown(trace, input), goal)]),
    ...(act.act === 'replay' ? [line('replay: frame', (trace) => [frameInterval(trace)], goal)] : []),
  ];
}

/** Has the page mark in the trace when it shows what the action asks for. */
const watch = (page: Page, { shows }: WorkspaceAct): Promise<void> =>
  page.evaluate(
    ({ wanted, mark }) => {
      const held = globalThis as { benchObserver?: MutationObserver };
      held.benchObserver?.disconnect();
      const element = wanted === null ? null : document.querySelector(wanted.selector);
      if (wanted === null || element === null) return;
      held.benchObserver = new MutationObserver(() => performance.mark(mark));
      held.benchObserver.observe(
        element,
        wanted.attribute === null
          ? { subtree: true, childList: true, characterData: true }
          : { attributeFilter: [wanted.attribute], subtree: wanted.deep ?? false },
      );
    },
    { wanted: shows, mark: shownMark },
  );

/** The page as a replay begins, for the floor's own. */
async function copyReplay(page: Page, site: string): Promise<PageCopy> {
  await page.locator('.timeline__start').click();
  await page.locator('.replay').waitFor();
  const copy = await copyPage(page, site);
  await page.locator('.replay__leave').click();
  await page.waitForTimeout(settleMs);
  return copy;
}

/** The page with the menu of the list's order open. */
async function copyOrder(page: Page, site: string): Promise<PageCopy> {
  await page.locator('.order__open').click();
  await page.locator('.order').waitFor();
  const copy = await copyPage(page, site);
  await page.keyboard.press('Escape');
  return copy;
}

async function openFloor(browser: Browser, site: string, copy: PageCopy, size: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${site}floor.html`);
  await page.waitForFunction(() => 'floor' in window);
  await page.evaluate(([shown, count]) => window.floor.show(shown, count), [copy, size] as const);
  await page.waitForTimeout(settleMs);
  return page;
}

/** Opens the console's settings, and a floor of them that knows the next language of the list. */
async function openSettings({
  browser,
  site,
  page,
  size,
}: {
  readonly browser: Browser;
  readonly site: string;
  readonly page: Page;
  readonly size: number;
}): Promise<Page> {
  await page.bringToFront();
  await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  const select = page.locator('#settings-language');
  await select.waitFor();
  // No hint may stand over what is copied.
  await page.mouse.move(720, 300);
  await page.waitForTimeout(settleMs);
  const english = await copyPage(page, site);
  await select.focus();
  await select.press('ArrowDown');
  await page.waitForTimeout(settleMs);
  const other = await copyPage(page, site);
  await select.press('ArrowUp');
  await page.waitForTimeout(settleMs);
  const floor = await openFloor(browser, site, english, size);
  await floor.evaluate((copy) => {
    window.floor.act('language', copy);
  }, other);
  return floor;
}
