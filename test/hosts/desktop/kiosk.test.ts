import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPolicy, type Policy } from '../../../src-main/core/features/policy/policy.ts';
import { createDesktopControl } from '../../../src-main/hosts/desktop/control.ts';
import { trackSystem } from '../../../src-main/hosts/desktop/systemState.ts';
import { systemAtRest } from '../../../src-preload/contract/index.ts';
import { desktopUnderTest, senderOf, type DesktopUnderTest } from '../support/desktopHost.ts';
import type { FakeWindow } from './fake/window.ts';

const operator: Policy = { ...noPolicy, source: 'machine', kiosk: 'operator', drop: false };
const systems = ['linux', 'win32', 'darwin'] as const;

let desktop: DesktopUnderTest;

beforeEach(async () => {
  desktop = await desktopUnderTest();
});
afterEach(() => desktop.end());

const kiosk = (change: Partial<Policy> = {}, platform: NodeJS.Platform = 'linux'): Promise<FakeWindow> =>
  desktop.run({ policy: { ...operator, ...change }, platform });

describe('a kiosk’s window', () => {
  it.each(['operator', 'wallboard'] as const)('fills the screen without a frame as %s', async (mode) => {
    const { options, menu } = await kiosk({ kiosk: mode });
    expect(options).toMatchObject({
      kiosk: true,
      fullscreen: true,
      frame: false,
      minimizable: false,
      autoHideMenuBar: true,
    });
    expect(options.minWidth).toBeUndefined();
    expect(menu).toBe(false);
  });

  it('does not take a place where a window was left', async () => {
    const { options } = await desktop.run({
      policy: operator,
      bounds: { x: 9, y: 9, width: 500, height: 500 },
    });
    expect(options).toMatchObject({ width: 1440, height: 900 });
    expect(options.x).toBeUndefined();
  });

  it.each(['linux', 'win32'] as const)('has no menu on %s', async (platform) => {
    await kiosk({}, platform);
    expect(desktop.electron.menu).toBeNull();
  });

  it('keeps only the clipboard’s keys in a Mac’s hidden menu', async () => {
    await kiosk({}, 'darwin');
    const roles = [...JSON.stringify(desktop.electron.menu).matchAll(/"role":"(\w+)"/g)].map(
      ([, role]) => role,
    );
    expect(roles).toEqual(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']);
  });

  it('is an ordinary window with a menu without a kiosk', async () => {
    const window = await desktop.run();
    expect(window.options.kiosk).toBeUndefined();
    expect(window.menu).toBe(true);
    expect(window.webContents.press('F12')).toBe(false);
    expect(desktop.electron.blockers.size).toBe(0);
    window.close();
    expect(window.destroyed).toBe(true);
  });
});

const control = { control: true };
const meta = { meta: true };
const shift = { shift: true };
const alt = { alt: true };

describe('keys that a kiosk’s page does not hear of', () => {
  it.each([
    ['developer tools', 'F12', {}],
    ['developer tools', 'I', { ...control, ...shift }],
    ['developer tools', 'J', { ...control, ...shift }],
    ['developer tools', 'C', { ...control, ...shift }],
    ['reload', 'F5', {}],
    ['reload', 'F5', control],
    ['reload', 'r', control],
    ['reload', 'R', { ...control, ...shift }],
    ['reload', 'BrowserRefresh', {}],
    ['zoom in', '+', control],
    ['zoom in', '=', control],
    ['zoom in', '+', { ...control, ...shift }],
    ['zoom out', '-', control],
    ['zoom reset', '0', control],
    ['zoom', 'ZoomIn', {}],
    ['print', 'p', control],
    ['print', 'P', { ...control, ...shift }],
    ['print', 'Print', {}],
    ['find', 'f', control],
    ['find', 'g', control],
    ['find', 'F3', {}],
    ['back', 'ArrowLeft', alt],
    ['forward', 'ArrowRight', alt],
    ['back', 'BrowserBack', {}],
    ['forward', 'BrowserForward', {}],
    ['home', 'Home', alt],
    ['home', 'BrowserHome', {}],
    ['address', 'l', control],
    ['address', 'd', alt],
    ['open', 'o', control],
    ['save', 's', control],
    ['source', 'u', control],
    ['close', 'w', control],
    ['close', 'F4', alt],
    ['close', 'F4', control],
    ['quit', 'q', control],
    ['new window', 'n', control],
    ['new window', 'N', { ...control, ...shift }],
    ['new tab', 't', control],
    ['other tab', 'Tab', control],
    ['full screen', 'F11', {}],
    ['full screen', 'Enter', alt],
    ['menu', 'F10', {}],
    ['task manager', 'Escape', { ...control, ...shift }],
    ['caret browsing', 'F7', {}],
    ['start menu', 'r', meta],
    ['a program', 'LaunchApplication1', {}],
  ])('%s: %s %j, on Linux and Windows', async (_what, key, held) => {
    for (const platform of ['linux', 'win32'] as const) {
      const other = await desktopUnderTest();
      const { webContents } = await other.run({ policy: operator, platform });
      expect(webContents.press(key, held), platform).toBe(true);
      expect(other.log.entries).toContainEqual({ event: 'kiosk-denied', fields: { what: 'key' } });
      await other.end();
    }
  });

  it.each([
    ['developer tools', 'i', { ...meta, ...alt }],
    ['developer tools', 'ˆ', { ...meta, ...alt }],
    ['reload', 'r', meta],
    ['reload', 'r', { ...meta, ...shift }],
    ['zoom in', '+', meta],
    ['zoom out', '-', meta],
    ['zoom reset', '0', meta],
    ['print', 'p', meta],
    ['find', 'f', meta],
    ['back', '[', meta],
    ['forward', ']', meta],
    ['open', 'o', meta],
    ['close', 'w', meta],
    ['quit', 'q', meta],
    ['hide', 'h', meta],
    ['minimise', 'm', meta],
    ['preferences', ',', meta],
    ['new window', 'n', meta],
    ['full screen', 'f', { ...meta, ...control }],
    ['force quit', 'Escape', { ...meta, ...alt }],
    ['other window', '`', meta],
  ])('%s: %s %j, on a Mac', async (_what, key, held) => {
    const { webContents } = await kiosk({}, 'darwin');
    expect(webContents.press(key, held)).toBe(true);
  });
});

describe('keys that a kiosk’s page hears of', () => {
  it.each(systems)('typing, editing and moving on %s', async (platform) => {
    const { webContents } = await kiosk({}, platform);
    const letters = ['a', 'Z', '7', ' ', 'é', 'क', '𝒳'];
    const named = [
      'Enter',
      'Tab',
      'Escape',
      'Backspace',
      'Delete',
      'ArrowUp',
      'PageDown',
      'Home',
      'Shift',
      'Dead',
    ];
    for (const key of [...letters, ...named]) expect(webContents.press(key), key).toBe(false);
    expect(webContents.press('Tab', shift)).toBe(false);
    expect(webContents.press('ArrowLeft', shift)).toBe(false);
    const primary = platform === 'darwin' ? meta : control;
    for (const key of ['c', 'v', 'x', 'a', 'z', 'ArrowLeft', 'Backspace', 'Home']) {
      expect(webContents.press(key, primary), key).toBe(false);
    }
    expect(webContents.press('Z', { ...primary, ...shift })).toBe(false);
  });

  it('letters of the third level', async () => {
    const { webContents } = await kiosk({}, 'win32');
    expect(webContents.press('@', { ...control, ...alt })).toBe(false);
    const mac = await desktopUnderTest();
    const other = await mac.run({ policy: operator, platform: 'darwin' });
    expect(other.webContents.press('@', alt)).toBe(false);
    expect(other.webContents.press('ArrowLeft', alt)).toBe(false);
    expect(other.webContents.press('F4', alt)).toBe(true);
    await mac.end();
  });

  it('letting go of any key', async () => {
    const { webContents } = await kiosk();
    expect(webContents.press('F12', { type: 'keyUp' })).toBe(false);
  });
});

describe('zoom, context menu, files and links in a kiosk', () => {
  it('does not zoom by pinching or by the wheel', async () => {
    const { webContents } = await kiosk();
    webContents.emit('did-finish-load');
    expect(webContents.zoomLimits).toEqual([[1, 1]]);
    expect(webContents.listenerCount('zoom-changed')).toBe(0);
    webContents.zoomRefused = true;
    webContents.emit('did-finish-load');
    await expect
      .poll(() => desktop.log.entries)
      .toContainEqual({
        event: 'kiosk-denied',
        fields: { what: 'zoom-limits' },
      });
  });

  const flags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  const click = (window: FakeWindow, params: object): void => {
    window.webContents.happens(
      'context-menu',
      {},
      { isEditable: false, selectionText: '', editFlags: flags, ...params },
    );
  };

  it('offers nothing but copying what is selected', async () => {
    const window = await kiosk();
    click(window, {});
    click(window, { selectionText: '  ' });
    click(window, { selectionText: 'secret', editFlags: { ...flags, canCopy: false } });
    click(window, { isEditable: true });
    expect(desktop.electron.popups).toEqual([]);
    click(window, { selectionText: '47.1, 15.4' });
    click(window, { selectionText: '47.1, 15.4', isEditable: true });
    const copy = [{ role: 'copy', label: 'Copy' }];
    expect(desktop.electron.popups).toEqual([copy, copy]);
  });

  it('offers the clipboard in fields without a kiosk', async () => {
    const window = await desktop.run();
    click(window, { isEditable: true });
    expect(desktop.electron.popups[0]?.map(({ role, type }) => role ?? type)).toEqual([
      'cut',
      'copy',
      'paste',
      'separator',
      'selectAll',
    ]);
    click(window, { selectionText: 'a' });
    expect(desktop.electron.popups[1]).toEqual([{ role: 'copy', label: 'Copy' }]);
  });

  it.each([
    [false, []],
    [true, ['/a.json', '/b.json']],
  ])('takes files from the system only where the policy lets them be dropped: %s', async (drop, taken) => {
    const { electron, fake } = desktop;
    await desktop.run({ policy: { ...operator, drop } }, { file: '/a.json' });
    electron.app.emit('second-instance', {}, [], '/', { file: '/b.json', link: null });
    expect(fake.files).toEqual(taken);
  });

  it('takes no link', async () => {
    await desktop.run({ policy: operator }, { link: 'field-console://open/x' });
    expect(desktop.fake.links).toEqual([]);
    expect(desktop.log.events()).toContain('opening-refused');
  });

  it('navigates nowhere when a file is dropped on it', async () => {
    const { webContents, options } = await kiosk();
    expect(options.webPreferences?.navigateOnDragDrop).toBe(false);
    expect(webContents.happens('will-navigate', { url: 'file:///tmp/a.html', isMainFrame: true })).toBe(true);
  });
});

describe('a kiosk that stays', () => {
  it('keeps the display awake until it ends', async () => {
    await kiosk();
    expect([...desktop.electron.blockers.values()]).toEqual(['prevent-display-sleep']);
    desktop.electron.app.quit();
    await expect.poll(() => desktop.electron.app.exits).toEqual([0]);
    expect(desktop.electron.blockers.size).toBe(0);
  });

  it('does not close', async () => {
    const window = await kiosk();
    window.close();
    window.close();
    expect(window.destroyed).toBe(false);
  });

  it('comes back when it is minimised, hidden or leaves the full screen', async () => {
    const window = await kiosk();
    window.minimize();
    expect(window.minimized).toBe(false);
    window.hide();
    expect(window.visible).toBe(true);
    window.leaveFullScreen();
    expect(window).toMatchObject({ fullScreen: true, kiosk: true, focused: true });
  });

  it('asks for the keyboard again when it lost it, once', async () => {
    const window = await kiosk();
    window.blur();
    window.blur();
    expect(window.focused).toBe(false);
    desktop.clock.advance(500);
    expect(window.done).toEqual(['show', 'focus']);
    desktop.clock.advance(5_000);
    expect(window.done).toHaveLength(2);
  });

  it('leaves it be when it has it back already, or is gone', async () => {
    const window = await kiosk();
    window.blur();
    window.focused = true;
    desktop.clock.advance(500);
    window.blur();
    window.destroyed = true;
    desktop.clock.advance(500);
    window.emit('hide');
    expect(window.done).toEqual([]);
  });
});

describe('a kiosk whose page opens a dialog for a file', () => {
  const settle = (): void => desktop.clock.advance(1_000);

  it('leaves the dialog the keyboard until it is answered, and watches again then', async () => {
    const window = await kiosk();
    desktop.electron.tell('console:window', senderOf(window.webContents), 'choosing');
    const answer = window.openDialog();
    settle();
    expect(window.done).toEqual([]);
    answer();
    desktop.electron.tell('console:window', senderOf(window.webContents), 'chosen');
    window.blur();
    settle();
    expect(window.done).toEqual(['show', 'focus']);
  });

  it('asks for the keyboard when the dialog is gone and the system gave it to nobody', async () => {
    const window = await kiosk();
    desktop.electron.tell('console:window', senderOf(window.webContents), 'choosing');
    window.openDialog();
    desktop.electron.tell('console:window', senderOf(window.webContents), 'chosen');
    settle();
    expect(window.done).toEqual(['show', 'focus']);
  });

  it('leaves the console’s own dialogs the keyboard too (fact 35)', async () => {
    const window = await kiosk();
    const { electron, options } = desktop;
    const asked = options.dialogs.during(() => electron.asElectron().dialog.showOpenDialog({}));
    expect(window.focused).toBe(false);
    settle();
    expect(window.done).toEqual([]);
    electron.choose(null);
    await asked;
    window.blur();
    settle();
    expect(window.done).toEqual(['show', 'focus']);
  });
});

describe('a kiosk that is left', () => {
  it('ends for good when its administrator leaves it: nothing keeps the program', async () => {
    const { electron, fake } = desktop;
    const control = createDesktopControl({
      electron: electron.asElectron(),
      platform: 'linux',
      versions: {},
      desktop: null,
      updates: null,
      system: trackSystem(systemAtRest),
      crashDumps: { describe: () => 'none' },
      workerLost: () => undefined,
      openWindow: () => undefined,
    });
    const window = await kiosk();
    window.close();
    window.blur();
    expect(window.destroyed).toBe(false);
    control.leave();
    expect(window.destroyed).toBe(true);
    await expect.poll(() => electron.app.exits).toEqual([0]);
    expect(fake.closes).toBe(1);
    desktop.clock.advance(10_000);
    expect(window.done).not.toContain('show');
  });

  it('lets the system end it', async () => {
    const window = await kiosk();
    window.happens('session-end');
    window.close();
    expect(window.destroyed).toBe(true);
  });

  it('lets an update of macOS close it, which quits only afterwards (fact 36)', async () => {
    const window = await kiosk();
    desktop.electron.installUpdate();
    expect(window.destroyed).toBe(true);
    expect(desktop.electron.app.quits).toBe(1);
  });

  it('lets the system shut down, and does not come back while it does', async () => {
    const window = await kiosk();
    desktop.electron.power.emit('shutdown');
    window.minimize();
    expect(window.minimized).toBe(true);
    window.close();
    expect(window.destroyed).toBe(true);
  });

  it('is not kept in a self-test, which is shown without the keyboard', async () => {
    const window = await desktop.run({ policy: operator, selfTest: true });
    window.finishLoad();
    expect(window.done).toEqual(['showInactive']);
    expect(window.kiosk).toBe(false);
    window.close();
    expect(window.destroyed).toBe(true);
  });
});
