import type { DesktopElectron } from './electron.ts';

/**
 * Opens an address in the system's browser. Checks it a second time after the core, since for an address of another
 * kind the system starts other programs. False when it was not opened.
 */
export async function openExternal(
  shell: Pick<DesktopElectron['shell'], 'openExternal'>,
  url: string,
): Promise<boolean> {
  if (!isPlainHttps(url)) return false;
  try {
    await shell.openExternal(url);
    return true;
  } catch {
    return false;
  }
}

function isPlainHttps(url: string): boolean {
  if (!URL.canParse(url) || url.length > 4_096) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '';
}
