import type { BrowserWindow, ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { DesktopElectron } from './electron.ts';
import type { Words } from './words.ts';

type Items = MenuItemConstructorOptions[];
const separator = { type: 'separator' } as const;

const editMenu = ({ text }: Pick<Words, 'text'>): MenuItemConstructorOptions => ({
  label: text('menu.edit'),
  submenu: [
    { role: 'undo', label: text('menu.undo') },
    { role: 'redo', label: text('menu.redo') },
    separator,
    { role: 'cut', label: text('menu.cut') },
    { role: 'copy', label: text('menu.copy') },
    { role: 'paste', label: text('menu.paste') },
    { role: 'selectAll', label: text('menu.selectAll') },
  ],
});

/** The first menu. On a Mac the system calls it by the application's name, and expects more in it. */
function applicationMenu(
  platform: NodeJS.Platform,
  { text }: Pick<Words, 'text'>,
  click: () => void,
): MenuItemConstructorOptions {
  const about: Items = [{ role: 'about', label: text('menu.about') }, separator];
  // Not the role, which would not ask about unsent files (askBeforeClosing.ts).
  const quit: Items = [{ label: text('menu.quit'), accelerator: 'CommandOrControl+Q', click }];
  if (platform !== 'darwin') return { label: text('menu.console'), submenu: [...about, ...quit] };
  const system: Items = [
    { role: 'services', label: text('menu.services') },
    separator,
    { role: 'hide', label: text('menu.hide') },
    { role: 'hideOthers', label: text('menu.hideOthers') },
    { role: 'unhide', label: text('menu.showAll') },
    separator,
  ];
  return { label: 'Field Console', submenu: [...about, ...system, ...quit] };
}

/**
 * The menu: the standard roles for editing and windows, so that their keys work, and zoom; no reload and no developer
 * tools. Null for a kiosk, which has none. On a Mac the clipboard's keys belong to the menu, so a kiosk there has a
 * menu for editing only, in a hidden menu bar.
 */
export function menuTemplate(options: {
  readonly platform: NodeJS.Platform;
  readonly development: boolean;
  readonly kiosk: boolean;
  /** The entries that change the size of the page. */
  readonly zoom: Items;
  /** Ends the console as the closing of its window does. */
  readonly quit: () => void;
  readonly words: Pick<Words, 'text'>;
}): Items | null {
  const { platform, development, kiosk, zoom, quit, words } = options;
  const { text } = words;
  const edit = editMenu(words);
  if (kiosk) return platform === 'darwin' ? [{ label: 'Field Console', submenu: [] }, edit] : null;
  const view: Items = [...zoom, separator, { role: 'togglefullscreen', label: text('menu.fullScreen') }];
  if (development) view.push(separator, { role: 'toggleDevTools' });
  return [
    applicationMenu(platform, words, quit),
    edit,
    { label: text('menu.view'), submenu: view },
    {
      label: text('menu.window'),
      submenu: [
        { role: 'minimize', label: text('menu.minimize') },
        { role: 'close', label: text('menu.close') },
      ],
    },
  ];
}

/** The entries of a right click: the clipboard, and in a kiosk only copying. */
function contextItems(
  params: Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>,
  kiosk: boolean,
  { text }: Pick<Words, 'text'>,
): Items {
  const { isEditable, selectionText, editFlags } = params;
  const selected = selectionText.trim() !== '' && editFlags.canCopy;
  if (!isEditable || kiosk) return selected ? [{ role: 'copy', label: text('menu.copy') }] : [];
  return [
    { role: 'cut', label: text('menu.cut'), enabled: editFlags.canCut },
    { role: 'copy', label: text('menu.copy'), enabled: editFlags.canCopy },
    { role: 'paste', label: text('menu.paste'), enabled: editFlags.canPaste },
    separator,
    { role: 'selectAll', label: text('menu.selectAll'), enabled: editFlags.canSelectAll },
  ];
}

/** Shows the window's context menu if it has entries. */
export function offerContextMenu(options: {
  readonly electron: Pick<DesktopElectron, 'Menu'>;
  readonly window: BrowserWindow;
  readonly kiosk: boolean;
  readonly words: Pick<Words, 'text'>;
}): void {
  const { electron, window, kiosk, words } = options;
  window.webContents.on('context-menu', (_event, params) => {
    const items = contextItems(params, kiosk, words);
    if (items.length > 0) electron.Menu.buildFromTemplate(items).popup({ window });
  });
}
