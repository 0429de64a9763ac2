import type * as Electron from 'electron';

/**
 * The part of Electron that the desktop host uses. It is passed in and not imported, so that every refusal can be
 * tested without Electron's binary.
 */
export type DesktopElectron = Pick<
  typeof Electron,
  | 'app'
  | 'autoUpdater'
  | 'BrowserWindow'
  | 'crashReporter'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'nativeTheme'
  | 'powerMonitor'
  | 'powerSaveBlocker'
  | 'protocol'
  | 'safeStorage'
  | 'screen'
  | 'session'
  | 'shell'
  | 'Tray'
  | 'utilityProcess'
>;
