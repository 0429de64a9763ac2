import type { DesktopElectron } from './electron.ts';

/**
 * Opens an address in the system's browser: a second look at what the core asks for, since the system
 * starts whatever program an address of another kind belongs to. False when it was not opened.
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
