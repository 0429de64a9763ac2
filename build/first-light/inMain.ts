/** Functions that steps run in the main process. They know nothing around them but their arguments. */
import type * as Electron from 'electron';

/** Resolves to what a script in the page of a window answers; rejects when its document goes. 0 is the first window. */
export function runInPage(
  electron: typeof Electron,
  { window, script }: { readonly window: number; readonly script: string },
): Promise<unknown> {
  const all = electron.BrowserWindow.getAllWindows().sort((one, other) => one.id - other.id);
  const contents = all[window]?.webContents;
  if (contents === undefined) throw new Error('There is no such window.');
  // A question to a document that is gone may never be answered.
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('The document is gone.'));
    contents.once('did-navigate', gone);
    contents.once('render-process-gone', gone);
    void contents
      .executeJavaScript(script)
      .then(resolve, reject)
      .finally(() => {
        contents.off('did-navigate', gone);
        contents.off('render-process-gone', gone);
      });
  });
}

/** What the key store makes of a text: Chromium's mark of the key, and the text again; null where it encrypts nothing. */
export async function triedKeyStore(
  { safeStorage }: typeof Electron,
  linux: boolean,
): Promise<{ backend: string | null; mark: string; back: string | null }> {
  const backend = linux ? safeStorage.getSelectedStorageBackend() : null;
  const sealed = await safeStorage.encryptStringAsync('first light').catch(() => null);
  if (sealed === null) return { backend, mark: '', back: null };
  const { result } = await safeStorage.decryptStringAsync(sealed);
  return { backend, mark: sealed.subarray(0, 3).toString('latin1'), back: result };
}

/** Opens a box over the first window, and resolves to the number of its answer. */
export async function askedInBox({ BrowserWindow, dialog }: typeof Electron): Promise<number | null> {
  const [window] = BrowserWindow.getAllWindows();
  const closer = new AbortController();
  Object.assign(globalThis, { [Symbol.for('first light: box')]: closer });
  if (window === undefined) return null;
  const box = { message: 'First light', buttons: ['A', 'B'], cancelId: 1, signal: closer.signal };
  return (await dialog.showMessageBox(window, box)).response;
}

/** Closes it, as its signal does. */
export function closeBox(): null {
  (Reflect.get(globalThis, Symbol.for('first light: box')) as AbortController | undefined)?.abort();
  return null;
}

/** Pushes the bytes of `patternOf`, which are made there: as an argument they would be 10 MB of digits. */
export function pushToFirst(
  { BrowserWindow }: typeof Electron,
  { channel, size }: { readonly channel: string; readonly size: number },
): null {
  const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 256);
  BrowserWindow.getAllWindows()[0]?.webContents.send(channel, bytes);
  return null;
}
