import type { Bridge } from './bridge.ts';

/** The status with which a host answers a file that was received and not taken. */
const refused = 422;

/**
 * Sends a file to a byte route in pieces from wherever it lies, whatever its size: no host reads it whole.
 * How far it is and how it ended are said by the console's state; this only tells whether it was carried.
 *
 * @param route path of the route, without a leading slash
 */
export const putFile = async (bridge: Bridge, route: string, file: Blob): Promise<boolean> =>
  (await put(bridge, route, file))?.ok === true;

/** The answer; null where the console cancelled it, or was lost with it. */
async function put(bridge: Bridge, route: string, file: Blob): Promise<Response | null> {
  try {
    return await fetch(new URL(route, document.baseURI), {
      method: 'PUT',
      headers: bridge.routeHeaders(),
      credentials: 'same-origin',
      // An empty Blob is refused by Electron; a request without a body means the same in both hosts.
      ...(file.size === 0 ? {} : bridge.routeBody(file)),
    });
  } catch {
    return null;
  }
}

/** A connection may break once without a fault of anybody's; a file that can't be read stays so. */
const attempts = 3;
const betweenAttemptsMs = 1_000;

/**
 * Sends a file that the console waits for, again where that fails.
 *
 * @param isAwaited whether the console still waits for it.
 * @returns `over` where the console has it, has refused it, or its operator has cancelled it; `unreadable` where it
 *   never reached the console, which still waits for it: it was moved, or its disk unplugged.
 */
export async function putAwaitedFile(
  bridge: Bridge,
  route: string,
  file: Blob,
  isAwaited: () => boolean,
): Promise<'sent' | 'over' | 'unreadable'> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const answer = await put(bridge, route, file);
    if (answer?.ok === true) return 'sent';
    if (answer?.status === refused) return 'over';
    await new Promise((resolve) => setTimeout(resolve, betweenAttemptsMs));
    if (!isAwaited()) return 'over';
  }
  return 'unreadable';
}
