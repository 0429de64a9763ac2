import type { Browser, Page } from '@playwright/test';
import { expect, slow, test } from './fixtures.ts';

/** The parts that Vue's renderer leaves at the page's root, of every component in it. */
interface Instance {
  readonly type: { readonly __name?: string; readonly name?: string };
  readonly subTree: Node;
  readonly parent: Instance | null;
  readonly effect: { fn: () => void };
}
interface Node {
  readonly el: ChildNode | null;
  readonly component: Instance | null;
  readonly children: unknown;
  readonly suspense: { readonly activeBranch: Node | null } | null;
}
interface Counted extends Window {
  /** Of each component that was rendered: how often, and how often it said the same as before. */
  rendered: Record<string, { times: number; same: number }>;
}

/** Counts from now on what is rendered of the components that are on the page. */
const count = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const counted = ((window as unknown as Counted).rendered = {});
    const watched = (instance: Instance): void => {
      const name = instance.type.__name ?? instance.type.name ?? 'unnamed';
      const html = (): string => instance.subTree.el?.parentElement?.outerHTML ?? '';
      const render = instance.effect.fn;
      instance.effect.fn = () => {
        const before = html();
        render();
        const entry = ((counted as Counted['rendered'])[name] ??= { times: 0, same: 0 });
        entry.times += 1;
        if (before === html()) entry.same += 1;
      };
      visit(instance.subTree);
    };
    const visit = (node: Node): void => {
      if (node.component) watched(node.component);
      if (node.suspense?.activeBranch) visit(node.suspense.activeBranch);
      if (Array.isArray(node.children))
        for (const child of node.children)
          if (child !== null && typeof child === 'object') visit(child as Node);
    };
    const root = document.querySelector('#app') as unknown as { readonly _vnode: Node };
    visit(root._vnode);
  });

const rendered = (page: Page): Promise<Counted['rendered']> =>
  page.evaluate(() => (window as unknown as Counted).rendered);

/** A page in a state, on a virtual clock: the clock of the page that tests share goes on for the next of them. */
async function atRest(browser: Browser, origin: string, state: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
  onTestEnd.push(() => context.close());
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${origin}/?${new URLSearchParams({ state }).toString()}`);
  await page.evaluate(() => (window as unknown as { readonly standInStands: Promise<void> }).standInStands);
  // There is no WebGL, and when that is found out no clock says.
  await page.locator('.map__missing').waitFor({ state: 'attached' });
  // What was asked for when the state came is here, and what fades is gone.
  await page.clock.runFor(settleMs);
  return page;
}
const settleMs = 15_000;
const onTestEnd: (() => Promise<void>)[] = [];

test.describe('at rest', () => {
  test.afterEach(async () => {
    for (const end of onTestEnd.splice(0)) await end();
  });

  test('each second the clock is rendered, and nothing else that reads the same', async ({
    browser,
    origin,
  }) => {
    const page = await atRest(browser, origin, 'incidents');
    // Until every age on the page is in minutes.
    await page.clock.runFor(120_000);
    const rows = await page.locator('.list__row').count();
    // From just after it was renewed on: as often as it is in 50 s.
    const clock = page.locator('.status__clock');
    const text = await clock.textContent();
    while ((await clock.textContent()) === text) await page.clock.runFor(50);
    await count(page);
    await page.clock.runFor(50_000);
    const { StatusClock, FreshnessMark, IncidentRow, FrozenGate, ...others } = await rendered(page);
    expect(StatusClock).toEqual({ times: 50, same: 0 });
    // Of each a minute may have begun; the gate has the bar in it, which says how long the session lasts.
    expect(FreshnessMark?.times ?? 0).toBeLessThanOrEqual(1);
    expect(FrozenGate?.times ?? 0).toBeLessThanOrEqual(1);
    expect(IncidentRow?.times ?? 0).toBeLessThanOrEqual(rows);
    expect(others).toEqual({});
  });

  const inEveryRun = ['incidents, just arrived', 'details', 'alarms', 'tokens refused', 'wallboard, alarm'];
  for (const state of [
    ...inEveryRun,
    ...['evidence', 'evidence, fetched', 'missions'],
    ...['table', 'integrations', 'outbox', 'log', 'offline', 'wallboard', 'wallboard, offline'],
  ])
    test(
      `what is rendered says something else than before: ${state}`,
      inEveryRun.includes(state) ? {} : slow,
      async ({ browser, origin }) => {
        const page = await atRest(browser, origin, state);
        await count(page);
        await page.clock.runFor(65_000);
        const all = Object.entries(await rendered(page));
        expect(all).not.toEqual([]);
        expect(all.filter(([, { same }]) => same > 0)).toEqual([]);
      },
    );

  test('the clock is renewed apart from a countdown: what lies between them is not drawn again', async ({
    browser,
    origin,
  }) => {
    const page = await atRest(browser, origin, 'offline');
    // From here on it stands between two steps.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    const clock = page.locator('.status__clock');
    const text = await clock.textContent();
    const step = 50;
    while ((await clock.textContent()) === text) await page.clock.runFor(step);
    // From the middle of a second on, far from both.
    await page.clock.runFor(500);
    const seconds = 3;
    const renewed: string[][] = [];
    await page.evaluate(() => {
      const changed = ((window as unknown as { changed: Set<string> }).changed = new Set());
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          if (element?.closest('.status__clock')) changed.add('clock');
          if (element?.closest('.notice')) changed.add('countdown');
        }
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    for (let at = 0; at < seconds * 1_000; at += step) {
      await page.clock.runFor(step);
      const parts = await page.evaluate(() => {
        const { changed } = window as unknown as { readonly changed: Set<string> };
        const names = [...changed];
        changed.clear();
        return names;
      });
      if (parts.length > 0) renewed.push(parts);
    }
    const once = Array.from({ length: seconds }, () => [['countdown'], ['clock']]).flat();
    expect(renewed).toHaveLength(once.length);
    expect(renewed).toEqual(expect.arrayContaining(once));
  });

  for (const { state, row } of [
    { state: 'evidence', row: '.item' },
    { state: 'missions', row: '.list__one:has(.row__state.quiet)' },
  ])
    test(`of what an opened row shows, only what reads otherwise is rendered: ${state}`, async ({
      browser,
      origin,
    }) => {
      const page = await atRest(browser, origin, state);
      await page.locator(row).first().click();
      await page.clock.runFor(1_000);
      await count(page);
      await page.clock.runFor(65_000);
      const all = Object.entries(await rendered(page));
      expect(all).not.toEqual([]);
      expect(all.filter(([, { same }]) => same > 0)).toEqual([]);
    });
});
