import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const largestWhole = 1_048_576;

/** A request's body: read once, while it comes, and digested on the way. */
export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #request: IncomingMessage;
  readonly #hash;
  #ended = false;

  /** The digest covers `target` as well: a key names one request, and not only its body. */
  constructor(request: IncomingMessage, target: string) {
    this.#request = request;
    this.#hash = createHash('sha256').update(target).update('\n');
  }

  /** What is left of it. Rejects when the client went away. A reader that stops early destroys nothing. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (this.#ended) return;
    const chunks = this.#request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    for await (const chunk of chunks) {
      this.#hash.update(chunk);
      yield chunk;
    }
    this.#ended = true;
  }

  /** Reads and drops what is left. False when the client went away. */
  async drain(): Promise<boolean> {
    return (await this.#take(() => undefined)) !== null;
  }

  /** Reads until at least `bytes` have come, or to the end. */
  async upTo(bytes: number): Promise<void> {
    let received = 0;
    try {
      if (bytes > 0) for await (const chunk of this) if ((received += chunk.byteLength) >= bytes) return;
    } catch {
      // The client went away first: that cuts the request as well.
    }
  }

  /** All of it in memory; null when the client went away while sending it. */
  async whole(): Promise<Uint8Array | 'too-large' | null> {
    const chunks: Uint8Array[] = [];
    const size = await this.#take((chunk, received) => {
      if (received <= largestWhole) chunks.push(chunk);
    });
    if (size === null) return null;
    return size > largestWhole ? 'too-large' : Buffer.concat(chunks);
  }

  /** SHA-256 of target and body, hexadecimal; to be asked once, after the end. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  async #take(see: (chunk: Uint8Array, received: number) => void): Promise<number | null> {
    let received = 0;
    try {
      for await (const chunk of this) see(chunk, (received += chunk.byteLength));
      return received;
    } catch {
      return null;
    }
  }
}
