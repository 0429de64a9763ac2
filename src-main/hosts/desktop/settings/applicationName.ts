import type { App } from 'electron';

/**
 * The name to which the system ties the key of `device.secret` on Linux and macOS: the entry
 * "<name> Safe Storage" (docs/adr/0001). Another name here locks every vault of every station.
 */
const shippedName = 'Field Console';
/** Development opens no station's key. */
const developmentName = 'Field Console Development';
/** The name that Electron had when `npm start` gave it a file: secrets sealed then are still to be opened. */
const formerName = 'Electron';

/**
 * What Windows groups windows and notifications by: the installer's (build/electron-builder.mjs). With another one a
 * notification would make a shortcut of its own.
 */
const applicationId = 'org.fieldconsole.app';

/** Whose key this process uses: the shipped application's, development's, or that of starts long ago. */
export type KeyOwner = 'shipped' | 'development' | 'former';

/**
 * Names the application. Chromium takes the name before Electron is ready and keeps it, so this comes before
 * everything else.
 */
export function nameApplication(
  app: Pick<App, 'setAppUserModelId' | 'setName'>,
  owner: KeyOwner,
  platform: NodeJS.Platform,
): void {
  if (platform === 'win32') {
    app.setAppUserModelId(owner === 'development' ? `${applicationId}.development` : applicationId);
  }
  switch (owner) {
    case 'shipped':
      app.setName(shippedName);
      break;
    case 'development':
      app.setName(developmentName);
      break;
    case 'former':
      app.setName(formerName);
      break;
  }
}
