import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';
import { event } from './fake/emitter.ts';
import type { FakeWindow } from './fake/window.ts';

let desktop: DesktopUnderTest;

beforeEach(async () => {
  desktop = await desktopUnderTest();
});
afterEach(() => desktop.end());

const maximised = { x: 10, y: 20, width: 1000, height: 700, maximised: true };

describe('a window whose system draws no hidden window (fact 1)', () => {
  it('appears when its page is loaded, which needs no drawing', async () => {
    const window = await desktop.run();
    window.layOut();
    expect(window.visible).toBe(false);
    window.finishLoad();
    expect(window.done).toEqual(['show']);
  });

  it('appears after a while when its page says nothing at all', async () => {
    const window = await desktop.run();
    desktop.clock.advance(2_999);
    expect(window.visible).toBe(false);
    desktop.clock.advance(1);
    expect(window.done).toEqual(['show']);
  });

  it('that was brought forward before is not shown a second time', async () => {
    const window = await desktop.run();
    desktop.electron.app.emit('second-instance', {}, [], '/', { file: null, link: null });
    window.finishLoad();
    expect(window.done).toEqual(['show', 'focus']);
  });

  it('that is gone by then is left alone', async () => {
    const window = await desktop.run();
    window.close();
    window.finishLoad();
    desktop.clock.advance(3_000);
    expect(window.done).toEqual([]);
  });
});

describe('a window whose system draws hidden windows', () => {
  it('appears at its first layout, and once only', async () => {
    const kind = await desktopUnderTest({ hiddenWindowsDraw: true });
    const window = await kind.run();
    window.layOut();
    window.finishLoad();
    kind.clock.advance(3_000);
    expect(window.done).toEqual(['show']);
    await kind.end();
  });
});

describe('a page that is loaded again, as a lock does it (fact 2)', () => {
  const again = (window: FakeWindow): void => {
    window.layOut();
    window.finishLoad();
    desktop.clock.advance(10_000);
  };

  it('neither shows a window that the system has hidden nor maximises one that was made smaller', async () => {
    const window = await desktop.run({ bounds: maximised });
    window.finishLoad();
    expect(window.done).toEqual(['maximize']);
    window.maximized = false;
    again(window);
    expect(window.maximized).toBe(false);
    window.hide();
    again(window);
    expect(window.visible).toBe(false);
  });
});

describe('a page that fails before it is drawn (fact 3)', () => {
  const failed = 'console://app/not-loaded.html';

  it('is said in the window, which appears at once, and in the log', async () => {
    const window = await desktop.run();
    window.failLoad();
    expect(window.done).toEqual(['show']);
    expect(window.loaded).toEqual(['console://app/', failed]);
    expect(desktop.log.entries).toEqual([
      { event: 'page-not-loaded', fields: { form: 'window', code: -6, description: 'ERR_FILE_NOT_FOUND' } },
    ]);
  });

  it('is said when it is the preload, without what the error may have repeated', async () => {
    const window = await desktop.run();
    window.failPreload(new TypeError('password=1'));
    // Nothing else would show it: there is no first layout.
    window.layOut();
    expect(window.done).toEqual(['show']);
    expect(window.loaded).toEqual(['console://app/', failed]);
    expect(desktop.log.entries).toEqual([
      { event: 'preload-failed', fields: { form: 'window', error: 'TypeError' } },
    ]);
  });

  it('is seen where the system draws hidden windows too: what failed has no first layout', async () => {
    const kind = await desktopUnderTest({ hiddenWindowsDraw: true });
    const window = await kind.run();
    window.failLoad();
    expect(window.visible).toBe(true);
    await kind.end();
  });

  it('does not go round when the pages that say so fail too', async () => {
    const window = await desktop.run();
    window.failLoad();
    window.failLoad();
    expect(window.loaded).toEqual(['console://app/', failed]);
    desktop.shown().load('/stopped.html');
    window.failLoad();
    expect(window.loaded.slice(2)).toEqual(['console://app/stopped.html']);
    desktop.shown().load();
    window.failLoad();
    expect(window.loaded.slice(3)).toEqual(['console://app/', failed]);
  });

  it('is nothing of a frame, nor of a load whose place another one took', async () => {
    const window = await desktop.run();
    window.failLoad(-6, false);
    window.failLoad(-3);
    const provisional = (isMainFrame: boolean): void =>
      void window.webContents.emit('did-fail-provisional-load', event(), -3, 'ERR_ABORTED', '', isMainFrame);
    provisional(false);
    expect(window.done).toEqual([]);
    // Nothing else comes of a load that was stopped: an empty window is seen, and the log says why.
    provisional(true);
    expect(window.done).toEqual(['show']);
    expect(window.loaded).toHaveLength(1);
    expect(desktop.log.events()).toEqual(['page-load-ended']);
  });

  it('is said in a second window too', async () => {
    await desktop.run();
    desktop.shown().openSecond('map', maximised);
    const second = desktop.electron.windows[1];
    second?.failLoad();
    expect(second?.done).toEqual(['maximize']);
    expect(second?.loaded.at(-1)).toBe(failed);
  });
});
