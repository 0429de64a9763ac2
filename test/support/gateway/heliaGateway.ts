import { car } from '@helia/car';
import { MemoryBlockstore } from 'blockstore-core';
import { importer } from 'ipfs-unixfs-importer';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import { balanced } from 'ipfs-unixfs-importer/layout';
import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the gateway does with the next requests, instead of answering them. */
export type GatewayFault = (request: IncomingMessage, response: ServerResponse) => boolean;

const logger = {
  forComponent: () =>
    Object.assign(() => undefined, {
      error: () => undefined,
      trace: () => undefined,
      enabled: false,
      newScope: () => undefined,
    }),
};

/**
 * A trustless gateway on loopback over a store of blocks. Its CARs are written by Helia (`@helia/car`), the blocks by the
 * importer that Helia adds files with: an answer is not made by the code that is tested with it.
 */
export class HeliaGateway {
  readonly blocks = new MemoryBlockstore();
  readonly asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
  /** Whether it answers in the forms that prove themselves, or with bytes only. */
  isTrustless = true;
  fault: GatewayFault | null = null;
  readonly #files = new Map<string, Uint8Array>();
  readonly #server: Server;
  readonly #car = car({
    blockstore: this.blocks,
    logger: logger as never,
    getCodec: ((code: number) => (code === dagPb.code ? dagPb : raw)) as never,
  });

  private constructor() {
    this.#server = createServer((request, response) => {
      this.asked.push({ path: request.url ?? '', headers: request.headers });
      if (this.fault?.(request, response)) return;
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<HeliaGateway> {
    const gateway = new HeliaGateway();
    await new Promise<void>((resolve) => gateway.#server.listen(0, '127.0.0.1', resolve));
    return gateway;
  }

  /** The address that a CID is appended to. */
  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/ipfs/`;
  }

  /** Adds a file in chunks of `chunkBytes` under nodes of `links` children, and gives its CID. */
  async add(
    bytes: Uint8Array,
    { chunkBytes = 262_144, links = 174, cidVersion = 1 as 0 | 1 } = {},
  ): Promise<string> {
    let root = '';
    const store = { get: this.blocks.get.bind(this.blocks), put: this.blocks.put.bind(this.blocks) };
    for await (const entry of importer([{ content: [bytes] }], store as never, {
      cidVersion,
      rawLeaves: cidVersion === 1,
      chunker: fixedSize({ chunkSize: chunkBytes }),
      layout: balanced({ maxChildrenPerNode: links }),
    })) {
      root = entry.cid.toString();
    }
    this.#files.set(root, bytes);
    return root;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    const name = url.pathname.replace('/ipfs/', '');
    const form = this.isTrustless ? url.searchParams.get('format') : null;
    if (form === 'raw') {
      const parts: Uint8Array[] = [];
      for await (const part of this.blocks.get(CID.parse(name))) parts.push(part);
      response.writeHead(200, { 'content-type': 'application/vnd.ipld.raw' });
      response.end(Buffer.concat(parts));
      return;
    }
    if (form === 'car') {
      response.writeHead(200, { 'content-type': 'application/vnd.ipld.car; version=1' });
      for await (const part of this.#car.export(CID.parse(name))) {
        if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve));
      }
      response.end();
      return;
    }
    const bytes = this.#files.get(name);
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': 'image/jpeg',
      'content-length': String(bytes.byteLength - from),
      ...(from > 0 && {
        'content-range': `bytes ${String(from)}-${String(bytes.byteLength - 1)}/${String(bytes.byteLength)}`,
      }),
    });
    response.end(bytes.subarray(from));
  }
}
