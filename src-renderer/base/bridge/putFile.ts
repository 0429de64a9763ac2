import type { Bridge } from './bridge.ts';

/**
 * Sends a file to a byte route in pieces from wherever it lies, whatever its size: no host reads it whole.
 * How far it is and how it ended are said by the console's state; this only tells whether it was carried.
 *
 * @param route path of the route, without a leading slash
 */
export async function putFile(bridge: Bridge, route: string, file: Blob): Promise<boolean> {
  try {
    const response = await fetch(new URL(route, document.baseURI), {
      method: 'PUT',
      headers: bridge.routeHeaders(),
      credentials: 'same-origin',
      // An empty Blob is refused by Electron; a request without a body means the same in both hosts.
      ...(file.size === 0 ? {} : bridge.routeBody(file)),
    });
    return response.ok;
  } catch {
    // Cancelled by the console, or lost with it.
    return false;
  }
}
