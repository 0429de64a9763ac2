import type { MenuItemConstructorOptions } from 'electron';

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
 * The menu: standard editing and window roles, so that their keys work, and zoom; no reload, no tools. A
 * kiosk has none: null. On a Mac the clipboard's keys are the menu's own, so there it keeps editing
 * alone, in a menu bar that the kiosk hides.
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
