import type { BrowserWindow, ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { DesktopElectron } from './electron.ts';

const edit: MenuItemConstructorOptions = {
  label: 'Edit',
  submenu: [
    { role: 'undo' },
    { role: 'redo' },
    { type: 'separator' },
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
  ],
};

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
  readonly zoom: MenuItemConstructorOptions[];
}): MenuItemConstructorOptions[] | null {
  const { platform, development, kiosk, zoom } = options;
  if (kiosk) return platform === 'darwin' ? [{ label: 'Field Console', submenu: [] }, edit] : null;
  const view: MenuItemConstructorOptions[] = [...zoom, { type: 'separator' }, { role: 'togglefullscreen' }];
  if (development) view.push({ type: 'separator' }, { role: 'toggleDevTools' });
  return [
    platform === 'darwin' ? { role: 'appMenu' } : { label: 'Console', submenu: [{ role: 'quit' }] },
    edit,
    { label: 'View', submenu: view },
    { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'close' }] },
  ];
}

/** The entries of a right click: the clipboard, and in a kiosk only copying. */
function contextItems(
  params: Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>,
  kiosk: boolean,
): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, editFlags } = params;
  const selected = selectionText.trim() !== '' && editFlags.canCopy;
  if (!isEditable || kiosk) return selected ? [{ role: 'copy' }] : [];
  return [
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}

/** Shows the window's context menu if it has entries. */
export function offerContextMenu(options: {
  readonly electron: Pick<DesktopElectron, 'Menu'>;
  readonly window: BrowserWindow;
  readonly kiosk: boolean;
}): void {
  const { electron, window, kiosk } = options;
  window.webContents.on('context-menu', (_event, params) => {
    const items = contextItems(params, kiosk);
    if (items.length > 0) electron.Menu.buildFromTemplate(items).popup({ window });
  });
}
