import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import process from 'node:process';
import { TLSSocket } from 'node:tls';
import { patience } from './patience.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Requests of Node that end in real time, as `process.getActiveResourcesInfo()` names them. */
const requests = new Set([
  'CloseReq',
  'FSReqCallback',
  'FSReqPromise',
  'FileHandleCloseReq',
  'GetAddrInfoReqWrap',
  'Immediate',
  'PipeConnectWrap',
  'ShutdownWrap',
  'TCPConnectWrap',
  'WriteWrap',
]);

/** Also of threads, each listed while it is referenced: the console references one that owes an answer. */
const threadsIn = (resources: string[]): number =>
  resources.filter((resource) => resource === 'MessagePort').length;
const ownPorts = threadsIn(process.getActiveResourcesInfo());

/** Both ends of the plain connections that this thread has to itself: those of TLS count other bytes. */
const ends = { clients: new Set<Socket>(), servers: new Set<Socket>() };
const pairs = new Map<Socket, Socket>();

subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  if (!(socket instanceof TLSSocket)) ends.clients.add(socket);
});
subscribe('net.server.socket', (message) => ends.servers.add((message as { socket: Socket }).socket));

function pairEnds(): void {
  for (const client of ends.clients) {
    if (client.connecting) continue;
    for (const server of ends.servers) {
      if (server.remotePort !== client.localPort || server.localPort !== client.remotePort) continue;
      pairs.set(client, server);
      ends.servers.delete(server);
      break;
    }
    if (client.destroyed || pairs.has(client)) ends.clients.delete(client);
  }
  for (const server of ends.servers) if (server.destroyed) ends.servers.delete(server);
  for (const [client, server] of pairs) if (client.destroyed && server.destroyed) pairs.delete(client);
}

/** Whether `to` reads and has not had all that `from` wrote, or its end. A reader that stands still awaits nothing. */
function carries(from: Socket, to: Socket): boolean {
  if (to.destroyed) return false;
  const handle = (to as unknown as { readonly _handle: { readonly reading: boolean } | null })._handle;
  if (handle?.reading !== true) return false;
  if (from.destroyed) return !to.readableEnded;
  return from.bytesWritten !== to.bytesRead;
}

/** What real time will end, in words; an empty list if nothing can happen unless a clock moves. */
function moving(): string[] {
  const resources = process.getActiveResourcesInfo();
  const moving = resources.filter((resource) => requests.has(resource));
  if (threadsIn(resources) > ownPorts) moving.push('a thread owes an answer');
  if (ends.clients.size > 0) pairEnds();
  for (const [client, server] of pairs) {
    if (carries(client, server)) moving.push('a request');
    if (carries(server, client)) moving.push('an answer');
  }
  return moving;
}

const quietTurns = 3;
/** Turns in which nothing moved, of all who wait: their own turns are no work of the others. */
let turns = 0;
let waiting: Promise<void> | null = null;

/**
 * Lets promises, sockets, files and threads of this thread get on, until nothing can happen unless a clock moves: no
 * request of the disk or of a connection has begun, no byte is between two sockets, no thread owes an answer and no work
 * waits for its next turn. What the pool of threads computes and what other processes do is not seen.
 */
export function flush(): Promise<void> {
  turns = 0;
  return (waiting ??= settle().finally(() => {
    waiting = null;
  }));
}

async function settle(): Promise<void> {
  const end = performance.now() + patience.step;
  while (turns < quietTurns) {
    await turn();
    const now = moving();
    turns = now.length === 0 ? turns + 1 : 0;
    if (turns === 0 && performance.now() > end) throw new Error(`Moves without end: ${now.join(', ')}`);
  }
}
