import { spawn } from 'node:child_process';

/**
 * Opens a file of the data folder in the system's browser.
 *
 * Only the file's path stands in the new process's arguments, never a launch code. Resolves to false
 * when there is no screen or no program to open it with.
 */
export function openInBrowser(options: {
  readonly path: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): Promise<boolean> {
  const { path, platform, environment } = options;
  const [program, ...leading] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32.exe', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const hasScreen =
    platform === 'darwin' ||
    platform === 'win32' ||
    Boolean(environment['DISPLAY']) ||
    Boolean(environment['WAYLAND_DISPLAY']);
  if (program === undefined || !hasScreen) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [...leading, path], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}
