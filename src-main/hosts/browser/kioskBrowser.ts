import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

/** Programs of browsers with the necessary kiosk mode. The first that is installed is used. */
const linuxNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const windowsPaths = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
const windowsRoots = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'];

function candidates(platform: NodeJS.Platform, environment: Environment): string[] {
  if (platform === 'darwin') return macPaths;
  if (platform === 'win32') {
    return windowsRoots.flatMap((name) => {
      const root = environment[name];
      return root === undefined ? [] : windowsPaths.map((path) => `${root}\\${path}`);
    });
  }
  const folders = (environment['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return linuxNames.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** The installed Chromium, Chrome or Edge; null for none. */
export async function findBrowser(options: {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
}): Promise<string | null> {
  for (const path of candidates(options.platform, options.environment)) {
    const usable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return path;
  }
  return null;
}

/**
 * The arguments of a kiosk's browser. `page` is a file with the address, because every process of the machine can read
 * arguments. `profile` is a separate folder that is removed afterwards.
 */
export function kioskArguments(options: {
  readonly profile: string;
  readonly page: string;
  readonly environment: Environment;
}): string[] {
  const { profile, page, environment } = options;
  const onWayland = Boolean(environment['WAYLAND_DISPLAY']) && !environment['DISPLAY'];
  return [
    `--user-data-dir=${profile}`,
    '--kiosk',
    `--app=${pathToFileURL(page).href}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--hide-crash-restore-bubble',
    '--noerrdialogs',
    '--disable-sync',
    '--disable-extensions',
    '--disable-component-update',
    '--disable-pinch',
    '--overscroll-history-navigation=0',
    // No offer to translate the console's texts.
    '--disable-features=Translate',
    // No question for the key of a system's key ring: the profile stores nothing secret.
    '--password-store=basic',
    // A display must play alarms although no touch or key came since the start.
    '--autoplay-policy=no-user-gesture-required',
    ...(onWayland ? ['--ozone-platform=wayland'] : []),
  ];
}

/** Settings of the profile that no argument sets: the browser offers neither to save nor to fill in anything. */
export const profilePreferences = JSON.stringify({
  credentials_enable_service: false,
  profile: { password_manager_enabled: false },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  browser: { has_seen_welcome_page: true },
});
