import type { App } from 'electron';

/**
 * The system binds the key of `device.secret` on Linux and macOS to this name, in the entry "<name> Safe Storage"
 * (docs/adr/0001). With another name here, no vault on any computer would open.
 */
const shippedName = 'Field Console';
/** Development must not use the key of an installed console. */
const developmentName = 'Field Console Development';

/**
 * Windows groups windows and notifications by this id, which is the installer's (build/electron-builder.ts). With
 * another one, a notification would create another shortcut.
 */
const applicationId = 'org.fieldconsole.app';

/**
 * Windows starts the program of this entry after a click on a notification. Without an id Electron makes another entry
 * at each start, which no uninstaller finds (build/windows/installer.nsh).
 */
const toastActivator = '{6E0B9C52-7D1A-4C3E-9A54-2F8D1B7C6E31}';

/** Whose key this process uses. */
export type KeyOwner = 'shipped' | 'development';

/** Names the application. Chromium reads the name before Electron is ready and never again, so this comes first. */
export function nameApplication(
  app: Pick<App, 'setAppUserModelId' | 'setName' | 'setToastActivatorCLSID'>,
  owner: KeyOwner,
  platform: NodeJS.Platform,
): void {
  if (platform === 'win32') {
    app.setAppUserModelId(owner === 'development' ? `${applicationId}.development` : applicationId);
    if (owner === 'shipped') app.setToastActivatorCLSID(toastActivator);
  }
  app.setName(owner === 'development' ? developmentName : shippedName);
}
