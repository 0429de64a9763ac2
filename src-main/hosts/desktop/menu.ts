import type { MenuItemConstructorOptions } from 'electron';

/** The menu: standard editing, zoom and window roles, so that their keys work; no reload, no tools. */
export function menuTemplate(options: {
  readonly platform: NodeJS.Platform;
  readonly development: boolean;
}): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  if (options.development) view.push({ type: 'separator' }, { role: 'toggleDevTools' });
  return [
    options.platform === 'darwin' ? { role: 'appMenu' } : { label: 'Console', submenu: [{ role: 'quit' }] },
    {
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
    },
    { label: 'View', submenu: view },
    { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'close' }] },
  ];
}
