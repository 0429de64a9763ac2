/**
 * Does to a console what a local process without any right can do, and prints what it costs. Each attack
 * gets a console of its own, with an empty data folder and the training deployment, and is cut after a few
 * seconds. Linux only: memory is read from /proc.
 *
 *   node test/faults/programs/strangers.ts [path of serve.js, out/main/serve.js by default]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { globalAgent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { admit, ask, PageSocket } from '../../hosts/support/page.ts';
import { sharedReferences } from '../support/hostilePack.ts';

const program = resolve(process.argv[2] ?? 'out/main/serve.js');
const patienceMs = 30_000;
const pipelineForMs = 5_000;
const mostMemory = 6 * 1024 ** 3;
const connections = 256;
/** The console's own limit for headers is 5 s, looked at each second. */
const silentForMs = 12_000;

interface Victim {
  readonly url: string;
  readonly pid: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const elapsedSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(2)} s`;
const mebibytes = (bytes: number): string => `${String(Math.round(bytes / 1024 ** 2))} MiB`;

async function withConsole(attack: (victim: Victim) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'field-console-strangers-'));
  const child = spawn(process.execPath, [program, '--training', '--no-open', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /^Console ready at (\S+)$/.exec(line)?.[1];
      if (url === undefined || child.pid === undefined) continue;
      await attack({ url, pid: child.pid });
      break;
    }
  } finally {
    child.kill('SIGKILL');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What a page waits for `GET /` on a new connection, or that it waited too long. */
async function answerTime(url: string, headers: Record<string, string> = {}): Promise<string> {
  globalAgent.destroy();
  const start = performance.now();
  const answer = await Promise.race([
    ask(url, '/', { headers }).then(
      ({ status }) => `status ${String(status)}`,
      (error: unknown) => (error instanceof Error ? error.message : 'refused'),
    ),
    pause(patienceMs, 'no answer'),
  ]);
  return `${answer} after ${elapsedSince(start)}`;
}

/** The most memory that the process had so far, in bytes. */
async function peakOf(pid: number, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

function stranger(url: string, write: string | null): Socket {
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  // Without a reader and without 'data', what is answered stays where it is.
  if (write !== null) socket.once('connect', () => socket.write(write));
  return socket;
}

await withConsole(async ({ url }) => {
  print(`GET / before: ${await answerTime(url)}`);
  const page = await new PageSocket(url).opened();
  const message = sharedReferences(19_000, 23_000);
  page.socket.send(message);
  // The next request comes after the message, not beside it.
  await pause(200);
  print(`GET / after one message of ${String(message.byteLength)} bytes: ${await answerTime(url)}`);
});

for (const count of [1, 3]) {
  await withConsole(async ({ url, pid }) => {
    const page = (await ask(url, '/')).body;
    const asset = /src="\.?(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '/';
    const one = `GET ${asset} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;
    const requests = one.repeat(Math.floor(68_000 / one.length));
    const before = await peakOf(pid, 'VmRSS');
    const sockets = Array.from({ length: count }, () => stranger(url, requests));
    let peak = before;
    for (const until = performance.now() + pipelineForMs; performance.now() < until;) {
      peak = Math.max(peak, await peakOf(pid, 'VmHWM'));
      if (peak > mostMemory) break;
      await pause(50);
    }
    print(
      `${String(count)} connections with ${String(requests.length)} bytes of ${asset}: ` +
        `${mebibytes(before)} before, at most ${mebibytes(peak)}`,
    );
    for (const socket of sockets) socket.destroy();
  });
}

await withConsole(async ({ url }) => {
  const { cookie, proof } = await admit(url);
  globalAgent.destroy();
  const sockets = Array.from({ length: connections }, () => stranger(url, null));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await pause(200);
  print(`${String(connections)} silent connections, GET / at once: ${await answerTime(url, { cookie })}`);
  await pause(silentForMs);
  print(`GET / after ${String(silentForMs / 1000)} s of silence: ${await answerTime(url, { cookie })}`);
  globalAgent.destroy();
  const page = new PageSocket(url, { cookie });
  const opened = await Promise.race([
    page.opened().then(async () => {
      page.send({ kind: 'hello', proof });
      await page.message('push');
      return 'has its first push';
    }),
    page.closed.then((code) => `was closed with ${String(code)}`),
    pause(patienceMs, 'never opened'),
  ]);
  print(`the socket of the admitted page ${opened}`);
  for (const socket of sockets) socket.destroy();
  page.socket.terminate();
});
