import type { ServerResponse } from 'node:http';
import type { Seeded } from '../../../src-main/training/seeded.ts';
import { damage, drawBytes } from './mutations.ts';

/** The file of every case: twelve chunks under nodes of three. */
export const gatewayFile = Uint8Array.from(
  { length: 48_000 },
  (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 13) & 255,
);
export const gatewayChunks = { chunkBytes: 4_000, links: 3 };

/** A whole answer of a gateway that does as it should. */
export interface GoodAnswer {
  readonly type: string;
  readonly bytes: Uint8Array;
}

type Fault = (good: GoodAnswer, response: ServerResponse, draw: Seeded) => void;
const send = (
  response: ServerResponse,
  type: string,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(200, { 'content-type': type, ...headers });
  response.end(bytes);
};

const gatewayFaults: Readonly<Record<string, Fault>> = {
  damaged: ({ type, bytes }, response, draw) => send(response, type, damage(bytes, draw)),
  'cut short': ({ type, bytes }, response, draw) => {
    response.writeHead(200, { 'content-type': type, 'content-length': String(bytes.byteLength) });
    response.write(bytes.subarray(0, draw.below(bytes.byteLength)), () => response.destroy());
  },
  'another length': ({ type, bytes }, response, draw) => {
    response.writeHead(200, { 'content-type': type });
    response.end(bytes.subarray(0, draw.below(bytes.byteLength)));
  },
  'another file': ({ type }, response, draw) => send(response, type, drawBytes(draw, 60_000)),
  'another type': ({ bytes }, response, draw) =>
    send(response, draw.pick(['text/html', 'image/jpeg', 'application/vnd.ipld.raw', '', 'a/b; c']), bytes),
  'a page': (_good, response) => send(response, 'text/html', Buffer.from('<h1>Sign in</h1>')),
  'a status': (_good, response, draw) => {
    const status = draw.pick([
      201, 204, 206, 300, 304, 400, 401, 403, 404, 410, 418, 429, 451, 500, 502, 503, 504, 511,
    ]);
    response.writeHead(status, { 'retry-after': draw.pick(['0', '-1', 'soon', '99999999999']) });
    response.end();
  },
  'led elsewhere': (_good, response, draw) => {
    const location = draw.pick([
      'https://elsewhere.example/',
      '//elsewhere.example',
      '/ipfs/../login',
      '/ipfs/',
      'javascript:1',
      '',
    ]);
    response.writeHead(302, { location });
    response.end();
  },
  'without an end': ({ type }, response, draw) => {
    response.writeHead(200, { 'content-type': draw.pick([type, 'image/jpeg', 'application/vnd.ipld.raw']) });
    const piece = new Uint8Array(65_536).fill(draw.below(256));
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  },
  'a length of terabytes': ({ type }, response) =>
    send(response, type, Uint8Array.of(0x3a, 0xa2, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)),
  encoded: ({ type, bytes }, response, draw) =>
    send(response, type, bytes, { 'content-encoding': draw.pick(['gzip', 'br', 'x']) }),
  silent: (_good, response, draw) => {
    if (draw.below(2) === 0) response.writeHead(200, { 'content-type': 'image/jpeg' }).write('x');
  },
  good: ({ type, bytes }, response) => send(response, type, bytes),
};

/** How one gateway answers during a case: mostly in one way, and it may change its mind between two requests. */
export function drawFaults(draw: Seeded): () => Fault {
  const names = Object.keys(gatewayFaults) as [string, ...string[]];
  // A silent one costs time, and is drawn seldom.
  const chosen = names.map((name) => (name === 'silent' && draw.below(12) > 0 ? 'damaged' : name));
  const pick = (): string => draw.pick(chosen as [string, ...string[]]);
  const first = pick();
  return () => gatewayFaults[draw.below(4) === 0 ? pick() : first] ?? (() => undefined);
}
