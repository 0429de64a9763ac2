import { test as base, expect, type Page, type TestDetails } from '@playwright/test';
import type { ConsoleState, Language, VerbName } from '../../src-preload/contract/index.ts';
import { processorSeconds } from '../support/testCost.ts';
import { serveGallery } from './server.ts';
import type { Call, StandIn } from './standIn.ts';
import { stateNamed } from './allStates.ts';
import { unasked } from './states.ts';

/** Of a test that the slow tier runs: one more look at what another test of every run looks at, or a map drawn in software. */
export const slow: TestDetails = { tag: '@slow' };

/** The longest words, and those from right to left: what fits in these has nearly always fitted in the others. */
const widest: readonly Language[] = ['es', 'ar'];

/** For a test that is the same in each language: of two of them in every run, of the others in the slow tier. */
export const inLanguage = (language: Language): TestDetails => (widest.includes(language) ? {} : slow);

type Change = { readonly [N in keyof ConsoleState]?: Partial<ConsoleState[N]> };

/** How the page is to look, where it is not the recorded way. */
export interface Look {
  readonly theme?: string;
  readonly language?: string;
  readonly textSize?: string;
  /** Time stands. */
  readonly still?: 'yes';
}

interface Window {
  readonly standIn: StandIn;
  /** Settles once the state that the address names stands, or one of its steps failed. */
  readonly standInStands: Promise<void>;
}

/** A page in one of the states, and the console behind it. */
export interface Shown {
  readonly page: Page;
  /** Opens a state and waits until it stands. */
  open(state: string, look?: Look): Promise<Page>;
  /** What the page has asked of the console, in order, but for what pages do by themselves. */
  calls(verb?: VerbName): Promise<unknown[]>;
  /** Lets the console tell the page of a change. */
  push(change: Change): Promise<void>;
  /** Keeps the console's answers to a verb on their way until they are let go. */
  hold(verb: VerbName): Promise<void>;
  letGo(verb: VerbName): Promise<void>;
}

/** The tab of a worker. */
interface Tab {
  /** The page that tests share. It is another one once many states were opened in it. */
  page(): Promise<Page>;
  /** Counts a state as opened. */
  count(): void;
}

interface WorkerFixtures {
  readonly origin: string;
  readonly tab: Tab;
}

/** Documents that were left are collected late: a hundred of them held 650 MB, and then the page crashes. */
const statesToATab = 40;

/**
 * Tests of the built page in a browser, against a stand-in console. Server and context are made once for a worker,
 * and a page for many tests; a state is a navigation. A test fails for any fault of the contract, any error of the
 * page and any violation of its content security policy, whatever else it looks at.
 */
export const test = base.extend<{ shown: Shown; processorSeconds: void }, WorkerFixtures>({
  processorSeconds: [processorSeconds, { auto: true }],
  origin: [
    async ({}, use) => {
      const { origin, close } = await serveGallery();
      await use(origin);
      await close();
    },
    { scope: 'worker' },
  ],
  tab: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          console.error(`Content Security Policy: ${violatedDirective} refused ${blockedURI}`);
        });
      });
      let page = await context.newPage();
      let opened = 0;
      await use({
        page: async () => {
          if (opened < statesToATab) return page;
          await page.close();
          page = await context.newPage();
          opened = 0;
          return page;
        },
        count: () => {
          opened += 1;
        },
      });
      await context.close();
    },
    { scope: 'worker' },
  ],
  shown: async ({ origin, tab, viewport }, use) => {
    const page = await tab.page();
    const complaints: string[] = [];
    const onError = (error: Error): void => void complaints.push(error.message);
    const onConsole = (message: { type(): string; text(): string }): void => {
      const ofNote = message.type() === 'error' || /\[vue warn\]/i.test(message.text());
      // The map says so where the browser draws no WebGL, as these tests want it.
      if (ofNote && !/webgl/i.test(message.text())) complaints.push(message.text());
    };
    page.on('pageerror', onError);
    page.on('console', onConsole);
    if (viewport) await page.setViewportSize(viewport);
    const faults = (): Promise<readonly string[]> =>
      page.evaluate(() => (window as unknown as Window).standIn.faults);
    await use({
      page,
      open: async (name, look = {}) => {
        const state = stateNamed(name);
        if (state === null) throw new Error(`There is no state "${name}"`);
        tab.count();
        await page.goto(`${origin}/?${new URLSearchParams({ state: name, ...look }).toString()}`, {
          waitUntil: 'domcontentloaded',
        });
        await page.evaluate(() => (window as unknown as Window).standInStands);
        // A state without steps stands before the part of the page that shows it is loaded; each has its heading.
        await page.locator('h1').first().waitFor({ state: 'attached' });
        // Words are in a separate file: until it is loaded the page is in English. A console without
        // preferences names no language.
        if (look.language !== undefined && state.slices.preferences !== undefined)
          await expect(page.locator('html')).toHaveAttribute('lang', look.language);
        expect(await faults(), name).toEqual([]);
        return page;
      },
      calls: async (verb) => {
        const calls = await page.evaluate(
          () => (window as unknown as Window).standIn.calls as readonly Call[],
        );
        return verb === undefined
          ? calls.filter((call) => !unasked.includes(call.verb)).map((call) => call.verb)
          : calls.filter((call) => call.verb === verb).map((call) => call.request);
      },
      push: (change) =>
        page.evaluate((told) => {
          (window as unknown as Window).standIn.push(told);
        }, change),
      hold: (verb) =>
        page.evaluate((held) => {
          (window as unknown as Window).standIn.hold(held);
        }, verb),
      letGo: (verb) =>
        page.evaluate((held) => {
          (window as unknown as Window).standIn.letGo(held);
        }, verb),
    });
    page.off('pageerror', onError);
    page.off('console', onConsole);
    expect(complaints).toEqual([]);
    expect(await faults()).toEqual([]);
  },
});

export { expect };
