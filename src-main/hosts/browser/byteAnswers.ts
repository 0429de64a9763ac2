import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import { answerBytes, type ByteStream } from '../byteRoutes.ts';

/** How long an admitted page may leave sent bytes unread, in milliseconds. */
const takenWithinMs = 60_000;

/** Answers a byte route of an admitted page. `pathname` is the route. */
export async function carryBytes(
  { app, clock }: { readonly app: App; readonly clock: Clock },
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<void> {
  // Leaving the loop must not close the connection before the answer.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  const bytes = await answerBytes(app, {
    method: request.method ?? '',
    pathname,
    range: request.headers.range ?? null,
    body,
  });
  // The unread rest of the body must not become the next request.
  if (!request.complete) response.shouldKeepAlive = false;
  if (!(bytes.body instanceof Uint8Array)) {
    response.writeHead(bytes.status, bytes.headers);
    await pour(bytes.body, response, clock);
    return;
  }
  if (bytes.status === 204) response.writeHead(204, bytes.headers);
  else {
    response.writeHead(bytes.status, { ...bytes.headers, 'content-length': String(bytes.body.byteLength) });
  }
  response.once(
    'close',
    clock.schedule(takenWithinMs, () => response.destroy()),
  );
  response.end(bytes.status === 204 ? undefined : bytes.body);
  if (!request.complete) response.once('finish', () => request.destroy());
}

/**
 * Sends bytes while they are made, no faster than they are read. Never rejects: after an error the connection is cut,
 * which shows the receiver that the bytes are incomplete. The same happens when no piece is read for `takenWithinMs`.
 * Making a piece may take any time.
 */
async function pour({ pieces, signal }: ByteStream, into: Writable, clock: Clock): Promise<void> {
  let cancel = (): void => undefined;
  const limit = (): void => {
    cancel = clock.schedule(takenWithinMs, () => into.destroy());
  };
  const limited = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      limit();
      yield piece;
      cancel();
    }
    limit();
  };
  try {
    await pipeline(Readable.from(limited(), { objectMode: true, highWaterMark: 1 }), into, { signal });
  } catch {
    into.destroy();
  } finally {
    cancel();
  }
}
