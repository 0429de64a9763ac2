import { failed, ok, type Failure, type Result } from '../../../src-preload/contract/index.ts';
import type { Bridge } from './bridge.ts';

/** How long a blob outlives the click that saves it: a browser reads it after the click has returned. */
const keptMs = 60_000;

/** Fetches a file from a byte route; null where it could not be. `route`: without a leading slash. */
export async function fetchFile(bridge: Bridge, route: string): Promise<Blob | null> {
  try {
    const response = await fetch(new URL(route, document.baseURI), {
      headers: bridge.routeHeaders(),
      credentials: 'same-origin',
      cache: 'no-store',
    });
    return response.ok ? await response.blob() : null;
  } catch {
    // The console is gone, or ended the answer half-way.
    return null;
  }
}

/** Saves a file where the operator's browser saves files. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, keptMs);
}

/**
 * Fetches a file from a byte route and saves it.
 *
 * @param route path of the route, without a leading slash
 * @returns whether it was fetched and handed on
 */
export async function getFile(bridge: Bridge, route: string, fileName: string): Promise<boolean> {
  const file = await fetchFile(bridge, route);
  if (file !== null) saveFile(file, fileName);
  return file !== null;
}

/** Saves the file that the console prepared under an address of the route of exports; else why not. */
export async function savePrepared(
  bridge: Bridge,
  prepared: Promise<Result<{ readonly exportId: string; readonly fileName: string }>>,
  notSaved: Failure,
): Promise<Result<null>> {
  const result = await prepared;
  if (!result.ok) return result;
  const { exportId, fileName } = result.value;
  return (await getFile(bridge, `export/${exportId}`, fileName)) ? ok(null) : failed(notSaved);
}
