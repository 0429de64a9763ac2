import type { BrowserWindow, ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { DesktopElectron } from './electron.ts';

/** What a right click offers: the clipboard, and in a kiosk only what copies. */
export function contextItems(
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

/** Shows the window's context menu where it offers anything. */
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
