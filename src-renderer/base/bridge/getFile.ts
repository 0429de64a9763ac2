import type { Bridge } from './bridge.ts';

/** How long a blob outlives the click that saves it: a browser reads it after the click has returned. */
const keptMs = 60_000;

/**
 * Fetches a file from a byte route and saves it where the operator's browser saves files.
 *
 * @param route path of the route, without a leading slash
 * @returns whether it was fetched and handed on
 */
export async function getFile(bridge: Bridge, route: string, fileName: string): Promise<boolean> {
  let blob: Blob;
  try {
    const response = await fetch(new URL(route, document.baseURI), {
      headers: bridge.routeHeaders(),
      credentials: 'same-origin',
      cache: 'no-store',
    });
    if (!response.ok) return false;
    blob = await response.blob();
  } catch {
    // The console is gone, or ended the answer half-way.
    return false;
  }
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, keptMs);
  return true;
}
