import type * as Electron from 'electron';

/**
 * The part of Electron that the desktop host uses, handed in rather than imported, so that every
 * refusal can be tested where Electron's binary is not.
 */
export type DesktopElectron = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'crashReporter'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'powerMonitor'
  | 'powerSaveBlocker'
  | 'protocol'
  | 'safeStorage'
  | 'screen'
  | 'session'
  | 'shell'
  | 'Tray'
>;
