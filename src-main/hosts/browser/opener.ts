import { spawn } from 'node:child_process';

/**
 * Opens the launch file of the data folder, or the address of a gateway, in the system's browser.
 *
 * Only that path or address is in the new process's arguments, never a launch code. Resolves to false when there is no
 * screen or no program to open it with.
 */
export function openInBrowser(options: {
  readonly target: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): Promise<boolean> {
  const { target, platform, environment } = options;
  const [program, ...leading] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32.exe', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  if (program === undefined || !hasScreen(platform, environment)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [...leading, target], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

/** Whether there is a screen for a window. */
export const hasScreen = (
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): boolean =>
  platform === 'darwin' ||
  platform === 'win32' ||
  Boolean(environment['DISPLAY']) ||
  Boolean(environment['WAYLAND_DISPLAY']);
