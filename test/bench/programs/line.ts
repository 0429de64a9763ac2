/**
 * A training service behind a slow line, in a process of its own. The one argument is a `LineService`. Ends with its
 * parent, and answers each message with a `LineCarried`.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { syntheticIncidents } from '../../support/dataset.ts';
import { fieldLine, Line, type LineOptions } from '../../support/line/line.ts';
import { openLineRelay } from '../../support/line/relay.ts';
import { startTraining } from '../../support/training/index.ts';
import type { ServiceReady } from './service.ts';

export interface LineService {
  readonly incidents: number;
  readonly evidence: number;
  readonly gzip: boolean;
  /** Lists have an ETag, and come as a 304 while they are the same. */
  readonly validators: boolean;
  /** Of the line: a modem's is single. */
  readonly queue: LineOptions['queue'];
}

export interface LineReady extends ServiceReady {
  /** Bytes of each page of incidents, newest first, and of the list of evidence, as they go over the line. */
  readonly pages: readonly number[];
  readonly evidence: number;
  /** Ids of missions that wait for a decision. */
  readonly missions: readonly string[];
}

export interface LineCarried {
  /** Bytes of answers with incidents or evidence, without heads. */
  readonly lists: number;
  readonly requests: number;
  readonly uploads: number;
  readonly connections: number;
  /** The longest time without an answer with incidents since the last message, milliseconds. */
  readonly longestMs: number;
  /** Bytes on the line, with those of packets. */
  readonly up: number;
  readonly down: number;
}

const asked = JSON.parse(process.argv[2] ?? '') as LineService;
const pageLimit = 200;
/** Every so many incidents one is critical and open: the week has none. */
const perCritical = 40;
const dataset = syntheticIncidents(asked.incidents).map((incident, index) =>
  index % perCritical === 0 ? { ...incident, severity: 'critical', status: 'open' } : incident,
);
const clock = createClock();
const service = await startTraining({
  clock,
  seed: 7,
  dataset,
  switches: { arrivals: false, integrationScript: false, pageLimit, evidenceWithCursor: false },
});
while (service.evidence().length < asked.evidence) service.addEvidence();

let [lists, requests, uploads] = [0, 0, 0];
let [listedAt, longestMs] = [performance.now(), 0];
const waited = (): number => Math.max(longestMs, performance.now() - listedAt);
const packed = (body: Uint8Array): Uint8Array => (asked.gzip ? gzipSync(body) : body);
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** Stands before both APIs, since they do not compress. */
async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = incoming;
  requests += 1;
  if (path.startsWith('/storage')) uploads += 1;
  const toCoordination = /^\/(?:storage|admin)/.test(path);
  const answer = await request(
    `${toCoordination ? service.coordinationUrl : service.infrastructureUrl}${path}`,
    {
      dispatcher: agent,
      method: method as 'GET',
      headers: { ...headers, connection: undefined },
      body: method === 'GET' ? null : incoming,
    },
  );
  const body = new Uint8Array(await answer.body.arrayBuffer());
  const isList = /^\/(?:incidents|evidence)/.test(path) && answer.statusCode === 200;
  if (asked.validators && isList) {
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    response.setHeader('etag', etag);
    if (headers['if-none-match'] === etag) {
      response.writeHead(304, { date: String(answer.headers['date']) }).end();
      return;
    }
  }
  const sent = answer.statusCode === 200 ? packed(body) : body;
  if (isList) lists += sent.byteLength;
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !/^(?:connection|keep-alive|content-length|transfer-encoding)$/.test(name))
      response.setHeader(name, value);
  }
  if (sent !== body) response.setHeader('content-encoding', 'gzip');
  if (path.startsWith('/incidents')) [longestMs, listedAt] = [waited(), performance.now()];
  response.writeHead(answer.statusCode, { 'content-length': sent.byteLength });
  response.end(sent);
}

const front = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (incoming, response) => {
  forward(incoming, response).catch(() => response.destroy());
});
front.listen(0, '127.0.0.1');
await once(front, 'listening');
const line = new Line({ clock, ...fieldLine, queue: asked.queue });
const relay = await openLineRelay(line, `http://127.0.0.1:${String((front.address() as AddressInfo).port)}`);

const newestFirst = [...service.incidents().values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
const bytesOf = (rows: readonly unknown[]): number => packed(Buffer.from(JSON.stringify(rows))).byteLength;
const pages: number[] = [];
for (let at = 0; at < newestFirst.length; at += pageLimit)
  pages.push(bytesOf(newestFirst.slice(at, at + pageLimit)));

process.on('message', () => {
  const { connections, up, down } = line.carried;
  const known = { lists, requests, uploads, connections, longestMs: waited(), up, down };
  process.send?.(known satisfies LineCarried);
  longestMs = 0;
});
process.on('disconnect', () => process.exit());
process.send?.({
  infrastructureUrl: relay.url,
  coordinationUrl: relay.url,
  credentials: service.credentials,
  pages,
  evidence: bytesOf(service.evidence()),
  missions: Array.from({ length: 12 }, () => service.addMission()),
} satisfies LineReady);
