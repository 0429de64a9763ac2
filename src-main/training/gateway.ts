import { CarWriter } from '@ipld/car';
import { CID } from 'multiformats/cid';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { Clock } from '../core/base/ports.ts';
import type { Evidence } from './evidence.ts';
import { closeServer, createBoundedServer, listenOn } from './listener.ts';

/** Between two pieces of a slow answer, and how large they are. */
const slowMs = 120;
const slowBytes = 6 * 1024;
const endlessBytes = 64 * 1024;
const prefix = '/ipfs/';

/**
 * Training's gateway on loopback: every file of its evidence, as a CAR, as a block or as bytes, and the faults of gateways
 * that operators meet. Every file of training is one block.
 */
export class TrainingGateway {
  readonly #clock: Clock;
  readonly #switches: () => TrainingSwitches;
  readonly #evidence: Evidence;
  readonly #server: Server;
  /** Any free one at first. */
  #port = 0;

  constructor(clock: Clock, switches: () => TrainingSwitches, evidence: Evidence) {
    this.#clock = clock;
    this.#switches = switches;
    this.#evidence = evidence;
    this.#server = createBoundedServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** What a CID is appended to. */
  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}${prefix}`;
  }

  /** Rejects when the port is taken. */
  async open(): Promise<void> {
    if (!this.#server.listening) this.#port = await listenOn(this.#server, this.#port);
  }

  shut(): Promise<void> {
    return closeServer(this.#server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const name = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : '';
    const bytes = this.#evidence.file(name);
    const { gatewayFault } = this.#switches();
    if (this.#answersInstead(gatewayFault, response)) return;
    if (bytes === null) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n');
      return;
    }
    const form = gatewayFault === 'bytes-only' ? null : url.searchParams.get('format');
    // The last byte is another one: the hash is not the CID's.
    const given = gatewayFault === 'other-bytes' ? Uint8Array.from(bytes) : bytes;
    if (given !== bytes) given[given.byteLength - 1] = (given.at(-1) ?? 0) ^ 0xff;
    const cid = CID.parse(name);
    const whole = form === 'car' ? await carOf(cid, given) : given;
    const type =
      form === 'car'
        ? 'application/vnd.ipld.car; version=1'
        : form === 'raw'
          ? 'application/vnd.ipld.raw'
          : 'image/jpeg';
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': String(whole.byteLength) });
    if (gatewayFault === 'cut')
      response.write(whole.subarray(0, whole.byteLength >> 1), () => response.destroy());
    else if (gatewayFault === 'slow') this.#trickle(response, whole, 0);
    else response.end(whole);
  }

  /** Whether the fault has answered, or leaves the request without an answer. */
  #answersInstead(fault: TrainingSwitches['gatewayFault'], response: ServerResponse): boolean {
    switch (fault) {
      case 'hang':
        return true;
      case 'error-500':
        response.writeHead(500, { 'Content-Type': 'text/plain' }).end('Something failed\n');
        return true;
      case 'too-many-requests':
        response.writeHead(429, { 'Retry-After': '20' }).end();
        return true;
      case 'captive-portal':
        response
          .writeHead(200, { 'Content-Type': 'text/html' })
          .end('<!doctype html><title>Guest network</title><h1>Welcome</h1>');
        return true;
      case 'leads-away':
        response.writeHead(302, { Location: 'https://elsewhere.example/' }).end();
        return true;
      case 'endless':
        response.writeHead(200, { 'Content-Type': 'application/vnd.ipld.car; version=1' });
        this.#pour(response);
        return true;
      case 'none':
      case 'slow':
      case 'cut':
      case 'bytes-only':
      case 'other-bytes':
        return false;
    }
  }

  #trickle(response: ServerResponse, bytes: Uint8Array, from: number): void {
    if (response.destroyed) return;
    response.write(bytes.subarray(from, from + slowBytes));
    if (from + slowBytes >= bytes.byteLength) response.end();
    else this.#clock.schedule(slowMs, () => this.#trickle(response, bytes, from + slowBytes));
  }

  #pour(response: ServerResponse): void {
    while (!response.destroyed && response.write(new Uint8Array(endlessBytes).fill(0x7f)));
    if (!response.destroyed) response.once('drain', () => this.#pour(response));
  }
}

async function carOf(cid: CID, bytes: Uint8Array): Promise<Uint8Array> {
  const { writer, out } = CarWriter.create([cid]);
  const parts: Uint8Array[] = [];
  const reading = (async () => {
    for await (const part of out) parts.push(part);
  })();
  await writer.put({ cid, bytes });
  await writer.close();
  await reading;
  return Buffer.concat(parts);
}
